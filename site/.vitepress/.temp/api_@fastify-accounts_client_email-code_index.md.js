import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"email-code","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/email-code/index.md","filePath":"site/api/@fastify-accounts/client/email-code/index.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/email-code/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / email-code</p><h1 id="email-code" tabindex="-1">email-code <a class="header-anchor" href="#email-code" aria-label="Permalink to &quot;email-code&quot;">​</a></h1><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/email-code/interfaces/EmailCodeClient">EmailCodeClient</a></li></ul><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/email-code/functions/createEmailCodeClient">createEmailCodeClient</a></li></ul><h2 id="references" tabindex="-1">References <a class="header-anchor" href="#references" aria-label="Permalink to &quot;References&quot;">​</a></h2><h3 id="detail" tabindex="-1">Detail <a class="header-anchor" href="#detail" aria-label="Permalink to &quot;Detail&quot;">​</a></h3><p>Re-exports <a href="/api/@fastify-accounts/client/client/interfaces/Detail">Detail</a></p><hr><h3 id="link" tabindex="-1">Link <a class="header-anchor" href="#link" aria-label="Permalink to &quot;Link&quot;">​</a></h3><p>Re-exports <a href="/api/@fastify-accounts/client/client/interfaces/Link">Link</a></p><hr><h3 id="newowner" tabindex="-1">NewOwner <a class="header-anchor" href="#newowner" aria-label="Permalink to &quot;NewOwner&quot;">​</a></h3><p>Re-exports <a href="/api/@fastify-accounts/client/client/interfaces/NewOwner">NewOwner</a></p><hr><h3 id="newpassword" tabindex="-1">NewPassword <a class="header-anchor" href="#newpassword" aria-label="Permalink to &quot;NewPassword&quot;">​</a></h3><p>Re-exports <a href="/api/@fastify-accounts/client/client/interfaces/NewPassword">NewPassword</a></p><hr><h3 id="ownuser" tabindex="-1">OwnUser <a class="header-anchor" href="#ownuser" aria-label="Permalink to &quot;OwnUser&quot;">​</a></h3><p>Re-exports <a href="/api/@fastify-accounts/client/client/type-aliases/OwnUser">OwnUser</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/email-code/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
