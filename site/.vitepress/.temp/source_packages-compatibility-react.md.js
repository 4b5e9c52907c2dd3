import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/compatibility/react","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-compatibility-react"},"relativePath":"source/packages-compatibility-react.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-compatibility-react.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagescompatibilityreact" tabindex="-1">packages/compatibility/react <a class="header-anchor" href="#packagescompatibilityreact" aria-label="Permalink to &quot;packages/compatibility/react&quot;">​</a></h1><ul><li><a href="/source/packages-compatibility-react-index-html">packages/compatibility/react/index.html</a></li><li><a href="/source/packages-compatibility-react-package-json">packages/compatibility/react/package.json</a></li><li><a href="/source/packages-compatibility-react-pnpm-workspace-yaml">packages/compatibility/react/pnpm-workspace.yaml</a></li><li><a href="/source/packages-compatibility-react-src-App-tsx">packages/compatibility/react/src/App.tsx</a></li><li><a href="/source/packages-compatibility-react-src-accounts-ts">packages/compatibility/react/src/accounts.ts</a></li><li><a href="/source/packages-compatibility-react-src-main-tsx">packages/compatibility/react/src/main.tsx</a></li><li><a href="/source/packages-compatibility-react-src-useAccount-ts">packages/compatibility/react/src/useAccount.ts</a></li><li><a href="/source/packages-compatibility-react-tsconfig-json">packages/compatibility/react/tsconfig.json</a></li><li><a href="/source/packages-compatibility-react-vite-config-ts">packages/compatibility/react/vite.config.ts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-compatibility-react.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesCompatibilityReact = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesCompatibilityReact as default
};
