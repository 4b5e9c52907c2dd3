import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseTypedEmail } from '../../identifiers/email.js'
import type { User } from '../../user.js'

/**
 * Emails a reset link to the user with this address, if there is one, and with `codeSeed` a code.
 * @param isOwnBrowser whether the request comes from a browser of this account
 * @returns the user, which the response must not depend on, and whose code the browser has requested
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is no address
 */
export async function requestPasswordReset(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  codeSeed: string | null,
  { email }: { email: string },
  isOwnBrowser: (user: User | null) => boolean,
): Promise<{ user: User | null; emailKey: string }> {
  const address = parseTypedEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const { emailKey } = address
  const user = await users.findByEmail(emailKey)
  // Whether or not there is a user, so the time doesn't tell. Sent to the stored address, never to the typed
  // one.
  const details = { codeSeed, isFromOwnBrowser: isOwnBrowser(user) }
  await postOffice.post(postOffice.toOwner('reset-password', emailKey, details))
  return { user, emailKey }
}
