import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: EmailAddress","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/EmailAddress.md","filePath":"site/api/fastify-accounts/plugin/interfaces/EmailAddress.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/EmailAddress.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / EmailAddress</p><h1 id="interface-emailaddress" tabindex="-1">Interface: EmailAddress <a class="header-anchor" href="#interface-emailaddress" aria-label="Permalink to &quot;Interface: EmailAddress&quot;">​</a></h1><p>An address in the two forms that a store keeps.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="email" tabindex="-1">email <a class="header-anchor" href="#email" aria-label="Permalink to &quot;email&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">email</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>As given, without surrounding white space, in Unicode normalization form C; a domain that isn&#39;t ASCII is lowercased. At most 254 code points.</p><hr><h3 id="emailkey" tabindex="-1">emailKey <a class="header-anchor" href="#emailkey" aria-label="Permalink to &quot;emailKey&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">emailKey</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>For comparing: in lower case, the domain in ASCII.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/EmailAddress.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const EmailAddress = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  EmailAddress as default
};
