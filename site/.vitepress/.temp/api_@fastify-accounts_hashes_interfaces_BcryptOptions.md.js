import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: BcryptOptions","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/hashes/interfaces/BcryptOptions.md","filePath":"site/api/@fastify-accounts/hashes/interfaces/BcryptOptions.md"}');
const _sfc_main = { name: "api/@fastify-accounts/hashes/interfaces/BcryptOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/hashes/">@fastify-accounts/hashes</a> / BcryptOptions</p><h1 id="interface-bcryptoptions" tabindex="-1">Interface: BcryptOptions <a class="header-anchor" href="#interface-bcryptoptions" aria-label="Permalink to &quot;Interface: BcryptOptions&quot;">​</a></h1><p>Options of the bcrypt verifier.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="cost" tabindex="-1">cost? <a class="header-anchor" href="#cost" aria-label="Permalink to &quot;cost?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">cost</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> number;</span></span></code></pre></div><p>The cost of the most expensive stored hash: the binary logarithm of the rounds. 12 by default.</p><hr><h3 id="pepper" tabindex="-1">pepper? <a class="header-anchor" href="#pepper" aria-label="Permalink to &quot;pepper?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">pepper</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> string;</span></span></code></pre></div><p>A secret appended to each password before hashing: Devise&#39;s <code>config.pepper</code>. None by default.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/hashes/interfaces/BcryptOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const BcryptOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  BcryptOptions as default
};
