import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/drizzle-store","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-drizzle-store"},"relativePath":"source/examples-drizzle-store.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-drizzle-store.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesdrizzle-store" tabindex="-1">examples/drizzle-store <a class="header-anchor" href="#examplesdrizzle-store" aria-label="Permalink to &quot;examples/drizzle-store&quot;">​</a></h1><ul><li><a href="/source/examples-drizzle-store-package-json">examples/drizzle-store/package.json</a></li><li><a href="/source/examples-drizzle-store-sql-accounts-sql">examples/drizzle-store/sql/accounts.sql</a></li><li><a href="/source/examples-drizzle-store-sql-customers-sql">examples/drizzle-store/sql/customers.sql</a></li><li><a href="/source/examples-drizzle-store-src-app-ts">examples/drizzle-store/src/app.ts</a></li><li><a href="/source/examples-drizzle-store-src-back-fill-ts">examples/drizzle-store/src/back-fill.ts</a></li><li><a href="/source/examples-drizzle-store-src-customer-fields-ts">examples/drizzle-store/src/customer-fields.ts</a></li><li><a href="/source/examples-drizzle-store-src-customers-ts">examples/drizzle-store/src/customers.ts</a></li><li><a href="/source/examples-drizzle-store-src-drizzle-user-store-ts">examples/drizzle-store/src/drizzle-user-store.ts</a></li><li><a href="/source/examples-drizzle-store-src-run-back-fill-ts">examples/drizzle-store/src/run-back-fill.ts</a></li><li><a href="/source/examples-drizzle-store-test-customers-ts">examples/drizzle-store/test/customers.ts</a></li><li><a href="/source/examples-drizzle-store-test-drizzle-user-store-test-ts">examples/drizzle-store/test/drizzle-user-store.test.ts</a></li><li><a href="/source/examples-drizzle-store-test-move-in-test-ts">examples/drizzle-store/test/move-in.test.ts</a></li><li><a href="/source/examples-drizzle-store-tsconfig-json">examples/drizzle-store/tsconfig.json</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-drizzle-store.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesDrizzleStore = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesDrizzleStore as default
};
