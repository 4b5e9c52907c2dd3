import type { PageVisit } from 'fastify-accounts/features'
import { shownName } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import type { Site } from '../site.js'
import type { Notice } from '../view.js'
import { buttonForm, linkButton } from './buttons.js'
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

/** The hidden field of the form that logs out instead of what the page is for. */
export const logOutField = 'log_out'

/**
 * For somebody who is logged in and opens a page for those who aren't: goes on as that account, or logs out and starts again.
 * @param other what the second button says
 */
export function alreadyIn(
  site: Site,
  { client: { language }, who }: Pick<PageVisit, 'client' | 'who'>,
  { next, other }: { next: string | null; other: string },
): Html {
  const { options } = site.core
  const { sign_up_pages: own, onward } = language.texts.pages
  const name = who && (shownName(options, who.user) ?? who.user.email ?? '')
  return html`<p>${withPart(language, own.already_in, 'username', named(name ?? ''))}</p>
${linkButton(language.say(onward, { site: options.brand.name }), next ?? site.landing.in)}
${buttonForm({ label: other, kind: 'quiet', fields: { [logOutField]: 'true', ...(next !== null && { next }) } })}`
}
