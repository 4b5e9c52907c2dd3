import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'

/**
 * Emails a link to the requested address; the address changes when the link is used. If the address has an
 * account, its owner is notified instead. The response must not depend on it, so both are decided after it.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED
 */
export async function changeEmail(
  { throttle, postOffice }: Pick<Deps, 'throttle' | 'postOffice'>,
  user: User,
  { email }: { email: string },
): Promise<void> {
  const address = parseEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  if (address.emailKey === user.emailKey) {
    throw invalidInput(fieldError('email', 'unchanged', { text: 'email_unchanged' }))
  }
  await throttle.spend(['changeEmail', 'changeEmailDay'], user.id)
  // Only one of the two is sent.
  await postOffice.post([
    ...postOffice.about('change-email', user, { to: address.email }),
    ...postOffice.toOwner('email-taken', address.emailKey),
  ])
}
