import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/server/web/icon.svg","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-server-web-icon-svg"},"relativePath":"source/examples-server-web-icon-svg.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-server-web-icon-svg.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesserverwebiconsvg" tabindex="-1">examples/server/web/icon.svg <a class="header-anchor" href="#examplesserverwebiconsvg" aria-label="Permalink to &quot;examples/server/web/icon.svg&quot;">​</a></h1><div class="language-svg vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">svg</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>&lt;svg xmlns=&quot;http://www.w3.org/2000/svg&quot; viewBox=&quot;0 0 32 32&quot;&gt;&lt;title&gt;Example App&lt;/title&gt;&lt;rect width=&quot;32&quot; height=&quot;32&quot; rx=&quot;8&quot; fill=&quot;#1d4ed8&quot;/&gt;&lt;circle cx=&quot;16&quot; cy=&quot;12.5&quot; r=&quot;4.5&quot; fill=&quot;#fff&quot;/&gt;&lt;path d=&quot;M7.5 25a8.5 7 0 0 1 17 0z&quot; fill=&quot;#fff&quot;/&gt;&lt;/svg&gt;</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-server-web-icon-svg.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesServerWebIconSvg = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesServerWebIconSvg as default
};
