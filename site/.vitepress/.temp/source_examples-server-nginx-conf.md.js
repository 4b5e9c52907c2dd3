import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/server/nginx.conf","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-server-nginx-conf"},"relativePath":"source/examples-server-nginx-conf.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-server-nginx-conf.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesservernginxconf" tabindex="-1">examples/server/nginx.conf <a class="header-anchor" href="#examplesservernginxconf" aria-label="Permalink to &quot;examples/server/nginx.conf&quot;">​</a></h1><div class="language-conf vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">conf</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span># For nginx in front of two processes, as /etc/nginx/conf.d/accounts.conf. Replace the names, the addresses and the</span></span>
<span class="line"><span># certificate. If a process doesn&#39;t respond, nginx asks the other one. It must not count failures (max_fails=0): clients</span></span>
<span class="line"><span># can cause them, and could so take both processes out of use.</span></span>
<span class="line"><span></span></span>
<span class="line"><span>upstream accounts {</span></span>
<span class="line"><span>	server accounts-1:3000 max_fails=0;</span></span>
<span class="line"><span>	server accounts-2:3000 max_fails=0;</span></span>
<span class="line"><span>	keepalive 16;</span></span>
<span class="line"><span>}</span></span>
<span class="line"><span></span></span>
<span class="line"><span># By client, which is an IPv6 network or an address.</span></span>
<span class="line"><span>map $remote_addr $accounts_client {</span></span>
<span class="line"><span>	&quot;~^(([0-9a-f]+:){1,4})&quot; $1;</span></span>
<span class="line"><span>	default $remote_addr;</span></span>
<span class="line"><span>}</span></span>
<span class="line"><span>limit_conn_zone $accounts_client zone=accounts_clients:10m;</span></span>
<span class="line"><span></span></span>
<span class="line"><span># Links contain tokens, so neither paths nor referrers are logged.</span></span>
<span class="line"><span>log_format accounts &#39;$remote_addr [$time_iso8601] $request_method $status $body_bytes_sent $request_time&#39;;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>server {</span></span>
<span class="line"><span>	listen 80;</span></span>
<span class="line"><span>	server_name accounts.example.org;</span></span>
<span class="line"><span>	access_log off;</span></span>
<span class="line"><span>	return 308 https://accounts.example.org$request_uri;</span></span>
<span class="line"><span>}</span></span>
<span class="line"><span></span></span>
<span class="line"><span>server {</span></span>
<span class="line"><span>	listen 443 ssl;</span></span>
<span class="line"><span>	server_name accounts.example.org;</span></span>
<span class="line"><span>	ssl_certificate /etc/nginx/certificates/accounts.pem;</span></span>
<span class="line"><span>	ssl_certificate_key /etc/nginx/certificates/accounts.key;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>	access_log /var/log/nginx/accounts.log accounts;</span></span>
<span class="line"><span>	# Below this level, nginx logs the path of each failed request.</span></span>
<span class="line"><span>	error_log /var/log/nginx/accounts-error.log crit;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>	# Requests of one client at a time; the others get a 429.</span></span>
<span class="line"><span>	limit_conn accounts_clients 64;</span></span>
<span class="line"><span>	limit_conn_status 429;</span></span>
<span class="line"><span>	# The library accepts bodies of up to 16 KiB. nginx rejects larger ones itself.</span></span>
<span class="line"><span>	client_max_body_size 32k;</span></span>
<span class="line"><span>	# Node.js accepts headers of 16 KiB in all, with those added below.</span></span>
<span class="line"><span>	large_client_header_buffers 2 7k;</span></span>
<span class="line"><span>	# For slow clients; the body&#39;s is between two reads.</span></span>
<span class="line"><span>	client_header_timeout 10s;</span></span>
<span class="line"><span>	client_body_timeout 10s;</span></span>
<span class="line"><span></span></span>
<span class="line"><span>	location / {</span></span>
<span class="line"><span>		proxy_pass http://accounts;</span></span>
<span class="line"><span>		proxy_http_version 1.1;</span></span>
<span class="line"><span>		proxy_set_header Connection &quot;&quot;;</span></span>
<span class="line"><span>		proxy_set_header Host $host;</span></span>
<span class="line"><span>		# Set TRUST_PROXY to the address of this nginx. The client&#39;s own header is dropped.</span></span>
<span class="line"><span>		proxy_set_header X-Forwarded-For $remote_addr;</span></span>
<span class="line"><span>		proxy_set_header X-Forwarded-Proto $scheme;</span></span>
<span class="line"><span>		# Response heads stay below 6 KiB.</span></span>
<span class="line"><span>		proxy_buffer_size 8k;</span></span>
<span class="line"><span>		# A process that doesn&#39;t accept connections.</span></span>
<span class="line"><span>		proxy_connect_timeout 2s;</span></span>
<span class="line"><span>		# Logins may queue; the service itself responds with 503 before this.</span></span>
<span class="line"><span>		proxy_read_timeout 30s;</span></span>
<span class="line"><span>	}</span></span>
<span class="line"><span></span></span>
<span class="line"><span>	add_header Strict-Transport-Security &quot;max-age=31536000&quot; always;</span></span>
<span class="line"><span>}</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-server-nginx-conf.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesServerNginxConf = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesServerNginxConf as default
};
