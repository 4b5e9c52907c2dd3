import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/server/Caddyfile","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-server-Caddyfile"},"relativePath":"source/examples-server-Caddyfile.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-server-Caddyfile.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesservercaddyfile" tabindex="-1">examples/server/Caddyfile <a class="header-anchor" href="#examplesservercaddyfile" aria-label="Permalink to &quot;examples/server/Caddyfile&quot;">​</a></h1><div class="language- vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>{</span></span>
<span class="line"><span>	admin off</span></span>
<span class="line"><span>	servers {</span></span>
<span class="line"><span>		# Node.js accepts headers of 16 KiB in all, with those that Caddy adds. Caddy adds 4 KiB to this limit.</span></span>
<span class="line"><span>		max_header_size 10KiB</span></span>
<span class="line"><span>		timeouts {</span></span>
<span class="line"><span>			read_header 10s</span></span>
<span class="line"><span>		}</span></span>
<span class="line"><span>	}</span></span>
<span class="line"><span>	log {</span></span>
<span class="line"><span>		# Links contain tokens, so paths aren&#39;t logged.</span></span>
<span class="line"><span>		format filter {</span></span>
<span class="line"><span>			wrap json</span></span>
<span class="line"><span>			fields {</span></span>
<span class="line"><span>				request&gt;uri delete</span></span>
<span class="line"><span>			}</span></span>
<span class="line"><span>		}</span></span>
<span class="line"><span>	}</span></span>
<span class="line"><span>}</span></span>
<span class="line"><span></span></span>
<span class="line"><span># With https://, Caddy gets a certificate for the name and redirects http:// there.</span></span>
<span class="line"><span>{$BASE_URL} {</span></span>
<span class="line"><span>	reverse_proxy accounts-1:3000 accounts-2:3000 {</span></span>
<span class="line"><span>		lb_policy round_robin</span></span>
<span class="line"><span>		# If one process is down, requests go to the other. Caddy must find out by itself (no fail_duration): clients can</span></span>
<span class="line"><span>		# cause failures, and could so take both processes out of use.</span></span>
<span class="line"><span>		lb_try_duration 5s</span></span>
<span class="line"><span>		health_uri /healthz</span></span>
<span class="line"><span>		health_interval 2s</span></span>
<span class="line"><span>		health_timeout 3s</span></span>
<span class="line"><span>		# Requests for each process at a time; others get a 503 after lb_try_duration. Caddy can&#39;t count by client, but a</span></span>
<span class="line"><span>		# firewall can. Without max_fails, Caddy 2.6 uses no process; without fail_duration, it counts no failure.</span></span>
<span class="line"><span>		unhealthy_request_count 10000</span></span>
<span class="line"><span>		max_fails 1</span></span>
<span class="line"><span>	}</span></span>
<span class="line"><span>}</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-server-Caddyfile.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesServerCaddyfile = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesServerCaddyfile as default
};
