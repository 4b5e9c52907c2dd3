import type { LayoutParts } from '@fastify-accounts/pages'
import type { FastifyReply } from 'fastify'
import type { Settings } from './config.js'
import { type Html, html } from './html.js'

/** The app's name on all pages and in emails. */
export const appName = 'Example App'

/** Scripts, styles and images of the app's own pages are this server's files; no framing. */
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

/** A page of the app itself. */
export interface PageParts {
  title: string
  main: Html
  /** Whether somebody is logged in. Default: the page doesn't know, and links to neither. */
  isLoggedIn?: boolean
  /** More links in the header. Default: none. */
  links?: readonly Link[]
  /** The link of the header that is this page, as `href`. Default: none. */
  current?: string
  /** The page's script: a file in the folder web, without its extension. Default: none. */
  script?: string
  /** The width of the page: for a form, for text and forms, or the full window. Default: `text`. */
  width?: 'form' | 'text' | 'full'
}

/** `href` is relative to the app's root. */
export interface Link {
  href: string
  label: string
}

/** The frame that all pages share, those of the library and the app's own. */
export interface Site {
  /** A path of the app, as browsers see it. */
  pathOf(href: string): string
  /** For `pages({ layout })`: a page of the library in the app's frame. */
  layout(parts: LayoutParts): string
  /** Responds with a page of the app. It's never cached, so the back button shows no account after a logout. */
  page(reply: FastifyReply, parts: PageParts): string
}

export function createSite({ baseUrl, smtp, usersVariant }: Settings): Site {
  const root = new URL(baseUrl).pathname.replace(/\/$/, '')
  const pathOf = (href: string): string => `${root}/${href}`

  const head = html`<link rel="icon" href="${pathOf('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${pathOf('assets/site.css')}">`

  function header({ isLoggedIn, links = [], current }: Omit<PageParts, 'title' | 'main'>): Html {
    const entrance = [
      { href: 'login/', label: 'Log in' },
      ...(usersVariant === 'off' ? [] : [{ href: 'signup/', label: 'Sign up' }]),
    ]
    const all: Link[] = [
      ...(isLoggedIn === true ? [{ href: 'account/', label: 'Account' }] : []),
      ...(isLoggedIn === false ? entrance : []),
      ...links,
      ...(smtp === null ? [{ href: 'dev/mailbox', label: 'Mailbox' }] : []),
      { href: 'start', label: 'API' },
    ]
    const items = all.map(
      ({ href, label }) =>
        html`<li><a href="${pathOf(href)}"${href === current ? html` aria-current="page"` : null}>${label}</a></li>`,
    )
    const logOut = html`<li><form method="post" action="${pathOf('logout/')}"><button>Log out</button></form></li>`
    return html`<header class="site">
<a class="brand" href="${pathOf('')}"><img src="${pathOf('assets/icon.svg')}" alt="" width="28" height="28">${appName}</a>
<nav aria-label="Main">
<ul>
${items}
${isLoggedIn === true ? logOut : null}
</ul>
</nav>
</header>`
  }

  return {
    pathOf,

    layout({ kind, page, title, language, direction, head: own, main, user, links: legal, languages }) {
      const isLoggedIn = kind === 'link' ? undefined : user !== null
      const frame = header({ ...(isLoggedIn !== undefined && { isLoggedIn }), current: `${page}/` })
      return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
${html`<title>${title}</title>`}
${own}
${head}
</head>
<body>
${frame}
${main}
<footer class="legal">
${legal}
${languages}
</footer>
</body>
</html>
`
    },

    page(reply, { title, main, script, width = 'text', ...inHeader }) {
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
${head}
<link rel="stylesheet" href="${pathOf('assets/app.css')}">
${script === undefined ? null : html`<script type="module" src="${pathOf(`assets/${script}.js`)}"></script>`}
</head>
<body class="${width}">
<a class="skip" href="#main">Skip to the content</a>
${header(inHeader)}
<main id="main" tabindex="-1">
${script === undefined ? null : html`<noscript><p class="fault">This page needs JavaScript. <a href="${pathOf('start')}">The same routes work with curl</a>.</p></noscript>`}
${main}
</main>
</body>
</html>
`.toString()
    },
  }
}
