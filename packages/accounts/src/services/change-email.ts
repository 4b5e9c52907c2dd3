import type { Deps } from '../deps.js'
import { changeEmailFacts } from '../emails/link-facts.js'
import { fieldError, invalidInput } from '../errors.js'
import { parseEmail } from '../identifiers/email.js'
import type { User } from '../user.js'

/**
 * Mails a link to the address that somebody wants to have; the address changes when it is opened. Where the address
 * has an account its owner is told instead, and the answer must not depend on it: both are found out after it.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED
 */
export async function changeEmail(
  deps: Pick<Deps, 'users' | 'links' | 'throttle' | 'options' | 'postOffice' | 'accountUrl'>,
  user: User,
  { email }: { email: string },
): Promise<void> {
  const { users, throttle, postOffice } = deps
  const address = parseEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  if (address.emailKey === user.emailKey) {
    throw invalidInput(fieldError('email', 'unchanged', { text: 'email_unchanged' }))
  }
  await throttle.spend('changeEmail', user.id)
  const allowed = (): Promise<boolean> => throttle.allows('verifyMails', address.emailKey)
  const owner = (): Promise<User | null> => users.findByEmail(address.emailKey)
  postOffice.post('change-email', user, {
    to: address.email,
    allowed: async () => (await owner()) === null && allowed(),
    facts: () => changeEmailFacts(deps, user, address.email),
  })
  postOffice.post('email-taken', owner, { allowed })
}
