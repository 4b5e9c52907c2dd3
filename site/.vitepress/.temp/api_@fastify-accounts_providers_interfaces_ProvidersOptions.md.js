import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: ProvidersOptions","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/providers/interfaces/ProvidersOptions.md","filePath":"site/api/@fastify-accounts/providers/interfaces/ProvidersOptions.md"}');
const _sfc_main = { name: "api/@fastify-accounts/providers/interfaces/ProvidersOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/providers/">@fastify-accounts/providers</a> / ProvidersOptions</p><h1 id="interface-providersoptions" tabindex="-1">Interface: ProvidersOptions <a class="header-anchor" href="#interface-providersoptions" aria-label="Permalink to &quot;Interface: ProvidersOptions&quot;">​</a></h1><p>Options of all providers of a mount.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="appredirecturis" tabindex="-1">appRedirectUris? <a class="header-anchor" href="#appredirecturis" aria-label="Permalink to &quot;appRedirectUris?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">appRedirectUris</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> readonly string[];</span></span></code></pre></div><p>Where what an app began in the system browser may end (RFC 8252): <code>org.example.app:/login</code>, an https URL that the app has claimed, on an origin that is neither that of <code>baseUrl</code> nor trusted, or <code>http://127.0.0.1/login</code>, there with any port; <code>http://localhost/login</code> only outside production. Default: none, the routes of apps aren&#39;t mounted.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/providers/interfaces/ProvidersOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ProvidersOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ProvidersOptions as default
};
