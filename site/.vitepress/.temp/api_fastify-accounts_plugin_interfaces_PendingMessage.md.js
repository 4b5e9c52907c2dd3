import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: PendingMessage","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/PendingMessage.md","filePath":"site/api/fastify-accounts/plugin/interfaces/PendingMessage.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/PendingMessage.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / PendingMessage</p><h1 id="interface-pendingmessage" tabindex="-1">Interface: PendingMessage <a class="header-anchor" href="#interface-pendingmessage" aria-label="Permalink to &quot;Interface: PendingMessage&quot;">​</a></h1><p>A message that waits, as plain JSON. An outbox stores all its properties as given, and reads these two. It contains no secret.</p><h2 id="extended-by" tabindex="-1">Extended by <a class="header-anchor" href="#extended-by" aria-label="Permalink to &quot;Extended by&quot;">​</a></h2><ul><li><a href="/api/fastify-accounts/plugin/interfaces/PendingMail"><code>PendingMail</code></a></li></ul><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="realm" tabindex="-1">realm <a class="header-anchor" href="#realm" aria-label="Permalink to &quot;realm&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">realm</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string;</span></span></code></pre></div><p>Whose it is; for emails, the mount of the plugin that sends them: its <code>decorateAs.instance</code>, and with <code>:mails</code> after it for those of the option <code>mails</code>.</p><hr><h3 id="userid" tabindex="-1">userId <a class="header-anchor" href="#userid" aria-label="Permalink to &quot;userId&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">userId</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string </span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">|</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> null</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>The user it is about, or was stored with; <code>null</code> if neither.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/PendingMessage.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const PendingMessage = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  PendingMessage as default
};
