import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"CODE_OF_CONDUCT.md","description":"","frontmatter":{},"headers":[],"params":{"file":"CODE-OF-CONDUCT-md"},"relativePath":"source/CODE-OF-CONDUCT-md.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/CODE-OF-CONDUCT-md.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="code_of_conductmd" tabindex="-1">CODE_OF_CONDUCT.md <a class="header-anchor" href="#code_of_conductmd" aria-label="Permalink to &quot;CODE_OF_CONDUCT.md&quot;">​</a></h1><div class="language-md vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">md</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#005CC5;--shiki-light-font-weight:bold;--shiki-dark:#79B8FF;--shiki-dark-font-weight:bold;"># Code of conduct</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">This project is for everyone who wants to use it or work on it. Wherever it is discussed (issues, pull requests, reviews), we expect people to</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">-</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> be kind, and assume that others mean well,</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">-</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> criticize code and ideas, not people,</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">-</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> accept that others know things that you don&#39;t, and the other way round,</span></span>
<span class="line"><span style="--shiki-light:#E36209;--shiki-dark:#FFAB70;">-</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> keep private what was told in private.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">Insults, harassment, unwanted advances, and remarks about who somebody is rather than what they said are not welcome, in whatever tone.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">If somebody behaves otherwise, report it to the maintainers in private: through &quot;Report a vulnerability&quot; on the Security tab, which only they can read, or through the report function of the platform. They will answer, and they may edit or remove what was written, and exclude its author, for a time or for good. What you report is not passed on without your consent.</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/CODE-OF-CONDUCT-md.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const CODEOFCONDUCTMd = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  CODEOFCONDUCTMd as default
};
