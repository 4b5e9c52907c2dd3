import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: fillKeys()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/kysely/functions/fillKeys.md","filePath":"site/api/@fastify-accounts/kysely/functions/fillKeys.md"}');
const _sfc_main = { name: "api/@fastify-accounts/kysely/functions/fillKeys.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a> / fillKeys</p><h1 id="function-fillkeys" tabindex="-1">Function: fillKeys() <a class="header-anchor" href="#function-fillkeys" aria-label="Permalink to &quot;Function: fillKeys()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> fillKeys</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">host</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">naming</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> Promise</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">&lt;</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">FilledKeys</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">&gt;;</span></span></code></pre></div><p>Gives the users of an existing table the keys that they are found by. May run while others change them, be interrupted, and be run again: each user changes only in the version, and with the name and address, that was read.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th><th>Description</th></tr></thead><tbody><tr><td><code>host</code></td><td><a href="/api/@fastify-accounts/kysely/interfaces/Database"><code>Database</code></a></td><td>-</td></tr><tr><td><code>naming</code></td><td><a href="/api/@fastify-accounts/kysely/interfaces/Naming"><code>Naming</code></a></td><td>the same as for the stores</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>Promise</code>&lt;<a href="/api/@fastify-accounts/kysely/interfaces/FilledKeys"><code>FilledKeys</code></a>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/kysely/functions/fillKeys.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const fillKeys = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  fillKeys as default
};
