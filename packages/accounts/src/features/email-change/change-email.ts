import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'

/**
 * Mails a link to the address that somebody wants to have; the address changes when it is opened. Where the address
 * has an account its owner is told instead, and the answer must not depend on it: both are found out after it.
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
  // Of the two one goes out.
  await postOffice.post([
    ...postOffice.about('change-email', user, { to: address.email }),
    ...postOffice.toOwner('email-taken', address.emailKey),
  ])
}
