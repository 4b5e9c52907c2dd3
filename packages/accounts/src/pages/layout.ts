import { createHash } from 'node:crypto'
import { escapeHtml } from '../html.js'

const style = `
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #ffffff; --line: #767676; --accent: #1d4ed8; --fault: #b00020 }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f2; --paper: #16181d; --line: #9aa0a6; --accent: #8ab4f8; --fault: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 26rem; margin: 2rem auto }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { width: 100%; padding: .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem }
input[aria-invalid] { border-color: var(--fault); border-width: 2px }
button { margin-top: 1.5rem; padding: .6rem 1.2rem; font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 0; border-radius: .375rem; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.hint { margin: .25rem 0 0; font-size: .9rem }
.fault { margin: .25rem 0 0; color: var(--fault); font-weight: 600 }
.who { overflow-wrap: anywhere }
`

/** Nothing but this style and a form to this site: no script, no picture, no frame, nothing of anybody else. */
export const contentSecurityPolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * @param main HTML in which everything that is not ours is escaped
 * @param title of the window, where it is not the heading
 */
export function page(heading: string, main: string, title: string = heading): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${main}
</main>
</body>
</html>
`
}
