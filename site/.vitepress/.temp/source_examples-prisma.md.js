import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/prisma","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-prisma"},"relativePath":"source/examples-prisma.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-prisma.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesprisma" tabindex="-1">examples/prisma <a class="header-anchor" href="#examplesprisma" aria-label="Permalink to &quot;examples/prisma&quot;">​</a></h1><ul><li><a href="/source/examples-prisma-package-json">examples/prisma/package.json</a></li><li><a href="/source/examples-prisma-prisma-schema-prisma">examples/prisma/prisma/schema.prisma</a></li><li><a href="/source/examples-prisma-sqlite-database-ts">examples/prisma/sqlite/database.ts</a></li><li><a href="/source/examples-prisma-src-app-ts">examples/prisma/src/app.ts</a></li><li><a href="/source/examples-prisma-src-database-ts">examples/prisma/src/database.ts</a></li><li><a href="/source/examples-prisma-src-old-api-ts">examples/prisma/src/old-api.ts</a></li><li><a href="/source/examples-prisma-src-outbox-ts">examples/prisma/src/outbox.ts</a></li><li><a href="/source/examples-prisma-src-page-ts">examples/prisma/src/page.ts</a></li><li><a href="/source/examples-prisma-src-session-store-ts">examples/prisma/src/session-store.ts</a></li><li><a href="/source/examples-prisma-src-user-store-ts">examples/prisma/src/user-store.ts</a></li><li><a href="/source/examples-prisma-test-adopted-test-ts">examples/prisma/test/adopted.test.ts</a></li><li><a href="/source/examples-prisma-test-app-test-ts">examples/prisma/test/app.test.ts</a></li><li><a href="/source/examples-prisma-test-migration-mjs">examples/prisma/test/migration.mjs</a></li><li><a href="/source/examples-prisma-test-old-api-test-ts">examples/prisma/test/old-api.test.ts</a></li><li><a href="/source/examples-prisma-test-stores-test-ts">examples/prisma/test/stores.test.ts</a></li><li><a href="/source/examples-prisma-test-variants-ts">examples/prisma/test/variants.ts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-prisma.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesPrisma = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesPrisma as default
};
