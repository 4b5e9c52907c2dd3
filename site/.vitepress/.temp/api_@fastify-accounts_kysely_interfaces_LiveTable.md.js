import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: LiveTable","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/kysely/interfaces/LiveTable.md","filePath":"site/api/@fastify-accounts/kysely/interfaces/LiveTable.md"}');
const _sfc_main = { name: "api/@fastify-accounts/kysely/interfaces/LiveTable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a> / LiveTable</p><h1 id="interface-livetable" tabindex="-1">Interface: LiveTable <a class="header-anchor" href="#interface-livetable" aria-label="Permalink to &quot;Interface: LiveTable&quot;">​</a></h1><p>A table as it is in the database.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="columns" tabindex="-1">columns <a class="header-anchor" href="#columns" aria-label="Permalink to &quot;columns&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">columns</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: readonly LiveColumn[];</span></span></code></pre></div><hr><h3 id="indexes" tabindex="-1">indexes <a class="header-anchor" href="#indexes" aria-label="Permalink to &quot;indexes&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">indexes</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: readonly object[];</span></span></code></pre></div><p>None that covers only some of the rows. The primary key is one.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/kysely/interfaces/LiveTable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const LiveTable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  LiveTable as default
};
