import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"API reference","description":"","frontmatter":{},"headers":[],"relativePath":"api/index.md","filePath":"site/api/index.md"}');
const _sfc_main = { name: "api/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="api-reference" tabindex="-1">API reference <a class="header-anchor" href="#api-reference" aria-label="Permalink to &quot;API reference&quot;">​</a></h1><h2 id="packages" tabindex="-1">Packages <a class="header-anchor" href="#packages" aria-label="Permalink to &quot;Packages&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/client/">@fastify-accounts/client</a></li><li><a href="/api/@fastify-accounts/hashes/">@fastify-accounts/hashes</a></li><li><a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a></li><li><a href="/api/@fastify-accounts/nodemailer/">@fastify-accounts/nodemailer</a></li><li><a href="/api/@fastify-accounts/passkeys/">@fastify-accounts/passkeys</a></li><li><a href="/api/@fastify-accounts/providers/">@fastify-accounts/providers</a></li><li><a href="/api/@fastify-accounts/redis/">@fastify-accounts/redis</a></li><li><a href="/api/@fastify-accounts/table-stores/">@fastify-accounts/table-stores</a></li><li><a href="/api/@fastify-accounts/testing/">@fastify-accounts/testing</a></li><li><a href="/api/fastify-accounts/">fastify-accounts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
