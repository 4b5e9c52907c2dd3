import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"users","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/users/index.md","filePath":"site/api/@fastify-accounts/client/users/index.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/users/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / users</p><h1 id="users" tabindex="-1">users <a class="header-anchor" href="#users" aria-label="Permalink to &quot;users&quot;">​</a></h1><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/users/interfaces/UsersClient">UsersClient</a></li></ul><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/users/functions/createUsersClient">createUsersClient</a></li></ul><h2 id="references" tabindex="-1">References <a class="header-anchor" href="#references" aria-label="Permalink to &quot;References&quot;">​</a></h2><h3 id="cursorof" tabindex="-1">cursorOf <a class="header-anchor" href="#cursorof" aria-label="Permalink to &quot;cursorOf&quot;">​</a></h3><p>Re-exports <a href="/api/@fastify-accounts/client/api-keys/functions/cursorOf">cursorOf</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/users/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
