import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: AccountsFeature","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/AccountsFeature.md","filePath":"site/api/fastify-accounts/plugin/interfaces/AccountsFeature.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/AccountsFeature.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / AccountsFeature</p><h1 id="interface-accountsfeature" tabindex="-1">Interface: AccountsFeature <a class="header-anchor" href="#interface-accountsfeature" aria-label="Permalink to &quot;Interface: AccountsFeature&quot;">​</a></h1><p>A feature, as a package provides it. Its content is <code>Feature</code> of <code>fastify-accounts/features</code>.</p><h2 id="extended-by" tabindex="-1">Extended by <a class="header-anchor" href="#extended-by" aria-label="Permalink to &quot;Extended by&quot;">​</a></h2><ul><li><a href="/api/fastify-accounts/features/interfaces/Feature"><code>Feature</code></a></li></ul><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="name" tabindex="-1">name <a class="header-anchor" href="#name" aria-label="Permalink to &quot;name&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">readonly </span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">name</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>Lowercase letters, digits and <code>-</code>; once in a mount.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/AccountsFeature.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const AccountsFeature = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  AccountsFeature as default
};
