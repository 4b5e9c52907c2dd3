import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"@fastify-accounts/providers","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/providers/index.md","filePath":"site/api/@fastify-accounts/providers/index.md"}');
const _sfc_main = { name: "api/@fastify-accounts/providers/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / @fastify-accounts/providers</p><h1 id="fastify-accountsproviders" tabindex="-1">@fastify-accounts/providers <a class="header-anchor" href="#fastify-accountsproviders" aria-label="Permalink to &quot;@fastify-accounts/providers&quot;">​</a></h1><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/providers/interfaces/AppleOptions">AppleOptions</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/MicrosoftOptions">MicrosoftOptions</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/PresetOptions">PresetOptions</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/Profile">Profile</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/Provider">Provider</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/ProviderResponse">ProviderResponse</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/ProvidersFeature">ProvidersFeature</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/ProvidersOptions">ProvidersOptions</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/ProviderTokens">ProviderTokens</a></li><li><a href="/api/@fastify-accounts/providers/interfaces/SecretPresetOptions">SecretPresetOptions</a></li></ul><h2 id="type-aliases" tabindex="-1">Type Aliases <a class="header-anchor" href="#type-aliases" aria-label="Permalink to &quot;Type Aliases&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/providers/type-aliases/Claims">Claims</a></li></ul><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/providers/functions/apple">apple</a></li><li><a href="/api/@fastify-accounts/providers/functions/github">github</a></li><li><a href="/api/@fastify-accounts/providers/functions/google">google</a></li><li><a href="/api/@fastify-accounts/providers/functions/linkedin">linkedin</a></li><li><a href="/api/@fastify-accounts/providers/functions/microsoft">microsoft</a></li><li><a href="/api/@fastify-accounts/providers/functions/providers">providers</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/providers/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
