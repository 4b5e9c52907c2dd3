import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: createTestOptions()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/testing/functions/createTestOptions.md","filePath":"site/api/@fastify-accounts/testing/functions/createTestOptions.md"}');
const _sfc_main = { name: "api/@fastify-accounts/testing/functions/createTestOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/testing/">@fastify-accounts/testing</a> / createTestOptions</p><h1 id="function-createtestoptions" tabindex="-1">Function: createTestOptions() <a class="header-anchor" href="#function-createtestoptions" aria-label="Permalink to &quot;Function: createTestOptions()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> createTestOptions</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">()</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> TestOptions</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Makes a secret, empty stores in memory, a mailbox and the cheap hasher, for an app that registers the plugin itself and lets its tests override options.</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/@fastify-accounts/testing/interfaces/TestOptions"><code>TestOptions</code></a></p><h2 id="throws" tabindex="-1">Throws <a class="header-anchor" href="#throws" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>Error with <code>NODE_ENV=production</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/testing/functions/createTestOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const createTestOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  createTestOptions as default
};
