import type { Client, PageVisit } from 'fastify-accounts/features'
import type { FormState, Outcome } from '../form-page.js'
import { type Html, html } from '../html.js'
import { submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import { resendOperationOf } from '../resend-operation.js'
import type { Site } from '../site.js'

/** Sends the link again that confirms the address, to the one that somebody logs in with or types. */
export function againForm(
  site: Site,
  { texts }: Client['language'],
  { typed, faults }: Pick<FormState, 'typed' | 'faults'>,
  next: string | null,
): Html {
  const own = texts.pages.entrance_pages
  // Nobody signs up here. What an email lets in confirms its address.
  if (resendOperationOf(site) === null)
    return site.core.options.login.emailCode
      ? html`<a href="${site.pathOf('/login/code/', { next })}">${own.email_code}</a>`
      : html`<a href="${site.pathOf('/forgot/', { next })}">${own.reset}</a>`
  const { username = '', email = username } = typed
  const isFine = email.includes('@') && faults.length === 0
  return html`<form method="post" action="${site.pathOf('/login/', { next })}">
${hidden('username', username)}
${isFine ? hidden('email', email) : field({ name: 'email', label: own.email, type: 'email', value: typed.email, autocomplete: 'email', faults })}
${submit(own.send_again, 'quiet')}
</form>`
}

/** Sends it, and leads to the page that says so. */
export async function sendConfirmation(
  site: Site,
  visit: PageVisit,
  email: string,
  next: string | null,
): Promise<Outcome> {
  const operation = resendOperationOf(site)
  if (operation === null) return { to: site.pathOf('/login/', { next }) }
  await visit.perform(operation, { body: { email } })
  site.returns.keep(visit.client, next)
  return { to: site.pathOf('/signup/sent/', { to: site.signUps.seal({ email }), next }) }
}
