import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: openDatabase()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/kysely/functions/openDatabase.md","filePath":"site/api/@fastify-accounts/kysely/functions/openDatabase.md"}');
const _sfc_main = { name: "api/@fastify-accounts/kysely/functions/openDatabase.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a> / openDatabase</p><h1 id="function-opendatabase" tabindex="-1">Function: openDatabase() <a class="header-anchor" href="#function-opendatabase" aria-label="Permalink to &quot;Function: openDatabase()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> openDatabase</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   url</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   load</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, </span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">   __namedParameters</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> Database</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Opens a database by its URL, for tools that know only that: <code>file:accounts.db</code>, <code>postgres://…</code>, <code>mysql://…</code>.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th><th>Description</th></tr></thead><tbody><tr><td><code>url</code></td><td><code>string</code></td><td>-</td></tr><tr><td><code>load</code></td><td>(<code>driver</code>) =&gt; <code>unknown</code></td><td>loads a driver from where it is installed, like <code>require</code>; throws if it is missing</td></tr><tr><td><code>__namedParameters?</code></td><td>{ <code>create?</code>: <code>boolean</code>; }</td><td>-</td></tr><tr><td><code>__namedParameters.create?</code></td><td><code>boolean</code></td><td>-</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/@fastify-accounts/kysely/interfaces/Database"><code>Database</code></a></p><h2 id="throws" tabindex="-1">Throws <a class="header-anchor" href="#throws" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>Error of one line if the URL is of no database, there is no driver for it, or no such file</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/kysely/functions/openDatabase.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const openDatabase = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  openDatabase as default
};
