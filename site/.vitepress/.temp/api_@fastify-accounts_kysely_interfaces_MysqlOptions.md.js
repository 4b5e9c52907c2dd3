import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: MysqlOptions","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/kysely/interfaces/MysqlOptions.md","filePath":"site/api/@fastify-accounts/kysely/interfaces/MysqlOptions.md"}');
const _sfc_main = { name: "api/@fastify-accounts/kysely/interfaces/MysqlOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a> / MysqlOptions</p><h1 id="interface-mysqloptions" tabindex="-1">Interface: MysqlOptions <a class="header-anchor" href="#interface-mysqloptions" aria-label="Permalink to &quot;Interface: MysqlOptions&quot;">​</a></h1><p>Options of <code>openMysql</code> and <code>mysqlDialect</code>.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="querytimeout" tabindex="-1">queryTimeout? <a class="header-anchor" href="#querytimeout" aria-label="Permalink to &quot;queryTimeout?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">queryTimeout</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> number;</span></span></code></pre></div><p>Milliseconds that a query may take; after that its connection is closed. The server ends it by itself after seven eighths of that, as far as it can: MariaDB ends any statement, MySQL only reads, and both wait for a lock in whole seconds, at least one.</p><h4 id="default" tabindex="-1">Default <a class="header-anchor" href="#default" aria-label="Permalink to &quot;Default&quot;">​</a></h4><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">4000</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/kysely/interfaces/MysqlOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const MysqlOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  MysqlOptions as default
};
