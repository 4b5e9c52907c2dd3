import type { FastifyReply } from 'fastify'

const style = `
:root { color-scheme: light dark }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.6rem }
h2 { font-size: 1.15rem; margin-bottom: .25rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace }
pre, article { border: 1px solid #8886; border-radius: .5rem; padding: .75rem 1rem }
article { margin: 1rem 0 }
article pre { border: 0; padding: 0 }
.facts { margin: 0; font-size: .9rem; opacity: .8 }
iframe { width: 100%; height: 26rem; border: 1px solid #8886; background: #fff; margin-top: .5rem }
`

/** A template whose values are escaped, in elements and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => escapeHtml(String(value))))
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Answers with a page of this server: no script, nothing from elsewhere, not kept by any cache. */
export function page(reply: FastifyReply, title: string, body: string): string {
  reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · fastify-accounts</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body>
</html>
`
}
