import type { PageVisit } from 'fastify-accounts/features'
import { html } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'

/** For strangers where only some may create accounts. */
export function closedSignUp(site: Site, { client }: PageVisit, next: string | null): View {
  const { pages, reasons } = client.language.texts
  const main = html`${paragraph(reasons.ACCOUNTS_FORBIDDEN.sign_up_closed)}
${linkButton(pages.frame.log_in, site.pathOf('/login/', { next }))}`
  return { page: 'signup-closed', kind: 'form', heading: pages.sign_up_pages.closed, main, status: 403 }
}
