import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: Naming","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/kysely/interfaces/Naming.md","filePath":"site/api/@fastify-accounts/kysely/interfaces/Naming.md"}');
const _sfc_main = { name: "api/@fastify-accounts/kysely/interfaces/Naming.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a> / Naming</p><h1 id="interface-naming" tabindex="-1">Interface: Naming <a class="header-anchor" href="#interface-naming" aria-label="Permalink to &quot;Interface: Naming&quot;">​</a></h1><p>The names of the tables and their columns: the same for <code>migrate</code>, <code>migrationSql</code> and the stores.</p><h2 id="extended-by" tabindex="-1">Extended by <a class="header-anchor" href="#extended-by" aria-label="Permalink to &quot;Extended by&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/kysely/interfaces/StoreOptions"><code>StoreOptions</code></a></li></ul><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="columns" tabindex="-1">columns? <a class="header-anchor" href="#columns" aria-label="Permalink to &quot;columns?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">columns</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> ColumnNames;</span></span></code></pre></div><p>Other names for some or all columns; at most 50 bytes each.</p><hr><h3 id="tables" tabindex="-1">tables? <a class="header-anchor" href="#tables" aria-label="Permalink to &quot;tables?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">tables</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> SomeNames</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">&lt;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">keyof TableNames</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">&gt;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Other names for some or all tables; at most 50 bytes each.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/kysely/interfaces/Naming.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const Naming = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  Naming as default
};
