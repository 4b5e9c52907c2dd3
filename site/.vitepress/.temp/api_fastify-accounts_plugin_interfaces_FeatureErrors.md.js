import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: FeatureErrors","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/FeatureErrors.md","filePath":"site/api/fastify-accounts/plugin/interfaces/FeatureErrors.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/FeatureErrors.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / FeatureErrors</p><h1 id="interface-featureerrors" tabindex="-1">Interface: FeatureErrors <a class="header-anchor" href="#interface-featureerrors" aria-label="Permalink to &quot;Interface: FeatureErrors&quot;">​</a></h1><p>The error codes of features, as <code>{ INVITATION_GONE: true }</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/FeatureErrors.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const FeatureErrors = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  FeatureErrors as default
};
