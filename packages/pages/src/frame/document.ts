import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing, trusted } from '../html.js'
import { attributes } from '../parts/fields.js'
import { notice as noticePart } from '../parts/notes.js'
import type { Site } from '../site.js'
import type { Audience, View } from '../view.js'
import { accountLinks, footer, header, languageSwitch, siteLinks } from './frame-parts.js'
import { isSecret } from './policy.js'
import { script } from './script.js'
import { styleOf } from './style.js'
import { summary } from './summary.js'

/** The whole document of a page: in our own frame, or in that of the site. */
export function documentOf(site: Site, theme: PageTheme, view: View, audience: Audience): string {
  const { language, brand } = theme
  const { say, texts } = language
  const { page, kind, heading, main, faults = [], notice, back, script: own, movesOnTo } = view
  const isFaulty = faults.length > 0 || notice?.tone === 'fault'
  const shownTitle = view.title ?? heading
  const windowTitle = `${isFaulty ? say(texts.pages.faulty, { title: shownTitle }) : shownTitle} – ${brand.name}`
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${movesOnTo === undefined ? nothing : html`<meta http-equiv="refresh" content="0; url=${movesOnTo}">`}
${iconOf(brand.icon, site.layout !== null)}
<style>${trusted(styleOf(brand))}</style>
${brand.stylesheet === null ? nothing : html`<link rel="stylesheet" href="${brand.stylesheet}">`}`
  const inside = html`<main data-page="${page}" data-kind="${kind}"${words(texts.pages.frame, main)}>
${back === undefined ? nothing : html`<p data-part="back"><a href="${back.to}">${back.label}</a></p>`}
<h1>${heading}</h1>
${notice === undefined ? nothing : noticePart(notice)}
${summary(theme, faults, main)}
${main}
</main>`
  const user = kind === 'link' ? null : audience.user
  const scripts = [script, own ?? ''].filter((each) => each !== '').map(module)
  const drawn = site.layout?.draw({
    ...{ kind: isSecret(view) ? 'link' : kind, page, title: windowTitle },
    ...{ language: language.tag, direction: language.direction },
    head: head.toString(),
    main: html`<div data-part="frame" data-kind="${kind}">
${inside}
</div>
${scripts}`.toString(),
    account: user === null ? '' : accountLinks(site, theme).toString(),
    links: siteLinks(theme).toString(),
    languages: languageSwitch(site, theme, audience).toString(),
    user,
  })
  if (drawn != null) return drawn
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<title>${windowTitle}</title>
${head}
</head>
<body data-part="body">
<div data-part="frame" data-kind="${kind}">
${header(site, theme, view, audience)}
${inside}
${footer(site, theme, audience)}
</div>
${scripts}
</body>
</html>
`.toString()
}

/** Without one, browsers would ask for /favicon.ico; a layout may have its own. */
const iconOf = (icon: string | null, hasLayout: boolean): Html =>
  icon === null && hasLayout ? nothing : html`<link rel="icon" href="${icon ?? 'data:,'}">`

/** What the script writes on the buttons that it adds. */
function words(texts: PageTheme['language']['texts']['pages']['frame'], main: Html): Html {
  const { show, hide, copy, copied } = texts
  const inside = main.toString()
  return attributes({
    ...(inside.includes('type="password"') && { 'data-show': show, 'data-hide': hide }),
    ...(inside.includes(' data-copy') && { 'data-copy-label': copy, 'data-copied': copied }),
  })
}

/** Not by `html`: a bundler takes the end of a script in a template for that of its own. */
const module = (source: string): Html => trusted(`<script type="module">${source}</script>`)
