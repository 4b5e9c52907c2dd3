import { createHash } from 'node:crypto'
import { type Brand, dark, edgeOf, inkOn, light, type Scheme } from '../options/brand.js'
import { escapeHtml } from './html.js'
import { otherFaults } from './password-fields.js'
import type { Frame, PageTheme } from './theme.js'

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

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Draws the pages of a mount without a feature that has pages. Only the site's own logo: no other site learns about them. */
export function createPlainFrame({ brand, origin }: Pick<PageTheme, 'brand' | 'origin'>): Frame {
  const style = styleOf(brand)
  const name = escapeHtml(brand.name)
  const logo = brand.logo !== null && new URL(brand.logo).origin === origin ? brand.logo : null
  const home = (content: string): string =>
    brand.url === null ? content : `<a href="${escapeHtml(brand.url)}">${content}</a>`
  /** Allows only our style, forms to this site, and the logo: no frames, nothing from elsewhere. */
  const policyWith = (scripts: readonly string[]): string =>
    [
      "default-src 'none'",
      `style-src ${digestOf(style)}`,
      ...scripts,
      ...(logo === null ? [] : ["img-src 'self'"]),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ')
  const policy = policyWith([])
  return {
    logInPath: null,
    repeatsPasswords: true,
    policy: (script = '') =>
      script === '' ? policy : policyWith([`script-src ${digestOf(script)}`, "connect-src 'self'"]),
    keep: () => null,
    problem({ language: { say, texts } }, _, { title, message, fields = [] }) {
      const ask = say(texts.pages.problem.ask, { site: brand.name })
      const listed = fields.length > 0 ? `${otherFaults(fields, [])}<p>${escapeHtml(ask)}</p>` : ''
      return { heading: title, main: `<p>${escapeHtml(message)}</p>${listed}`, onward: 'app' }
    },
    page({ language }, { heading, main, faults = [], onward }) {
      const title =
        faults.length === 0 ? heading : language.say(language.texts.pages.faulty, { title: heading })
      const label = escapeHtml(language.say(language.texts.pages.onward, { site: brand.name }))
      const ways = onward === undefined || brand.url === null ? '' : `\n<p>${home(label)}</p>`
      return `<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${name}</title>
<style>${style}</style>
</head>
<body>
<header>${home(logo === null ? name : `<img src="${escapeHtml(logo)}" alt="${name}">`)}</header>
<main>
<h1>${escapeHtml(heading)}</h1>
${main}${ways}
</main>
${brand.footer === null ? '' : `<footer>${escapeHtml(brand.footer)}</footer>`}
</body>
</html>
`
    },
  }
}
