import { type PageVisit, shownName, type User } from 'fastify-accounts/features'
import { html } from '../html.js'
import { buttonForm, linkButton } from '../parts/buttons.js'
import { named } from '../parts/rows.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'

/** What somebody sees at the entrance who is logged in: as whom, and both ways to go on. */
export function alreadyIn(site: Site, { client }: PageVisit, user: User, next: string | null): View {
  const own = client.language.texts.pages.entrance_pages
  const name = shownName(site.core.options, user) ?? user.email ?? ''
  const again = site.pathOf('/login/', { next })
  const main = html`<p>${withPart(client.language, own.already_as, 'username', named(name))}</p>
${linkButton(own.continue, next ?? site.landing.in)}
${buttonForm({ label: own.other_account, to: site.pathOf('/logout/'), fields: { next: again } })}`
  return { page: 'login', kind: 'form', heading: own.already, main }
}
