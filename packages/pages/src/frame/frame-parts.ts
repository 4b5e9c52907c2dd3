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
  const { account, log_out } = language.texts.pages.frame
  const name = logo(theme)
  const home = brand.url === null ? name : html`<a href="${brand.url}">${name}</a>`
  const menu =
    kind !== 'account' || user === null
      ? nothing
      : html`<details data-part="menu">
<summary><bdi>${user.name ?? account}</bdi></summary>
<div>
<a href="${site.pathOf('/account/')}">${account}</a>
<form method="post" action="${site.pathOf('/logout/')}">${submit(log_out, 'link')}</form>
</div>
</details>`
  return html`<header>
<div data-part="site">${home}</div>
${menu}
</header>`
}

/** Links of the site, and the language. */
export function footer(site: Site, { brand, language }: PageTheme, { url }: Audience): Html {
  const { privacy, terms, imprint } = language.texts.pages.frame
  const list = (
    [
      [privacy, brand.links.privacy],
      [terms, brand.links.terms],
      [imprint, brand.links.imprint],
    ] as const
  ).flatMap(([text, to]) => (to === null ? [] : [html`<a href="${to}">${text}</a>`]))
  return html`<footer>
${brand.footer === null ? nothing : html`<p>${brand.footer}</p>`}
${list}
${url === '' ? nothing : languageSwitch(site, language.tag, url, language.texts.pages.frame.language)}
</footer>`
}

/** The languages, each by its own name, in a form that keeps the choice and leads back. */
function languageSwitch(site: Site, shown: string, url: string, label: string): Html {
  const { all } = site.core.options.languages
  if (all.length < 2) return nothing
  const choices = all.map(
    ({ tag, direction }) =>
      html`<span lang="${tag}" dir="${direction}">${submit(nameOfLanguage(tag), 'link', { name: 'language', value: tag })}</span>`,
  )
  return html`<details data-part="language">
<summary>${label}: <span lang="${shown}">${nameOfLanguage(shown)}</span></summary>
<form method="post" action="${site.pathOf('/language/')}">${hidden('next', url)}${choices}</form>
</details>`
}
