import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { newAddressFault, parseTypedEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'
import { askChangeEmail } from '../../users/ask-change-email.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Emails a link to the requested address; the address changes when the link is used. If the address has an
 * account, its owner is notified instead. The response must not depend on it, so both are decided after it.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED; RuleError
 */
export async function changeEmail(
  {
    users,
    throttle,
    postOffice,
    options,
    rules,
  }: Pick<Deps, 'users' | 'throttle' | 'postOffice' | 'options' | 'rules'>,
  user: User,
  { email }: { email: string },
): Promise<void> {
  const address = parseTypedEmail(email)
  const fault = newAddressFault(address, options)
  if (address === null || fault !== null) throw invalidInput(fault ?? fieldError('email', 'invalid'))
  if (address.emailKey === user.emailKey) {
    throw invalidInput(fieldError('email', 'unchanged', { text: 'email_unchanged' }))
  }
  await throttle.spend(['changeEmail', 'changeEmailDay'], user.id)
  await askChangeEmail({ rules }, user, address)
  // Only one of the two is sent.
  await postOffice.post([
    ...postOffice.about('change-email', await ownRecord({ users }, user), { to: address.email }),
    ...postOffice.toOwner('email-taken', address.emailKey),
  ])
}
