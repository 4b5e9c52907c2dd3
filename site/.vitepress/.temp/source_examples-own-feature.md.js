import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/own-feature","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-own-feature"},"relativePath":"source/examples-own-feature.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-own-feature.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesown-feature" tabindex="-1">examples/own-feature <a class="header-anchor" href="#examplesown-feature" aria-label="Permalink to &quot;examples/own-feature&quot;">​</a></h1><ul><li><a href="/source/examples-own-feature-package-json">examples/own-feature/package.json</a></li><li><a href="/source/examples-own-feature-src-index-ts">examples/own-feature/src/index.ts</a></li><li><a href="/source/examples-own-feature-src-routes-ts">examples/own-feature/src/routes.ts</a></li><li><a href="/source/examples-own-feature-src-texts-ts">examples/own-feature/src/texts.ts</a></li><li><a href="/source/examples-own-feature-test-own-feature-test-ts">examples/own-feature/test/own-feature.test.ts</a></li><li><a href="/source/examples-own-feature-tsconfig-json">examples/own-feature/tsconfig.json</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-own-feature.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesOwnFeature = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesOwnFeature as default
};
