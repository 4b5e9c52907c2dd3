import type { PageVisit } from 'fastify-accounts/features'
import { byField } from '../form-page.js'
import type { Html } from '../html.js'
import { buttonForm } from '../parts/buttons.js'
import type { Site } from '../site.js'
import type { ShownAccount } from './shown-account.js'

/** The operation that emails the link again that confirms an address; `null` if none is mounted. */
function operationOf({ where }: Site['core']): string | null {
  if (where.url('user-verify-resend') !== undefined) return 'resendUserVerification'
  return where.url('signup-verify-resend') === undefined ? null : 'resendSignupVerification'
}

/** A button that has the link sent again; `null` where that is off, or there is no address. */
export function sendAgainForm(
  { core, pathOf }: Pick<Site, 'core' | 'pathOf'>,
  { user, language }: Pick<ShownAccount, 'user' | 'language'>,
): Html | null {
  if (user.email === null || operationOf(core) === null) return null
  return buttonForm({
    label: language.texts.pages.account_pages.send_again,
    to: pathOf('/account/email/'),
    fields: { do: 'confirm', [byField]: user.id },
  })
}

/** @param email the address of the account */
export async function sendAgain({ core }: Site, visit: PageVisit, email: string | null): Promise<void> {
  const operation = operationOf(core)
  if (operation !== null && email !== null) await visit.perform(operation, { body: { email } })
}
