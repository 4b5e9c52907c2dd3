import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Function: pbkdf2()","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/hashes/functions/pbkdf2.md","filePath":"site/api/@fastify-accounts/hashes/functions/pbkdf2.md"}');
const _sfc_main = { name: "api/@fastify-accounts/hashes/functions/pbkdf2.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/hashes/">@fastify-accounts/hashes</a> / pbkdf2</p><h1 id="function-pbkdf2" tabindex="-1">Function: pbkdf2() <a class="header-anchor" href="#function-pbkdf2" aria-label="Permalink to &quot;Function: pbkdf2()&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">function</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> pbkdf2</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(</span><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">cost</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">)</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">:</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;"> ForeignHashes</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">;</span></span></code></pre></div><p>PBKDF2 in PHC format: <code>$pbkdf2-sha256$i=310000$&lt;salt&gt;$&lt;hash&gt;</code>, salt and hash in base64 without padding. If a system keeps hash and salt in separate columns, the import writes them like this. Each digest is a separate kind, since an iteration of one takes three times as long as that of another.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th><th>Description</th></tr></thead><tbody><tr><td><code>cost?</code></td><td><a href="/api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost"><code>Pbkdf2Cost</code></a> &amp; <code>object</code></td><td><code>iterations</code>: 310,000 by default; <code>digest</code>: <code>sha256</code> by default, or <code>sha1</code> or <code>sha512</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="/api/@fastify-accounts/hashes/interfaces/ForeignHashes"><code>ForeignHashes</code></a></p><h2 id="throws" tabindex="-1">Throws <a class="header-anchor" href="#throws" aria-label="Permalink to &quot;Throws&quot;">​</a></h2><p>RangeError with one line that names the option</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/hashes/functions/pbkdf2.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const pbkdf2 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  pbkdf2 as default
};
