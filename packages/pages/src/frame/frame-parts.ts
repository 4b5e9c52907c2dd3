import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { nameOfLanguage } from '../parts/languages.js'
import type { Site } from '../site.js'
import type { Audience, View } from '../view.js'
import { logo } from './logo.js'

/** The site's name or logo; on account pages also whose account it is. */
export function header(site: Site, theme: PageTheme, { kind }: View, { user }: Audience): Html {
  const { brand, language } = theme
  const name = logo(theme)
  const home = brand.url === null ? name : html`<a href="${brand.url}">${name}</a>`
  const menu =
    kind !== 'account' || user === null
      ? nothing
      : html`<details data-part="menu">
<summary><bdi>${user.name ?? language.texts.pages.frame.account}</bdi></summary>
<div>
${accountLinks(site, theme)}
</div>
</details>`
  return html`<header>
<div data-part="site">${home}</div>
${menu}
</header>`
}

/** What somebody who is logged in can open anywhere. */
export function accountLinks(site: Site, { language }: PageTheme): Html {
  const { account, log_out } = language.texts.pages.frame
  return html`<a href="${site.pathOf('/account/')}">${account}</a>
<form method="post" action="${site.pathOf('/logout/')}">${submit(log_out, 'link')}</form>`
}

/** Links of the site, and the language. */
export const footer = (site: Site, theme: PageTheme, audience: Audience): Html =>
  html`<footer>
${siteLinks(theme)}
${languageSwitch(site, theme, audience)}
</footer>`

/** What the site says below each page. */
export function siteLinks({ brand, language }: PageTheme): Html {
  const { privacy, terms, imprint } = language.texts.pages.frame
  const list = (
    [
      [privacy, brand.links.privacy],
      [terms, brand.links.terms],
      [imprint, brand.links.imprint],
    ] as const
  ).flatMap(([text, to]) => (to === null ? [] : [html`<a href="${to}">${text}</a>`]))
  const own = brand.footer === null ? [] : [html`<p>${brand.footer}</p>`]
  return html`${[...own, ...list]}`
}

/** The languages, each by its own name, in a form that keeps the choice and leads back. */
export function languageSwitch(site: Site, { language }: PageTheme, { url }: Audience): Html {
  const { all } = site.core.options.languages
  if (all.length < 2 || url === '') return nothing
  const shown = language.tag
  const choices = all.map(
    ({ tag, direction }) =>
      html`<span lang="${tag}"${direction !== language.direction && html` dir="${direction}"`}>${submit(nameOfLanguage(tag), 'link', { name: 'language', value: tag })}</span>`,
  )
  return html`<details data-part="language">
<summary>${language.texts.pages.frame.language}: <span lang="${shown}">${nameOfLanguage(shown)}</span></summary>
<form method="post" action="${site.pathOf('/language/')}">${hidden('next', url)}${choices}</form>
</details>`
}
