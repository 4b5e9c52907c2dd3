import type { PageVisit } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import type { Html } from '../html.js'
import { buttonForm } from '../parts/buttons.js'
import { resendOperationOf } from '../resend-operation.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import type { ShownAccount } from './shown-account.js'

/** A button that has the link sent again; `null` where that is off, or there is no address. */
export function sendAgainForm(
  site: Pick<Site, 'core' | 'pathOf'>,
  { user, language }: Pick<ShownAccount, 'user' | 'language'>,
): Html | null {
  if (user.email === null || resendOperationOf(site) === null) return null
  return buttonForm({
    label: language.texts.pages.account_pages.send_again,
    to: site.pathOf('/account/email/'),
    fields: { do: 'confirm', [byField]: user.id },
  })
}

/**
 * Sends it, unless the address has been confirmed or removed since the form was shown.
 * @returns the address it went to; `null` if none
 */
export async function sendAgain(site: Site, visit: PageVisit): Promise<string | null> {
  const { email, isVerified } = visitorOf(visit)
  const operation = resendOperationOf(site)
  if (operation === null || email === null || isVerified) return null
  await visit.perform(operation, { body: { email } })
  return email
}
