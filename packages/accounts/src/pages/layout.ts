import { createHash } from 'node:crypto'
import { type Brand, dark, edgeOf, inkOn, light, type Scheme } from '../options/brand.js'
import { escapeHtml } from './html.js'
import type { PageContent } from './page-content.js'
import type { PageTheme } from './theme.js'

const variables = (scheme: Scheme, color: string): string =>
  Object.entries({ ...scheme, edge: edgeOf(color, scheme) })
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')

/** The focus ring has the text color, not the brand's, which may be hard to see on the background. */
const styleOf = ({ color }: Brand): string => `
:root { color-scheme: light dark; ${variables(light, color)} }
@media (prefers-color-scheme: dark) { :root { ${variables(dark, color)} } }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere }
header, main, footer { max-width: 28rem; margin: 0 auto }
header { padding: 0 .5rem 1rem; font-size: 1.125rem; font-weight: 700 }
main a { color: inherit; font-weight: 600 }
header a { color: inherit; text-decoration: none }
header img { display: block; height: 2.5rem; max-width: 100%; object-fit: contain; object-position: left }
main { padding: 1.75rem 1.5rem; background: var(--paper); border-radius: .5rem }
footer { padding: 1rem .5rem 0; font-size: .875rem; color: var(--faint) }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; text-wrap: balance }
p, ul { margin: 0 0 1rem }
ul { padding-inline-start: 1.25rem }
form { margin: 0 0 1.25rem }
main > :last-child, form > :last-child { margin-bottom: 0 }
label { display: block; margin: 1.25rem 0 .25rem; font-weight: 600 }
input { width: 100%; min-height: 2.75rem; padding: .5rem .625rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem }
input[aria-invalid] { border: 2px solid var(--fault) }
button { min-height: 2.75rem; max-width: 100%; margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: ${inkOn(color)}; background: ${color}; border: 1px solid var(--edge); border-radius: .375rem; cursor: pointer }
button:first-child { margin-top: .5rem }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
details { margin: 1.25rem 0; padding-top: 1.25rem; border-top: 1px solid var(--line) }
summary { font-weight: 600; cursor: pointer }
[open] > summary { margin-bottom: 1rem }
.hint { margin: .25rem 0 0; font-size: .875rem; color: var(--faint) }
form > p:not([class]) { margin: 1.25rem 0 .25rem }
.check { display: flex; gap: .625rem; align-items: center; min-height: 2.75rem; margin: 0; font-weight: 400 }
.check input { flex: none; width: 1.25rem; min-height: 1.25rem }
.fault { margin: .25rem 0 0; color: var(--fault); font-weight: 600 }
`

const styles = new WeakMap<Brand, string>()
const policies = new WeakMap<Brand, string>()

function style(brand: Brand): string {
  const css = styles.get(brand) ?? styleOf(brand)
  styles.set(brand, css)
  return css
}

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The logo, if the site itself hosts it. */
function ownLogo({ brand, origin }: Pick<PageTheme, 'brand' | 'origin'>): string | null {
  return brand.logo !== null && new URL(brand.logo).origin === origin ? brand.logo : null
}

/**
 * Allows only our style, forms to this site, and the site's own logo: no frames, nothing from elsewhere.
 * @param script the one script of the page, which may send requests to this site. Default: none is allowed
 */
export function contentSecurityPolicy(
  theme: Pick<PageTheme, 'brand' | 'origin' | 'frame'>,
  script: string = '',
): string {
  if (theme.frame !== null) return theme.frame.policy(script)
  const before = script === '' ? policies.get(theme.brand) : undefined
  if (before !== undefined) return before
  const logo = ownLogo(theme)
  const policy = [
    "default-src 'none'",
    `style-src ${digestOf(style(theme.brand))}`,
    ...(script === '' ? [] : [`script-src ${digestOf(script)}`, "connect-src 'self'"]),
    ...(logo === null ? [] : ["img-src 'self'"]),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  if (script === '') policies.set(theme.brand, policy)
  return policy
}

/**
 * A whole HTML page in the theme.
 * @param main HTML; escape everything that users or options provide
 * @param faults what is wrong with a form. A screen reader reads the title first, so it says that something is
 */
export function page(
  theme: PageTheme,
  heading: string,
  main: string,
  faults: NonNullable<PageContent['faults']> = [],
): string {
  const { language, brand, frame } = theme
  if (frame !== null) return frame.page(theme, { heading, main, faults })
  const title = faults.length === 0 ? heading : language.say(language.texts.pages.faulty, { title: heading })
  const logo = ownLogo(theme)
  const name = escapeHtml(brand.name)
  return `<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${name}</title>
<style>${style(brand)}</style>
</head>
<body>
<header>${homeLink(theme, logo === null ? name : `<img src="${escapeHtml(logo)}" alt="${name}">`)}</header>
<main>
<h1>${escapeHtml(heading)}</h1>
${main}
</main>
${brand.footer === null ? '' : `<footer>${escapeHtml(brand.footer)}</footer>`}
</body>
</html>
`
}

/**
 * A page with one button that POSTs to its own URL, including the query: a mail scanner that opens links changes nothing.
 * @param texts as the language has them
 * @param body HTML
 * @param more HTML above the button, and at the end
 */
export function buttonPage(
  theme: PageTheme,
  texts: { heading: string; button: string; otherwise: string },
  body: string,
  { above = '', below = '' }: { above?: string; below?: string } = {},
): string {
  return page(
    theme,
    texts.heading,
    `<p>${body}</p>
${above}
<form method="post">
<button type="submit">${escapeHtml(texts.button)}</button>
</form>
<p class="hint">${escapeHtml(texts.otherwise)}</p>
${below}`,
  )
}

/**
 * A page that ends a flow. It links to the service if its URL is known.
 * @param onward where a frame leads from there
 */
export function endPage(
  theme: PageTheme,
  heading: string,
  main: string,
  onward: PageContent['onward'] = 'app',
): string {
  if (theme.frame !== null) return theme.frame.page(theme, { heading, main, onward })
  const { say, texts } = theme.language
  const label = escapeHtml(say(texts.pages.onward, { site: theme.brand.name }))
  return page(theme, heading, theme.brand.url === null ? main : `${main}\n<p>${homeLink(theme, label)}</p>`)
}

function homeLink({ brand }: PageTheme, content: string): string {
  return brand.url === null ? content : `<a href="${escapeHtml(brand.url)}">${content}</a>`
}

/**
 * A text as HTML, with a username and an address that stand out and keep their own writing direction.
 * @param username `null` leaves it out
 */
export function withUsername(
  { language }: PageTheme,
  text: string,
  username: string | null,
  email: string = '',
): string {
  const standingOut = (name: string | null): string | null =>
    name && `<strong><bdi>${escapeHtml(name)}</bdi></strong>`
  return language.say(escapeHtml(text), { username: standingOut(username), email: standingOut(email) })
}
