import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Interface: FilledKeys","description":"","frontmatter":{},"headers":[],"relativePath":"api/@fastify-accounts/kysely/interfaces/FilledKeys.md","filePath":"site/api/@fastify-accounts/kysely/interfaces/FilledKeys.md"}');
const _sfc_main = { name: "api/@fastify-accounts/kysely/interfaces/FilledKeys.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><p><a href="/api/">API reference</a> / <a href="/api/@fastify-accounts/kysely/">@fastify-accounts/kysely</a> / FilledKeys</p><h1 id="interface-filledkeys" tabindex="-1">Interface: FilledKeys <a class="header-anchor" href="#interface-filledkeys" aria-label="Permalink to &quot;Interface: FilledKeys&quot;">​</a></h1><p>What <code>fillKeys</code> has done.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="filled" tabindex="-1">filled <a class="header-anchor" href="#filled" aria-label="Permalink to &quot;filled&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">filled</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: number;</span></span></code></pre></div><p>Users who have their keys now.</p><hr><h3 id="left" tabindex="-1">left <a class="header-anchor" href="#left" aria-label="Permalink to &quot;left&quot;">​</a></h3><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">left</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">: string[];</span></span></code></pre></div><p>The ids of users without, because somebody else has their name or address, or it is none.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/api/@fastify-accounts/kysely/interfaces/FilledKeys.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const FilledKeys = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  FilledKeys as default
};
