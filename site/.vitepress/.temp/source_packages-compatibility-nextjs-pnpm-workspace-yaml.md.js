import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"packages/compatibility/nextjs/pnpm-workspace.yaml","description":"","frontmatter":{},"headers":[],"params":{"file":"packages-compatibility-nextjs-pnpm-workspace-yaml"},"relativePath":"source/packages-compatibility-nextjs-pnpm-workspace-yaml.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/packages-compatibility-nextjs-pnpm-workspace-yaml.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="packagescompatibilitynextjspnpm-workspaceyaml" tabindex="-1">packages/compatibility/nextjs/pnpm-workspace.yaml <a class="header-anchor" href="#packagescompatibilitynextjspnpm-workspaceyaml" aria-label="Permalink to &quot;packages/compatibility/nextjs/pnpm-workspace.yaml&quot;">​</a></h1><div class="language-yaml vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">yaml</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6A737D;--shiki-dark:#6A737D;"># A workspace of its own: its test installs it where CI runs, and nothing else does.</span></span>
<span class="line"><span style="--shiki-light:#22863A;--shiki-dark:#85E89D;">packages</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: []</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/packages-compatibility-nextjs-pnpm-workspace-yaml.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const packagesCompatibilityNextjsPnpmWorkspaceYaml = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  packagesCompatibilityNextjsPnpmWorkspaceYaml as default
};
