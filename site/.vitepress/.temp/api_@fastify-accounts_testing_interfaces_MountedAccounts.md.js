import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: MountedAccounts","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/testing/interfaces/MountedAccounts.md","filePath":"site/api/@fastify-accounts/testing/interfaces/MountedAccounts.md"}');
const _sfc_main = { name: "api/@fastify-accounts/testing/interfaces/MountedAccounts.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/testing/">@fastify-accounts/testing</a> / MountedAccounts</p><h1 id="interface-mountedaccounts" tabindex="-1">Interface: MountedAccounts <a class="header-anchor" href="#interface-mountedaccounts" aria-label="Permalink to &quot;Interface: MountedAccounts&quot;">​</a></h1><p>What <code>mountAccounts</code> has made.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="mailbox" tabindex="-1">mailbox <a class="header-anchor" href="#mailbox" aria-label="Permalink to &quot;mailbox&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">mailbox</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: Mailbox;</span></span></code></pre></div><p>Where the emails of the app arrive, unless you gave another <code>mailer</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/testing/interfaces/MountedAccounts.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const MountedAccounts = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  MountedAccounts as default
};
