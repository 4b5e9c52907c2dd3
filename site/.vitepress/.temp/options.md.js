import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Options","description":"","frontmatter":{},"headers":[],"relativePath":"options.md","filePath":"docs/options.md"}');
const _sfc_main = { name: "options.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="options" tabindex="-1">Options <a class="header-anchor" href="#options" aria-label="Permalink to &quot;Options&quot;">​</a></h1><div class="language-ts vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">await</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> app.</span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">register</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">(accounts, { secret, baseUrl: </span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;">&#39;https://example.org&#39;</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">, users: </span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">true</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> })</span></span></code></pre></div><p>Only <code>secret</code> and <code>baseUrl</code> are required. With an unknown option or an invalid value, startup fails with one line that names the option. The object you pass isn&#39;t modified.</p><table tabindex="0"><thead><tr><th>Group</th><th>Content</th></tr></thead><tbody><tr><td><a href="/options/service">Secret, URL and mounting</a></td><td>secret, URL, prefixes, decorator names, audit log</td></tr><tr><td><a href="/options/routes">Routes and signup</a></td><td>route groups and variants, custom fields, email confirmation</td></tr><tr><td><a href="/options/adapters">Adapters</a></td><td>storage of users, sessions and counters, email delivery, password hashing</td></tr><tr><td><a href="/options/rules">Authorization, passwords and sessions</a></td><td>authorization, passwords, lifetimes of sessions and links, other origins</td></tr><tr><td><a href="/options/mails">Emails</a></td><td>replacing individual emails with your own functions, and adding your own emails</td></tr><tr><td><a href="/options/brand">Brand and languages</a></td><td>name, logo, color; languages</td></tr><tr><td><a href="/options/limits">Rate limits</a></td><td>attempts and emails, by client, account, user and address</td></tr></tbody></table><p>Fastify&#39;s own <code>register</code> option <code>logLevel</code> works as usual.</p><p>Times are in milliseconds. Lengths of strings are in code points. URLs start with <code>https://</code> or <code>http://</code> and a host that a browser can open: no wildcards, credentials, underscores or trailing dots. Where a page of the site is meant, a path starts with <code>/</code>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/options.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const options = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  options as default
};
