import type { Deps } from '../deps.js'
import { verifyLinkFacts } from '../emails/link-facts.js'
import { fieldError, invalidInput } from '../errors.js'
import { parseEmail } from '../identifiers/email.js'
import type { User } from '../user.js'

/**
 * Mails the verification link again, if the address has an account that waits for it.
 * @returns the user who waits, which the answer must not depend on
 * @throws AccountsError ACCOUNTS_INVALID_INPUT where it is no address
 */
export async function resendVerification(
  deps: Pick<Deps, 'users' | 'links' | 'throttle' | 'options' | 'postOffice' | 'verifyUrl'>,
  { email }: { email: string },
  variant: 'user' | 'signup',
): Promise<User | null> {
  const { users, throttle, postOffice } = deps
  const address = parseEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const user = await users.findByEmail(address.emailKey)
  if (user === null || user.isVerified) return null
  postOffice.post('verify-email', user, {
    allowed: () => throttle.allows('verifyMails', address.emailKey),
    facts: () => verifyLinkFacts(deps, user, variant),
  })
  return user
}
