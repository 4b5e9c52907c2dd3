import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/compatibility/vue","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-compatibility-vue"},"relativePath":"source/packages-compatibility-vue.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-compatibility-vue.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagescompatibilityvue" tabindex="-1">packages/compatibility/vue <a class="header-anchor" href="#packagescompatibilityvue" aria-label="Permalink to &quot;packages/compatibility/vue&quot;">​</a></h1><ul><li><a href="/source/packages-compatibility-vue-index-html">packages/compatibility/vue/index.html</a></li><li><a href="/source/packages-compatibility-vue-package-json">packages/compatibility/vue/package.json</a></li><li><a href="/source/packages-compatibility-vue-pnpm-workspace-yaml">packages/compatibility/vue/pnpm-workspace.yaml</a></li><li><a href="/source/packages-compatibility-vue-src-App-vue">packages/compatibility/vue/src/App.vue</a></li><li><a href="/source/packages-compatibility-vue-src-accounts-ts">packages/compatibility/vue/src/accounts.ts</a></li><li><a href="/source/packages-compatibility-vue-src-main-ts">packages/compatibility/vue/src/main.ts</a></li><li><a href="/source/packages-compatibility-vue-src-useAccount-ts">packages/compatibility/vue/src/useAccount.ts</a></li><li><a href="/source/packages-compatibility-vue-tsconfig-json">packages/compatibility/vue/tsconfig.json</a></li><li><a href="/source/packages-compatibility-vue-vite-config-ts">packages/compatibility/vue/vite.config.ts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-compatibility-vue.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesCompatibilityVue = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesCompatibilityVue as default
};
