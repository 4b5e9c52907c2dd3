import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: bcrypt()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/hashes/functions/bcrypt.md","filePath":"site/api/@fastify-accounts/hashes/functions/bcrypt.md"}');
const _sfc_main = { name: "api/@fastify-accounts/hashes/functions/bcrypt.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/hashes/">@fastify-accounts/hashes</a> / bcrypt</p><h1 id="function-bcrypt" tabindex="-1">Function: bcrypt() <a class="header-anchor" href="#function-bcrypt" aria-label="Permalink to &quot;Function: bcrypt()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> bcrypt</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">__namedParameters</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> ForeignHashes</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>bcrypt: <code>$2a$</code>, <code>$2b$</code> and <code>$2y$</code>, as created by bcrypt, bcryptjs, Devise, PHP and others. Only the first 72 bytes of a password count, including the pepper. Needs the package @node-rs/bcrypt.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>__namedParameters?</code></td><td><a href="/api/@fastify-accounts/hashes/interfaces/BcryptOptions"><code>BcryptOptions</code></a></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/@fastify-accounts/hashes/interfaces/ForeignHashes"><code>ForeignHashes</code></a></p><h2 id="throws" tabindex="-1">Throws <a class="header-anchor" href="#throws" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>RangeError with one line that names the option</p><h2 id="throws-1" tabindex="-1">Throws <a class="header-anchor" href="#throws-1" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>Error with one line if the package is not installed</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/hashes/functions/bcrypt.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const bcrypt = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  bcrypt as default
};
