import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: freshUser()","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/features/functions/freshUser.md","filePath":"site/api/fastify-accounts/features/functions/freshUser.md"}');
const _sfc_main = { name: "api/fastify-accounts/features/functions/freshUser.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/features/">features</a> / freshUser</p><h1 id="function-freshuser" tabindex="-1">Function: freshUser() <a class="header-anchor" href="#function-freshuser" aria-label="Permalink to &quot;Function: freshUser()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> freshUser</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">facts</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> NewUser</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>A user created now with default values: by themselves, without a password and without rights.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>facts</code></td><td><code>Pick</code>&lt;<a href="/api/fastify-accounts/plugin/type-aliases/NewUser"><code>NewUser</code></a>, <code>&quot;username&quot;</code> | <code>&quot;usernameKey&quot;</code>&gt; &amp; <code>Partial</code>&lt;<a href="/api/fastify-accounts/plugin/type-aliases/NewUser"><code>NewUser</code></a>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/fastify-accounts/plugin/type-aliases/NewUser"><code>NewUser</code></a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/features/functions/freshUser.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const freshUser = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  freshUser as default
};
