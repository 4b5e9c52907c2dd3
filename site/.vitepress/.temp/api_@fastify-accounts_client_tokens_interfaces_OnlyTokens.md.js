import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: OnlyTokens","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/tokens/interfaces/OnlyTokens.md","filePath":"site/api/@fastify-accounts/client/tokens/interfaces/OnlyTokens.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/tokens/interfaces/OnlyTokens.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/tokens/">tokens</a> / OnlyTokens</p><h1 id="interface-onlytokens" tabindex="-1">Interface: OnlyTokens <a class="header-anchor" href="#interface-onlytokens" aria-label="Permalink to &quot;Interface: OnlyTokens&quot;">​</a></h1><p>The response to a refresh.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="tokens" tabindex="-1">tokens <a class="header-anchor" href="#tokens" aria-label="Permalink to &quot;tokens&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">tokens</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: Required</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">&lt;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">Tokens</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">&gt;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/tokens/interfaces/OnlyTokens.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const OnlyTokens = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  OnlyTokens as default
};
