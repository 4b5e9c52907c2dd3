import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/compatibility/sveltekit/src/routes/accounts","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-compatibility-sveltekit-src-routes-accounts"},"relativePath":"source/packages-compatibility-sveltekit-src-routes-accounts.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-compatibility-sveltekit-src-routes-accounts.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagescompatibilitysveltekitsrcroutesaccounts" tabindex="-1">packages/compatibility/sveltekit/src/routes/accounts <a class="header-anchor" href="#packagescompatibilitysveltekitsrcroutesaccounts" aria-label="Permalink to &quot;packages/compatibility/sveltekit/src/routes/accounts&quot;">​</a></h1><ul><li><a href="/source/packages-compatibility-sveltekit-src-routes-accounts-path-server-ts">packages/compatibility/sveltekit/src/routes/accounts/[...path]/+server.ts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-compatibility-sveltekit-src-routes-accounts.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesCompatibilitySveltekitSrcRoutesAccounts = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesCompatibilitySveltekitSrcRoutesAccounts as default
};
