import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: Pbkdf2Cost","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost.md","filePath":"site/api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost.md"}');
const _sfc_main = { name: "api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/hashes/">@fastify-accounts/hashes</a> / Pbkdf2Cost</p><h1 id="interface-pbkdf2cost" tabindex="-1">Interface: Pbkdf2Cost <a class="header-anchor" href="#interface-pbkdf2cost" aria-label="Permalink to &quot;Interface: Pbkdf2Cost&quot;">​</a></h1><p>The cost of the most expensive stored hash.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="iterations" tabindex="-1">iterations? <a class="header-anchor" href="#iterations" aria-label="Permalink to &quot;iterations?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">iterations</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> number;</span></span></code></pre></div><p>HMAC rounds, times the key length in digest lengths.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const Pbkdf2Cost = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  Pbkdf2Cost as default
};
