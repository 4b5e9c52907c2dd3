import type { PageVisit, User } from 'fastify-accounts/features'
import { html } from '../html.js'
import { ownName } from '../own-name.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import { named } from '../parts/rows.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'

/**
 * What somebody sees at the entrance who is logged in: as whom, and both ways to go on.
 * @param other the way that logs out first. Default: to log in to another account
 */
export function alreadyIn(
  site: Site,
  { client }: PageVisit,
  user: User,
  next: string | null,
  other: { page: 'login' | 'signup'; label: string } | null = null,
): View {
  const own = client.language.texts.pages.entrance_pages
  const name = ownName(site, user, client.language)
  const { page, label } = other ?? { page: 'login', label: own.other_account }
  const again = site.pathOf(`/${page}/`, { next })
  const main = html`<p>${withPart(client.language, own.already_as, 'username', named(name))}</p>
${linkButton(own.continue, next ?? site.landing.in)}
${buttonForm({ label, to: site.pathOf('/logout/'), fields: { next: again } })}`
  return { page, kind: 'form', heading: own.already, main }
}
