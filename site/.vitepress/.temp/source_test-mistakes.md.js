import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"test/mistakes","description":"","frontmatter":{},"headers":[],"params":{"file":"test-mistakes"},"relativePath":"source/test-mistakes.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/test-mistakes.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="testmistakes" tabindex="-1">test/mistakes <a class="header-anchor" href="#testmistakes" aria-label="Permalink to &quot;test/mistakes&quot;">​</a></h1><ul><li><a href="/source/test-mistakes-chosen-md">test/mistakes/chosen.md</a></li><li><a href="/source/test-mistakes-reversals-md">test/mistakes/reversals.md</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/test-mistakes.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const testMistakes = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  testMistakes as default
};
