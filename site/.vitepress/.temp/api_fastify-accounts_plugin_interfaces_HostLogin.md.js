import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: HostLogin","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/HostLogin.md","filePath":"site/api/fastify-accounts/plugin/interfaces/HostLogin.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/HostLogin.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / HostLogin</p><h1 id="interface-hostlogin" tabindex="-1">Interface: HostLogin <a class="header-anchor" href="#interface-hostlogin" aria-label="Permalink to &quot;Interface: HostLogin&quot;">​</a></h1><p>What your app knows about a login that it finishes with <code>app.accounts.logIn</code>.</p><h2 id="extended-by" tabindex="-1">Extended by <a class="header-anchor" href="#extended-by" aria-label="Permalink to &quot;Extended by&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/testing/interfaces/TestLogin"><code>TestLogin</code></a></li></ul><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="methods" tabindex="-1">methods? <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;methods?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">methods</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> readonly string[];</span></span></code></pre></div><p>How the user proved who they are, in words of RFC 8176: <code>[&#39;pwd&#39;]</code>, or <code>[&#39;otp&#39;, &#39;mfa&#39;]</code>. Default <code>[&#39;host&#39;]</code>: your app vouches for the user, but that doesn&#39;t count as a recent login.</p><hr><h3 id="remember" tabindex="-1">remember? <a class="header-anchor" href="#remember" aria-label="Permalink to &quot;remember?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">remember</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> boolean;</span></span></code></pre></div><p>Whether the cookie outlives the browser. Default <code>false</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/HostLogin.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const HostLogin = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  HostLogin as default
};
