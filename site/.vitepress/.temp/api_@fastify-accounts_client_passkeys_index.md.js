import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"passkeys","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/passkeys/index.md","filePath":"site/api/@fastify-accounts/client/passkeys/index.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/passkeys/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / passkeys</p><h1 id="passkeys" tabindex="-1">passkeys <a class="header-anchor" href="#passkeys" aria-label="Permalink to &quot;passkeys&quot;">​</a></h1><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/passkeys/interfaces/Passkey">Passkey</a></li><li><a href="/api/@fastify-accounts/client/passkeys/interfaces/PasskeysClient">PasskeysClient</a></li></ul><h2 id="type-aliases" tabindex="-1">Type Aliases <a class="header-anchor" href="#type-aliases" aria-label="Permalink to &quot;Type Aliases&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/passkeys/type-aliases/NewPasskeyUser">NewPasskeyUser</a></li></ul><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/passkeys/functions/createPasskeysClient">createPasskeysClient</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/passkeys/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
