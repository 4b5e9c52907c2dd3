import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Type Alias: PasskeyErrorCode","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/client/type-aliases/PasskeyErrorCode.md","filePath":"site/api/@fastify-accounts/client/client/type-aliases/PasskeyErrorCode.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/client/type-aliases/PasskeyErrorCode.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/client/">client</a> / PasskeyErrorCode</p><h1 id="type-alias-passkeyerrorcode" tabindex="-1">Type Alias: PasskeyErrorCode <a class="header-anchor" href="#type-alias-passkeyerrorcode" aria-label="Permalink to &quot;Type Alias: PasskeyErrorCode&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">type</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> PasskeyErrorCode</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;"> =</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> &quot;ACCOUNTS_INVALID_PASSKEY&quot;</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;"> |</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> &quot;PASSKEY_FAILED&quot;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Additional error codes of passkeys. <code>PASSKEY_FAILED</code>: the browser created or used none, because the user canceled, there is none, or the page isn&#39;t allowed to; <code>cause</code> says more.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/client/type-aliases/PasskeyErrorCode.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const PasskeyErrorCode = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  PasskeyErrorCode as default
};
