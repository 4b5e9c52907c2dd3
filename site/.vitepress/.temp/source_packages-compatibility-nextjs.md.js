import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/compatibility/nextjs","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-compatibility-nextjs"},"relativePath":"source/packages-compatibility-nextjs.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-compatibility-nextjs.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagescompatibilitynextjs" tabindex="-1">packages/compatibility/nextjs <a class="header-anchor" href="#packagescompatibilitynextjs" aria-label="Permalink to &quot;packages/compatibility/nextjs&quot;">​</a></h1><ul><li><a href="/source/packages-compatibility-nextjs-app-layout-tsx">packages/compatibility/nextjs/app/layout.tsx</a></li><li><a href="/source/packages-compatibility-nextjs-app-log-out-tsx">packages/compatibility/nextjs/app/log-out.tsx</a></li><li><a href="/source/packages-compatibility-nextjs-app-login-page-tsx">packages/compatibility/nextjs/app/login/page.tsx</a></li><li><a href="/source/packages-compatibility-nextjs-app-page-tsx">packages/compatibility/nextjs/app/page.tsx</a></li><li><a href="/source/packages-compatibility-nextjs-lib-accounts-ts">packages/compatibility/nextjs/lib/accounts.ts</a></li><li><a href="/source/packages-compatibility-nextjs-next-config-ts">packages/compatibility/nextjs/next.config.ts</a></li><li><a href="/source/packages-compatibility-nextjs-package-json">packages/compatibility/nextjs/package.json</a></li><li><a href="/source/packages-compatibility-nextjs-pnpm-workspace-yaml">packages/compatibility/nextjs/pnpm-workspace.yaml</a></li><li><a href="/source/packages-compatibility-nextjs-tsconfig-json">packages/compatibility/nextjs/tsconfig.json</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-compatibility-nextjs.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesCompatibilityNextjs = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesCompatibilityNextjs as default
};
