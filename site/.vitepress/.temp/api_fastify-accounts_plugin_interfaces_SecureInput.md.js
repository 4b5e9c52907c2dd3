import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: SecureInput","description":"","frontmatter":{},"headers":[],"relativePath":"api/fastify-accounts/plugin/interfaces/SecureInput.md","filePath":"site/api/fastify-accounts/plugin/interfaces/SecureInput.md"}');
const _sfc_main = { name: "api/fastify-accounts/plugin/interfaces/SecureInput.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/fastify-accounts/">fastify-accounts</a> / <a href="/api/fastify-accounts/plugin/">plugin</a> / SecureInput</p><h1 id="interface-secureinput" tabindex="-1">Interface: SecureInput <a class="header-anchor" href="#interface-secureinput" aria-label="Permalink to &quot;Interface: SecureInput&quot;">​</a></h1><p>What a thief may have done.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="since" tabindex="-1">since? <a class="header-anchor" href="#since" aria-label="Permalink to &quot;since?&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">since</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">?:</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> Date;</span></span></code></pre></div><p>From when on what the account has invited is withdrawn. Default: <code>links.undoLifetime</code> plus two days ago.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/fastify-accounts/plugin/interfaces/SecureInput.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const SecureInput = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  SecureInput as default
};
