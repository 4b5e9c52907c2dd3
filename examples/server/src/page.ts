import type { FastifyReply } from 'fastify'
import type { AccountUser } from 'fastify-accounts'
import { type Html, html } from './html.js'

/** What the app is called: on its pages, on the pages of the library, and in mails. */
export const appName = 'Example App'

/** Scripts, styles and pictures are files of this server, and nobody frames a page. */
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
  /** Who is logged in; the links of the header depend on it. Default: nobody. */
  user?: AccountUser | null
  /** The script of the page: a file of the folder web, without its ending. Default: none. */
  script?: string
  /** How much room the page takes: a form, text and forms, or the window. Default: `text`. */
  width?: 'form' | 'text' | 'full'
  /** Where the root of the app is, without a slash at its end: a URL, or from this page. Default: `.`. */
  base?: string
  /** Which links the header has. */
  links: readonly Link[]
}

export interface Link {
  /** From the root of the app. */
  href: string
  label: string
  current?: boolean
}

/** Answers with a page. No cache keeps it: whoever goes back after a logout sees nothing of the account. */
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
