import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"@fastify-accounts/hashes","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/hashes/index.md","filePath":"site/api/@fastify-accounts/hashes/index.md"}');
const _sfc_main = { name: "api/@fastify-accounts/hashes/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / @fastify-accounts/hashes</p><h1 id="fastify-accountshashes" tabindex="-1">@fastify-accounts/hashes <a class="header-anchor" href="#fastify-accountshashes" aria-label="Permalink to &quot;@fastify-accounts/hashes&quot;">​</a></h1><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/hashes/interfaces/Argon2Cost">Argon2Cost</a></li><li><a href="/api/@fastify-accounts/hashes/interfaces/BcryptOptions">BcryptOptions</a></li><li><a href="/api/@fastify-accounts/hashes/interfaces/FirebaseProject">FirebaseProject</a></li><li><a href="/api/@fastify-accounts/hashes/interfaces/ForeignHashes">ForeignHashes</a></li><li><a href="/api/@fastify-accounts/hashes/interfaces/OpenedHash">OpenedHash</a></li><li><a href="/api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost">Pbkdf2Cost</a></li><li><a href="/api/@fastify-accounts/hashes/interfaces/ScryptCost">ScryptCost</a></li></ul><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><ul><li><a href="/api/@fastify-accounts/hashes/functions/argon2">argon2</a></li><li><a href="/api/@fastify-accounts/hashes/functions/bcrypt">bcrypt</a></li><li><a href="/api/@fastify-accounts/hashes/functions/betterAuth">betterAuth</a></li><li><a href="/api/@fastify-accounts/hashes/functions/createMigratingHasher">createMigratingHasher</a></li><li><a href="/api/@fastify-accounts/hashes/functions/djangoArgon2">djangoArgon2</a></li><li><a href="/api/@fastify-accounts/hashes/functions/djangoBcrypt">djangoBcrypt</a></li><li><a href="/api/@fastify-accounts/hashes/functions/djangoPbkdf2">djangoPbkdf2</a></li><li><a href="/api/@fastify-accounts/hashes/functions/djangoScrypt">djangoScrypt</a></li><li><a href="/api/@fastify-accounts/hashes/functions/firebase">firebase</a></li><li><a href="/api/@fastify-accounts/hashes/functions/lucia">lucia</a></li><li><a href="/api/@fastify-accounts/hashes/functions/pbkdf2">pbkdf2</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/hashes/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
