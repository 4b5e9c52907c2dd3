import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: frameworkErrors()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/functions/frameworkErrors.md","filePath":"site/api/fastify-accounts/plugin/functions/frameworkErrors.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/functions/frameworkErrors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / frameworkErrors</p><h1 id="function-frameworkerrors" tabindex="-1">Function: frameworkErrors() <a class="header-anchor" href="#function-frameworkerrors" aria-label="Permalink to &quot;Function: frameworkErrors()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> frameworkErrors</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   error</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   request</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   reply</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> void</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Handles what Fastify&#39;s router rejects, for <code>Fastify({ frameworkErrors })</code>: a path with a malformed percent sign (400), or with a parameter that is too long (414). Fastify&#39;s own response repeats the path, and with it the token of a badly copied link. This one has Fastify&#39;s status and code, no path, <code>no-store</code> and <code>nosniff</code>, and is a page for browsers. Fastify logs such a request, so use it with <code>maskedRequest</code>.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>error</code></td><td><code>FastifyError</code></td></tr><tr><td><code>request</code></td><td><code>FastifyRequest</code></td></tr><tr><td><code>reply</code></td><td><code>FastifyReply</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/functions/frameworkErrors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const frameworkErrors = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  frameworkErrors as default
};
