import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: knownDevice()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/features/functions/knownDevice.md","filePath":"site/api/fastify-accounts/features/functions/knownDevice.md"}');
const _sfc_main = { name: "api/fastify-accounts/features/functions/knownDevice.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/features/">features</a> / knownDevice</p><h1 id="function-knowndevice" tabindex="-1">Function: knownDevice() <a class="header-anchor" href="#function-knowndevice" aria-label="Permalink to &quot;Function: knownDevice()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> knownDevice</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   __namedParameters</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   client</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   user</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   use</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> string</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;"> |</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> null</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>The name of the client&#39;s device, if it has logged in before to the account that its request names. Then the request doesn&#39;t count against the client address, which many people may share. Its mark is for that account alone, so a browser with another account&#39;s lifts no limit; nor does one without, whose mark can&#39;t be checked before the account is known.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th><th>Description</th></tr></thead><tbody><tr><td><code>__namedParameters</code></td><td><code>DeviceDeps</code></td><td>-</td></tr><tr><td><code>client</code></td><td><a href="/api/fastify-accounts/features/interfaces/Client"><code>Client</code></a></td><td>-</td></tr><tr><td><code>user</code></td><td><a href="/api/fastify-accounts/plugin/interfaces/User"><code>User</code></a> | <code>null</code></td><td><code>null</code> if there is none: reading the cookie takes time, which must not tell</td></tr><tr><td><code>use?</code></td><td><code>&quot;password&quot;</code></td><td>as for <code>DeviceCookie.read</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>string</code> | <code>null</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/features/functions/knownDevice.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const knownDevice = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  knownDevice as default
};
