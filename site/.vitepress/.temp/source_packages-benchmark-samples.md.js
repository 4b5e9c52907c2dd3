import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/benchmark/samples","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-benchmark-samples"},"relativePath":"source/packages-benchmark-samples.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-benchmark-samples.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagesbenchmarksamples" tabindex="-1">packages/benchmark/samples <a class="header-anchor" href="#packagesbenchmarksamples" aria-label="Permalink to &quot;packages/benchmark/samples&quot;">​</a></h1><ul><li><a href="/source/packages-benchmark-samples-bare-ts">packages/benchmark/samples/bare.ts</a></li><li><a href="/source/packages-benchmark-samples-better-auth-ts">packages/benchmark/samples/better-auth.ts</a></li><li><a href="/source/packages-benchmark-samples-fastify-accounts-ts">packages/benchmark/samples/fastify-accounts.ts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-benchmark-samples.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesBenchmarkSamples = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesBenchmarkSamples as default
};
