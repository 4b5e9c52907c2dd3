import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: describeTables()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/table-stores/functions/describeTables.md","filePath":"site/api/@fastify-accounts/table-stores/functions/describeTables.md"}');
const _sfc_main = { name: "api/@fastify-accounts/table-stores/functions/describeTables.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/table-stores/">@fastify-accounts/table-stores</a> / describeTables</p><h1 id="function-describetables" tabindex="-1">Function: describeTables() <a class="header-anchor" href="#function-describetables" aria-label="Permalink to &quot;Function: describeTables()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> describeTables</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">()</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> TableDescription</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">[];</span></span></code></pre></div><p>Tables whose rows are those of <code>createTableUserStore</code>, <code>createTableSessionStore</code> and <code>createTableInvitationStore</code>, for an app that has none yet. A session has no reference to its user: the plugin deletes both, and one that is left over opens nothing.</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/fastify-accounts/plugin/interfaces/TableDescription"><code>TableDescription</code></a>[]</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/table-stores/functions/describeTables.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const describeTables = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  describeTables as default
};
