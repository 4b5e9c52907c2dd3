import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"api-keys","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/api-keys/index.md","filePath":"site/api/@fastify-accounts/client/api-keys/index.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/api-keys/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / api-keys</p><h1 id="api-keys" tabindex="-1">api-keys <a class="header-anchor" href="#api-keys" aria-label="Permalink to &quot;api-keys&quot;">​</a></h1><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/ApiKey">ApiKey</a></li><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/ApiKeyList">ApiKeyList</a></li><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/ApiKeyRequest">ApiKeyRequest</a></li><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/ApiKeysClient">ApiKeysClient</a></li><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/NewApiKey">NewApiKey</a></li><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/Service">Service</a></li><li><a href="/api/@fastify-accounts/client/api-keys/interfaces/ServiceList">ServiceList</a></li></ul><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/api-keys/functions/createApiKeysClient">createApiKeysClient</a></li><li><a href="/api/@fastify-accounts/client/api-keys/functions/cursorOf">cursorOf</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/api-keys/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
