import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseTypedEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'

/**
 * Emails a reset link to the user with this address, if there is one.
 * @param isOwnBrowser whether the request comes from a browser of this account
 * @returns the user, which the response must not depend on
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is no address
 */
export async function requestPasswordReset(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  { email }: { email: string },
  isOwnBrowser: (user: User | null) => boolean,
): Promise<User | null> {
  const address = parseTypedEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const user = await users.findByEmail(address.emailKey)
  // Whether or not there is a user, so the time doesn't tell. Sent to the stored address, never to the typed
  // one.
  const details = { isFromOwnBrowser: isOwnBrowser(user) }
  await postOffice.post(postOffice.toOwner('reset-password', address.emailKey, details))
  return user
}
