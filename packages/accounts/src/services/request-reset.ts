import type { Deps } from '../deps.js'
import { resetLinkFacts } from '../emails/link-facts.js'
import { fieldError, invalidInput } from '../errors.js'
import { parseEmail } from '../identifiers/email.js'
import type { User } from '../user.js'

/**
 * Mails a reset link to the user with this address, if there is one.
 * @returns the user, which the answer must not depend on
 * @throws AccountsError ACCOUNTS_INVALID_INPUT where it is no address
 */
export async function requestReset(
  deps: Pick<Deps, 'users' | 'links' | 'throttle' | 'options' | 'postOffice' | 'resetUrl'>,
  { email }: { email: string },
): Promise<User | null> {
  const { users, throttle, postOffice } = deps
  const address = parseEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const user = await users.findByEmail(address.emailKey)
  if (user === null) return null
  // To the address that was stored, never to the one that was typed.
  postOffice.post('reset-password', user, {
    allowed: () => throttle.allows('forgotMails', address.emailKey),
    facts: () => resetLinkFacts(deps, user),
  })
  return user
}
