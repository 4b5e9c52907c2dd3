import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: PageTheme","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/features/interfaces/PageTheme.md","filePath":"site/api/fastify-accounts/features/interfaces/PageTheme.md"}');
const _sfc_main = { name: "api/fastify-accounts/features/interfaces/PageTheme.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/features/">features</a> / PageTheme</p><h1 id="interface-pagetheme" tabindex="-1">Interface: PageTheme <a class="header-anchor" href="#interface-pagetheme" aria-label="Permalink to &quot;Interface: PageTheme&quot;">​</a></h1><p>The language and brand of a page.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="brand" tabindex="-1">brand <a class="header-anchor" href="#brand" aria-label="Permalink to &quot;brand&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">brand</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: Brand;</span></span></code></pre></div><hr><h3 id="language" tabindex="-1">language <a class="header-anchor" href="#language" aria-label="Permalink to &quot;language&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">language</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: Language;</span></span></code></pre></div><hr><h3 id="origin" tabindex="-1">origin <a class="header-anchor" href="#origin" aria-label="Permalink to &quot;origin&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">origin</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>The site&#39;s origin. Pages don&#39;t show a logo from elsewhere, so no other site learns about them.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/features/interfaces/PageTheme.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const PageTheme = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  PageTheme as default
};
