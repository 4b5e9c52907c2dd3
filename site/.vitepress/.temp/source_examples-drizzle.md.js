import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/drizzle","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-drizzle"},"relativePath":"source/examples-drizzle.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-drizzle.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesdrizzle" tabindex="-1">examples/drizzle <a class="header-anchor" href="#examplesdrizzle" aria-label="Permalink to &quot;examples/drizzle&quot;">​</a></h1><ul><li><a href="/source/examples-drizzle-drizzle-config-ts">examples/drizzle/drizzle.config.ts</a></li><li><a href="/source/examples-drizzle-mysql-database-ts">examples/drizzle/mysql/database.ts</a></li><li><a href="/source/examples-drizzle-mysql-tables-ts">examples/drizzle/mysql/tables.ts</a></li><li><a href="/source/examples-drizzle-package-json">examples/drizzle/package.json</a></li><li><a href="/source/examples-drizzle-sqlite-database-ts">examples/drizzle/sqlite/database.ts</a></li><li><a href="/source/examples-drizzle-sqlite-tables-ts">examples/drizzle/sqlite/tables.ts</a></li><li><a href="/source/examples-drizzle-src-app-ts">examples/drizzle/src/app.ts</a></li><li><a href="/source/examples-drizzle-src-database-ts">examples/drizzle/src/database.ts</a></li><li><a href="/source/examples-drizzle-src-invitation-store-ts">examples/drizzle/src/invitation-store.ts</a></li><li><a href="/source/examples-drizzle-src-outbox-ts">examples/drizzle/src/outbox.ts</a></li><li><a href="/source/examples-drizzle-src-session-store-ts">examples/drizzle/src/session-store.ts</a></li><li><a href="/source/examples-drizzle-src-tables-ts">examples/drizzle/src/tables.ts</a></li><li><a href="/source/examples-drizzle-src-user-page-ts">examples/drizzle/src/user-page.ts</a></li><li><a href="/source/examples-drizzle-src-user-store-ts">examples/drizzle/src/user-store.ts</a></li><li><a href="/source/examples-drizzle-src-where-ts">examples/drizzle/src/where.ts</a></li><li><a href="/source/examples-drizzle-src-workspaces-ts">examples/drizzle/src/workspaces.ts</a></li><li><a href="/source/examples-drizzle-test-adopted-test-ts">examples/drizzle/test/adopted.test.ts</a></li><li><a href="/source/examples-drizzle-test-app-test-ts">examples/drizzle/test/app.test.ts</a></li><li><a href="/source/examples-drizzle-test-stores-test-ts">examples/drizzle/test/stores.test.ts</a></li><li><a href="/source/examples-drizzle-test-variants-ts">examples/drizzle/test/variants.ts</a></li><li><a href="/source/examples-drizzle-tsconfig-json">examples/drizzle/tsconfig.json</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-drizzle.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesDrizzle = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesDrizzle as default
};
