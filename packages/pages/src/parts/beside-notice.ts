import { html } from '../html.js'
import type { Site } from '../site.js'
import type { Notice } from '../view.js'
import type { Language } from './own-field.js'
import { named } from './rows.js'
import { withPart } from './with-part.js'

/** For somebody who opens a page about another account than the one that is logged in: the other way is to go on as that. */
export function besideNotice(site: Site, language: Language, username: string): Notice {
  const { beside, stay } = language.texts.pages.sign_up_pages
  const name = named(username)
  const link = html`<a href="${site.landing.in}">${withPart(language, stay, 'username', name)}</a>`
  return { tone: 'info', text: html`${withPart(language, beside, 'username', name)} ${link}` }
}
