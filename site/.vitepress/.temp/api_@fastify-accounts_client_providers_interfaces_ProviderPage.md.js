import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: ProviderPage","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/providers/interfaces/ProviderPage.md","filePath":"site/api/@fastify-accounts/client/providers/interfaces/ProviderPage.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/providers/interfaces/ProviderPage.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/providers/">providers</a> / ProviderPage</p><h1 id="interface-providerpage" tabindex="-1">Interface: ProviderPage <a class="header-anchor" href="#interface-providerpage" aria-label="Permalink to &quot;Interface: ProviderPage&quot;">​</a></h1><p>The provider&#39;s page: send the browser there, for example with <code>location.assign(data.location)</code>.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="location" tabindex="-1">location <a class="header-anchor" href="#location" aria-label="Permalink to &quot;location&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">location</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/providers/interfaces/ProviderPage.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ProviderPage = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ProviderPage as default
};
