import type { FastifyReply } from 'fastify'
import type { AccountUser } from 'fastify-accounts'
import { type Html, html } from './html.js'

/** The app's name on its pages, the library's pages and in emails. */
export const appName = 'Example App'

/** Scripts, styles and images are this server's files; no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface PageParts {
  title: string
  main: Html
  /** The logged-in user, on whom the header's links depend. Default: none. */
  user?: AccountUser | null
  /** The page's script: a file in the folder web, without its extension. Default: none. */
  script?: string
  /** The width of the page: for a form, for text and forms, or the full window. Default: `text`. */
  width?: 'form' | 'text' | 'full'
  /** The app's root: a URL, or a path relative to this page, without a trailing slash. Default: `.`. */
  base?: string
  /** The links in the header. */
  links: readonly Link[]
}

export interface Link {
  /** Relative to the app's root. */
  href: string
  label: string
  current?: boolean
}

/** Responds with a page. It's never cached, so the back button shows no account after a logout. */
export function page(reply: FastifyReply, parts: PageParts): string {
  const { title, main, user = null, script, width = 'text', base = '.', links } = parts
  reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${appName}</title>
<link rel="icon" href="${base}/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/assets/app.css">
${script === undefined ? null : html`<script type="module" src="${base}/assets/${script}.js"></script>`}
</head>
<body class="${width}">
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${base}/"><img src="${base}/assets/icon.svg" alt="" width="28" height="28">${appName}</a>
<nav aria-label="Main">
<ul>
${links.map((link) => navLink(base, link))}
${user === null ? null : html`<li><button type="button" class="quiet" id="log-out" disabled>Log out</button></li>`}
</ul>
</nav>
</header>
<main id="main" tabindex="-1">
${script === undefined ? null : html`<noscript><p class="fault">This page needs JavaScript. <a href="${base}/start">The same routes work with curl</a>.</p></noscript>`}
${main}
</main>
</body>
</html>
`.toString()
}

function navLink(base: string, { href, label, current }: Link): Html {
  return html`<li><a href="${base}/${href}"${current ? html` aria-current="page"` : null}>${label}</a></li>`
}
