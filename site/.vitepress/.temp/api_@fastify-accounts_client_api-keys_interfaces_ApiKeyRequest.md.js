import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: ApiKeyRequest","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/api-keys/interfaces/ApiKeyRequest.md","filePath":"site/api/@fastify-accounts/client/api-keys/interfaces/ApiKeyRequest.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/api-keys/interfaces/ApiKeyRequest.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/api-keys/">api-keys</a> / ApiKeyRequest</p><h1 id="interface-apikeyrequest" tabindex="-1">Interface: ApiKeyRequest <a class="header-anchor" href="#interface-apikeyrequest" aria-label="Permalink to &quot;Interface: ApiKeyRequest&quot;">​</a></h1><p>What a new key may do, and for how many seconds; 90 days by default, or as the service says.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="expires_in" tabindex="-1">expires_in? <a class="header-anchor" href="#expires_in" aria-label="Permalink to &quot;expires\\_in?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">expires_in</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> number;</span></span></code></pre></div><hr><h3 id="name" tabindex="-1">name <a class="header-anchor" href="#name" aria-label="Permalink to &quot;name&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">name</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><hr><h3 id="scopes" tabindex="-1">scopes <a class="header-anchor" href="#scopes" aria-label="Permalink to &quot;scopes&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">scopes</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string[];</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/api-keys/interfaces/ApiKeyRequest.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ApiKeyRequest = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ApiKeyRequest as default
};
