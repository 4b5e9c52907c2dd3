import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Emails a link to the requested address; the address changes when the link is used. If the address has an
 * account, its owner is notified instead. The response must not depend on it, so both are decided after it.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED
 */
export async function changeEmail(
  { users, throttle, postOffice }: Pick<Deps, 'users' | 'throttle' | 'postOffice'>,
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
    ...postOffice.about('change-email', await ownRecord({ users }, user), { to: address.email }),
    ...postOffice.toOwner('email-taken', address.emailKey),
  ])
}
