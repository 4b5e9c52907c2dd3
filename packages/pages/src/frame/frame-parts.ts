import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { nameOfLanguage } from '../parts/languages.js'
import type { Site } from '../site.js'
import type { Audience, View } from '../view.js'

/** The site's name or logo; on account pages also whose account it is. */
export function header(
  site: Site,
  { brand, language, origin }: PageTheme,
  { kind }: View,
  { user }: Audience,
): Html {
  const { account, log_out } = language.texts.pages.frame
  const isOwn = brand.logo !== null && new URL(brand.logo).origin === origin
  const name = isOwn ? html`<img src="${brand.logo ?? ''}" alt="${brand.name}">` : html`${brand.name}`
  const home = brand.url === null ? name : html`<a href="${brand.url}">${name}</a>`
  const menu =
    kind !== 'account' || user === null
      ? nothing
      : html`<details data-part="menu">
<summary><bdi>${user.name ?? account}</bdi></summary>
<p><a href="${site.pathOf('/account/')}">${account}</a></p>
<form method="post" action="${site.pathOf('/logout/')}">${submit(log_out, 'link')}</form>
</details>`
  return html`<header>
<div data-part="site">${home}</div>
${menu}
</header>`
}

/** Links of the site, and the language. */
export function footer(site: Site, { brand, language }: PageTheme, { url }: Audience): Html {
  const { privacy, terms, imprint, language: label } = language.texts.pages.frame
  const { links } = brand
  const list = (
    [
      [privacy, links.privacy],
      [terms, links.terms],
      [imprint, links.imprint],
    ] as const
  ).flatMap(([text, to]) => (to === null ? [] : [html`<a href="${to}">${text}</a>`]))
  const { all } = site.core.options.languages
  const choices = all.map(({ tag }) => submit(nameOfLanguage(tag), 'link', { name: 'language', value: tag }))
  const choice =
    all.length < 2 || url === ''
      ? nothing
      : html`<details data-part="language">
<summary>${label}: ${nameOfLanguage(language.tag)}</summary>
<form method="post" action="${site.pathOf('/language/')}">${hidden('next', url)}${choices}</form>
</details>`
  return html`<footer>
${brand.footer === null ? nothing : html`<p>${brand.footer}</p>`}
<p>${list}</p>
${choice}
</footer>`
}
