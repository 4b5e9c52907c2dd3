import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: Link","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/client/interfaces/Link.md","filePath":"site/api/@fastify-accounts/client/client/interfaces/Link.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/client/interfaces/Link.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/client/">client</a> / Link</p><h1 id="interface-link" tabindex="-1">Interface: Link <a class="header-anchor" href="#interface-link" aria-label="Permalink to &quot;Interface: Link&quot;">​</a></h1><p>The two parts of an emailed link: <code>/reset/{uid64}/{token}/</code>.</p><h2 id="extended-by" tabindex="-1">Extended by <a class="header-anchor" href="#extended-by" aria-label="Permalink to &quot;Extended by&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/client/interfaces/EmailLink"><code>EmailLink</code></a></li></ul><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="token" tabindex="-1">token <a class="header-anchor" href="#token" aria-label="Permalink to &quot;token&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">token</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><hr><h3 id="uid64" tabindex="-1">uid64 <a class="header-anchor" href="#uid64" aria-label="Permalink to &quot;uid64&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">uid64</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/client/interfaces/Link.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const Link = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  Link as default
};
