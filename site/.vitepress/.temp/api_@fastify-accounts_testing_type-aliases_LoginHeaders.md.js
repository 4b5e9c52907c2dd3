import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Type Alias: LoginHeaders","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/testing/type-aliases/LoginHeaders.md","filePath":"site/api/@fastify-accounts/testing/type-aliases/LoginHeaders.md"}');
const _sfc_main = { name: "api/@fastify-accounts/testing/type-aliases/LoginHeaders.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/testing/">@fastify-accounts/testing</a> / LoginHeaders</p><h1 id="type-alias-loginheaders" tabindex="-1">Type Alias: LoginHeaders <a class="header-anchor" href="#type-alias-loginheaders" aria-label="Permalink to &quot;Type Alias: LoginHeaders&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">type</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> LoginHeaders</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;"> =</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> object</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Headers that log a request in. An alias, because the types of headers don&#39;t take interfaces.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="cookie" tabindex="-1">cookie <a class="header-anchor" href="#cookie" aria-label="Permalink to &quot;cookie&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">cookie</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/testing/type-aliases/LoginHeaders.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const LoginHeaders = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  LoginHeaders as default
};
