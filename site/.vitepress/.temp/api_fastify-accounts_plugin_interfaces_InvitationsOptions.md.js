import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: InvitationsOptions","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/InvitationsOptions.md","filePath":"site/api/fastify-accounts/plugin/interfaces/InvitationsOptions.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/InvitationsOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / InvitationsOptions</p><h1 id="interface-invitationsoptions" tabindex="-1">Interface: InvitationsOptions <a class="header-anchor" href="#interface-invitationsoptions" aria-label="Permalink to &quot;Interface: InvitationsOptions&quot;">​</a></h1><p>Options of <code>invitations()</code>.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="lifetime" tabindex="-1">lifetime? <a class="header-anchor" href="#lifetime" aria-label="Permalink to &quot;lifetime?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">lifetime</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> number;</span></span></code></pre></div><p>How long an invitation can be accepted, in milliseconds, whole seconds: 1 hour to 30 days. Default 7 days.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/InvitationsOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const InvitationsOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  InvitationsOptions as default
};
