import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/server/web","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-server-web"},"relativePath":"source/examples-server-web.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-server-web.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesserverweb" tabindex="-1">examples/server/web <a class="header-anchor" href="#examplesserverweb" aria-label="Permalink to &quot;examples/server/web&quot;">​</a></h1><ul><li><a href="/source/examples-server-web-account-ts">examples/server/web/account.ts</a></li><li><a href="/source/examples-server-web-api-keys-ts">examples/server/web/api-keys.ts</a></li><li><a href="/source/examples-server-web-app-css">examples/server/web/app.css</a></li><li><a href="/source/examples-server-web-client-ts">examples/server/web/client.ts</a></li><li><a href="/source/examples-server-web-dialogs-ts">examples/server/web/dialogs.ts</a></li><li><a href="/source/examples-server-web-elements-ts">examples/server/web/elements.ts</a></li><li><a href="/source/examples-server-web-entrance-ts">examples/server/web/entrance.ts</a></li><li><a href="/source/examples-server-web-forms-ts">examples/server/web/forms.ts</a></li><li><a href="/source/examples-server-web-icon-svg">examples/server/web/icon.svg</a></li><li><a href="/source/examples-server-web-identities-ts">examples/server/web/identities.ts</a></li><li><a href="/source/examples-server-web-invite-ts">examples/server/web/invite.ts</a></li><li><a href="/source/examples-server-web-log-in-ts">examples/server/web/log-in.ts</a></li><li><a href="/source/examples-server-web-logged-in-ts">examples/server/web/logged-in.ts</a></li><li><a href="/source/examples-server-web-mailbox-ts">examples/server/web/mailbox.ts</a></li><li><a href="/source/examples-server-web-offer-passkeys-ts">examples/server/web/offer-passkeys.ts</a></li><li><a href="/source/examples-server-web-open-invitation-ts">examples/server/web/open-invitation.ts</a></li><li><a href="/source/examples-server-web-passkeys-ts">examples/server/web/passkeys.ts</a></li><li><a href="/source/examples-server-web-roles-ts">examples/server/web/roles.ts</a></li><li><a href="/source/examples-server-web-second-factor-ts">examples/server/web/second-factor.ts</a></li><li><a href="/source/examples-server-web-second-step-ts">examples/server/web/second-step.ts</a></li><li><a href="/source/examples-server-web-tsconfig-json">examples/server/web/tsconfig.json</a></li><li><a href="/source/examples-server-web-users-ts">examples/server/web/users.ts</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-server-web.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesServerWeb = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesServerWeb as default
};
