import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: AccountsEvents","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/AccountsEvents.md","filePath":"site/api/fastify-accounts/plugin/interfaces/AccountsEvents.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/AccountsEvents.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / AccountsEvents</p><h1 id="interface-accountsevents" tabindex="-1">Interface: AccountsEvents <a class="header-anchor" href="#interface-accountsevents" aria-label="Permalink to &quot;Interface: AccountsEvents&quot;">​</a></h1><p>Events for your app to listen to.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="audit" tabindex="-1">audit <a class="header-anchor" href="#audit" aria-label="Permalink to &quot;audit&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">audit</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: [event: AuditEvent];</span></span></code></pre></div><p>A request to one of the plugin&#39;s routes got its response, or your code has called <code>app.accounts</code>.</p><hr><h3 id="mail-failed" tabindex="-1">mail-failed <a class="header-anchor" href="#mail-failed" aria-label="Permalink to &quot;mail-failed&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;">&quot;mail-failed&quot;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: [failure: MailFailure];</span></span></code></pre></div><p>An email was abandoned after all attempts.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/AccountsEvents.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const AccountsEvents = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  AccountsEvents as default
};
