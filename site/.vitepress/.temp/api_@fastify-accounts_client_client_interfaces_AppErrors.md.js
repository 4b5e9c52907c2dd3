import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: AppErrors","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/client/client/interfaces/AppErrors.md","filePath":"site/api/@fastify-accounts/client/client/interfaces/AppErrors.md"}');
const _sfc_main = { name: "api/@fastify-accounts/client/client/interfaces/AppErrors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a> / <a href="/api/@fastify-accounts/client/client/">client</a> / AppErrors</p><h1 id="interface-apperrors" tabindex="-1">Interface: AppErrors <a class="header-anchor" href="#interface-apperrors" aria-label="Permalink to &quot;Interface: AppErrors&quot;">​</a></h1><p>The codes with which the rules of your app refuse, for you to declare: <code>declare module &#39;@fastify-accounts/client&#39; { interface AppErrors { MYAPP_CLOSED: true } }</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/client/client/interfaces/AppErrors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const AppErrors = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  AppErrors as default
};
