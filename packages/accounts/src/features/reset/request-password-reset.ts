import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'

/**
 * Mails a reset link to the user with this address, if there is one.
 * @returns the user, which the answer must not depend on
 * @throws AccountsError ACCOUNTS_INVALID_INPUT where it is no address
 */
export async function requestPasswordReset(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  { email }: { email: string },
): Promise<User | null> {
  const address = parseEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const user = await users.findByEmail(address.emailKey)
  // Whether there is a user or not, so that the time does not tell. To the address that was stored, never to the one
  // that was typed.
  await postOffice.post(postOffice.toOwner('reset-password', address.emailKey))
  return user
}
