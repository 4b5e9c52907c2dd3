import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: SdkLogin","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/providers/interfaces/SdkLogin.md","filePath":"site/api/@fastify-accounts/client/providers/interfaces/SdkLogin.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/providers/interfaces/SdkLogin.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/providers/">providers</a> / SdkLogin</p><h1 id="interface-sdklogin" tabindex="-1">Interface: SdkLogin <a class="header-anchor" href="#interface-sdklogin" aria-label="Permalink to &quot;Interface: SdkLogin&quot;">​</a></h1><p>What an app got from a provider&#39;s SDK.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="id_token" tabindex="-1">id_token <a class="header-anchor" href="#id_token" aria-label="Permalink to &quot;id\\_token&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">id_token</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><hr><h3 id="nonce" tabindex="-1">nonce <a class="header-anchor" href="#nonce" aria-label="Permalink to &quot;nonce&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">nonce</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>A random text; the SDK was given its SHA-256 as lower-case hex.</p><hr><h3 id="user" tabindex="-1">user? <a class="header-anchor" href="#user" aria-label="Permalink to &quot;user?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">user</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> string;</span></span></code></pre></div><p>JSON that the SDK gave beside the ID token: Apple&#39;s <code>{ name: { firstName, lastName } }</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/providers/interfaces/SdkLogin.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const SdkLogin = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  SdkLogin as default
};
