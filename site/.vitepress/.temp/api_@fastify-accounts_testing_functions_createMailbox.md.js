import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: createMailbox()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/testing/functions/createMailbox.md","filePath":"site/api/@fastify-accounts/testing/functions/createMailbox.md"}');
const _sfc_main = { name: "api/@fastify-accounts/testing/functions/createMailbox.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/testing/">@fastify-accounts/testing</a> / createMailbox</p><h1 id="function-createmailbox" tabindex="-1">Function: createMailbox() <a class="header-anchor" href="#function-createmailbox" aria-label="Permalink to &quot;Function: createMailbox()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> createMailbox</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">()</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> Mailbox</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>Makes a mailbox; pass it as <code>mailer</code>. From then on, emails of this process are sent right after the response, which they otherwise follow by half a second to two seconds.</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/@fastify-accounts/testing/interfaces/Mailbox"><code>Mailbox</code></a></p><h2 id="throws" tabindex="-1">Throws <a class="header-anchor" href="#throws" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>Error with <code>NODE_ENV=production</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/testing/functions/createMailbox.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const createMailbox = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  createMailbox as default
};
