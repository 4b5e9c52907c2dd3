import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/compatibility/single-page-app","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-compatibility-single-page-app"},"relativePath":"source/packages-compatibility-single-page-app.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-compatibility-single-page-app.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagescompatibilitysingle-page-app" tabindex="-1">packages/compatibility/single-page-app <a class="header-anchor" href="#packagescompatibilitysingle-page-app" aria-label="Permalink to &quot;packages/compatibility/single-page-app&quot;">​</a></h1><ul><li><a href="/source/packages-compatibility-single-page-app-app-ts">packages/compatibility/single-page-app/app.ts</a></li><li><a href="/source/packages-compatibility-single-page-app-index-html">packages/compatibility/single-page-app/index.html</a></li><li><a href="/source/packages-compatibility-single-page-app-tsconfig-json">packages/compatibility/single-page-app/tsconfig.json</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-compatibility-single-page-app.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesCompatibilitySinglePageApp = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesCompatibilitySinglePageApp as default
};
