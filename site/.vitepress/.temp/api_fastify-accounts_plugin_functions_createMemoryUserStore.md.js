import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: createMemoryUserStore()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/functions/createMemoryUserStore.md","filePath":"site/api/fastify-accounts/plugin/functions/createMemoryUserStore.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/functions/createMemoryUserStore.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / createMemoryUserStore</p><h1 id="function-creatememoryuserstore" tabindex="-1">Function: createMemoryUserStore() <a class="header-anchor" href="#function-creatememoryuserstore" aria-label="Permalink to &quot;Function: createMemoryUserStore()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> createMemoryUserStore</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">()</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> ListingUserStore</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>A user store in this process&#39; memory: for tests and trying out. It is empty after a restart, and two processes do not see each other&#39;s users. Ids are UUIDv7 (RFC 9562).</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/fastify-accounts/plugin/type-aliases/ListingUserStore"><code>ListingUserStore</code></a></p><h2 id="throws" tabindex="-1">Throws <a class="header-anchor" href="#throws" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>DuplicateError, InvalidArgumentError from its methods, as <code>UserStore</code> says; UnavailableError only after a call&#39;s deadline</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/functions/createMemoryUserStore.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const createMemoryUserStore = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  createMemoryUserStore as default
};
