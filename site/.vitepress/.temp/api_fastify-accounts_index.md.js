import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"fastify-accounts","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/index.md","filePath":"site/api/fastify-accounts/index.md"}');
const _sfc_main = { name: "api/fastify-accounts/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / fastify-accounts</p><h1 id="fastify-accounts" tabindex="-1">fastify-accounts <a class="header-anchor" href="#fastify-accounts" aria-label="Permalink to &quot;fastify-accounts&quot;">​</a></h1><h2 id="modules" tabindex="-1">Modules <a class="header-anchor" href="#modules" aria-label="Permalink to &quot;Modules&quot;">​</a></h2><ul><li><a href="/api/fastify-accounts/features/">features</a></li><li><a href="/api/fastify-accounts/plugin/">plugin</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
