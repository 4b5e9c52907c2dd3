import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"examples/server/Dockerfile","description":"","frontmatter":{},"headers":[],"params":{"file":"examples-server-Dockerfile"},"relativePath":"source/examples-server-Dockerfile.md","filePath":"site/source/[file].md"}');
const _sfc_main = { name: "source/examples-server-Dockerfile.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="examplesserverdockerfile" tabindex="-1">examples/server/Dockerfile <a class="header-anchor" href="#examplesserverdockerfile" aria-label="Permalink to &quot;examples/server/Dockerfile&quot;">​</a></h1><div class="language- vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span># Built from the root of the project: docker build -f examples/server/Dockerfile .</span></span>
<span class="line"><span>FROM node:24-slim AS build</span></span>
<span class="line"><span>WORKDIR /workspace</span></span>
<span class="line"><span>COPY . .</span></span>
<span class="line"><span>RUN node scripts/setup.mjs example</span></span>
<span class="line"><span># The server with its runtime dependencies, without the build dependencies.</span></span>
<span class="line"><span>RUN npx --yes &quot;$(node -p &#39;require(&quot;./package.json&quot;).packageManager&#39;)&quot; \\</span></span>
<span class="line"><span>  --filter @fastify-accounts/example-server deploy --prod --legacy /service</span></span>
<span class="line"><span></span></span>
<span class="line"><span>FROM node:24-slim</span></span>
<span class="line"><span>ENV NODE_ENV=production</span></span>
<span class="line"><span>WORKDIR /service</span></span>
<span class="line"><span>COPY --from=build /service/package.json ./</span></span>
<span class="line"><span>COPY --from=build /service/node_modules node_modules</span></span>
<span class="line"><span>COPY --from=build /service/dist dist</span></span>
<span class="line"><span>COPY --from=build /service/web web</span></span>
<span class="line"><span>USER node</span></span>
<span class="line"><span>EXPOSE 3000</span></span>
<span class="line"><span>CMD [&quot;node&quot;, &quot;dist/main.js&quot;]</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/source/examples-server-Dockerfile.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const examplesServerDockerfile = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  examplesServerDockerfile as default
};
