import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: PasswordLink","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/PasswordLink.md","filePath":"site/api/fastify-accounts/plugin/interfaces/PasswordLink.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/PasswordLink.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / PasswordLink</p><h1 id="interface-passwordlink" tabindex="-1">Interface: PasswordLink <a class="header-anchor" href="#interface-passwordlink" aria-label="Permalink to &quot;Interface: PasswordLink&quot;">​</a></h1><p>A link to choose a password, as text.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="expiresat" tabindex="-1">expiresAt <a class="header-anchor" href="#expiresat" aria-label="Permalink to &quot;expiresAt&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">expiresAt</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: Date;</span></span></code></pre></div><hr><h3 id="url" tabindex="-1">url <a class="header-anchor" href="#url" aria-label="Permalink to &quot;url&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">url</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>Works once. Whoever has it can set the password: show it to nobody but the user, and log it nowhere.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/PasswordLink.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const PasswordLink = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  PasswordLink as default
};
