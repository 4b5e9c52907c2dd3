import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: isMakersBrowser()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/features/functions/isMakersBrowser.md","filePath":"site/api/fastify-accounts/features/functions/isMakersBrowser.md"}');
const _sfc_main = { name: "api/fastify-accounts/features/functions/isMakersBrowser.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/features/">features</a> / isMakersBrowser</p><h1 id="function-ismakersbrowser" tabindex="-1">Function: isMakersBrowser() <a class="header-anchor" href="#function-ismakersbrowser" aria-label="Permalink to &quot;Function: isMakersBrowser()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> isMakersBrowser</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   __namedParameters</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   client</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   who</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> (</span><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">user</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">) </span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">=&gt;</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> boolean</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Whether a browser is known to be that of an account&#39;s maker: somebody signed up there, was refused there with the right password because the address is unverified, or is logged in there, not only by the host&#39;s word. So a mailed link opened in it wasn&#39;t opened by a stranger who only has the mailbox.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>__namedParameters</code></td><td>{ <code>signUp</code>: <code>Pick</code>&lt;<code>SignUpCookie</code>, <code>&quot;isFor&quot;</code>&gt;; }</td></tr><tr><td><code>__namedParameters.signUp</code></td><td><code>Pick</code>&lt;<code>SignUpCookie</code>, <code>&quot;isFor&quot;</code>&gt;</td></tr><tr><td><code>client</code></td><td><a href="/api/fastify-accounts/features/interfaces/Client"><code>Client</code></a></td></tr><tr><td><code>who</code></td><td><code>Visit</code> | <code>null</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p>(<code>user</code>) =&gt; <code>boolean</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/features/functions/isMakersBrowser.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const isMakersBrowser = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  isMakersBrowser as default
};
