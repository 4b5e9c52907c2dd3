import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: lingeringClose()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/functions/lingeringClose.md","filePath":"site/api/fastify-accounts/plugin/functions/lingeringClose.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/functions/lingeringClose.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / lingeringClose</p><h1 id="function-lingeringclose" tabindex="-1">Function: lingeringClose() <a class="header-anchor" href="#function-lingeringclose" aria-label="Permalink to &quot;Function: lingeringClose()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> lingeringClose</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   request</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   _reply</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   done</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> void</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>An <code>onRequest</code> hook: if Node.js closes a connection after a response, it is only closed for writing, while the rest of the request is read and dropped, up to 4 MiB and 5 seconds. Otherwise a client that is still sending gets a connection reset, and a proxy considers the whole service failed. The plugin&#39;s own routes have it; <code>app.addHook(&#39;onRequest&#39;, lingeringClose)</code> adds it to all others.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>request</code></td><td><a href="/api/fastify-accounts/plugin/type-aliases/AnyRequest"><code>AnyRequest</code></a></td></tr><tr><td><code>_reply</code></td><td><code>unknown</code></td></tr><tr><td><code>done</code></td><td>() =&gt; <code>void</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/functions/lingeringClose.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const lingeringClose = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  lingeringClose as default
};
