import type { PageVisit } from 'fastify-accounts/features'
import { shownName } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import type { Site } from '../site.js'
import { buttonForm, linkButton } from './buttons.js'
import { named } from './rows.js'
import { sayHtml } from './say-html.js'

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
  return html`<p>${sayHtml(language, own.already_in, { username: named(name ?? '') })}</p>
${linkButton(language.say(onward, { site: options.brand.name }), next ?? site.landing.in)}
${buttonForm({ label: other, kind: 'quiet', fields: { [logOutField]: 'true', ...(next !== null && { next }) } })}`
}
