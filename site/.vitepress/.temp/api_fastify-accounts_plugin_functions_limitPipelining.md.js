import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: limitPipelining()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/functions/limitPipelining.md","filePath":"site/api/fastify-accounts/plugin/functions/limitPipelining.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/functions/limitPipelining.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / limitPipelining</p><h1 id="function-limitpipelining" tabindex="-1">Function: limitPipelining() <a class="header-anchor" href="#function-limitpipelining" aria-label="Permalink to &quot;Function: limitPipelining()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> limitPipelining</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   request</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   reply</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   done</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> void</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>An <code>onRequest</code> hook for HTTP/1.1: a connection with more than 16 pending requests isn&#39;t read until they have responses. What was read before that may hold a thousand: the hundred and first gets a 503 and closes the connection, and the rest are dropped. Otherwise a client that sends requests without waiting for responses could fill the memory of the process. The plugin&#39;s own routes have it; <code>app.addHook(&#39;onRequest&#39;, limitPipelining)</code> adds it to all others. With HTTP/2, set <code>maxConcurrentStreams</code>.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>request</code></td><td><a href="/api/fastify-accounts/plugin/type-aliases/AnyRequest"><code>AnyRequest</code></a></td></tr><tr><td><code>reply</code></td><td><a href="/api/fastify-accounts/plugin/type-aliases/AnyReply"><code>AnyReply</code></a></td></tr><tr><td><code>done</code></td><td>(<code>error?</code>) =&gt; <code>void</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/functions/limitPipelining.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const limitPipelining = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  limitPipelining as default
};
