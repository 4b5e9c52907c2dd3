import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: callDeadline()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/functions/callDeadline.md","filePath":"site/api/fastify-accounts/plugin/functions/callDeadline.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/functions/callDeadline.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / callDeadline</p><h1 id="function-calldeadline" tabindex="-1">Function: callDeadline() <a class="header-anchor" href="#function-calldeadline" aria-label="Permalink to &quot;Function: callDeadline()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> callDeadline</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">()</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> number</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>When the plugin stops waiting for the adapter call that is beginning, in milliseconds of <code>performance.now()</code>; <code>Infinity</code> outside a request. Call it before the first <code>await</code> of the method.</p><p>The response is then 503, so nothing may take effect afterwards: begin no attempt after the deadline, and roll back what isn&#39;t committed by then.</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>number</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/functions/callDeadline.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const callDeadline = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  callDeadline as default
};
