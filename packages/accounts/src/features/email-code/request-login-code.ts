import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseTypedEmail } from '../../identifiers/email.js'
import { newSeed } from '../../logins/codes/mailed-code.js'
import type { User } from '../../user.js'

/**
 * Emails a login code to the user with this address, if there is one.
 * @param isOwnBrowser whether the request comes from a browser of this account
 * @returns the user, which the response must not depend on, and the request, which the browser keeps
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is no address
 */
export async function requestLoginCode(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  { email }: { email: string },
  isOwnBrowser: (user: User | null) => boolean,
): Promise<{ user: User | null; emailKey: string; seed: string }> {
  const address = parseTypedEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const { emailKey } = address
  const seed = newSeed()
  const user = await users.findByEmail(emailKey)
  const details = { codeSeed: seed, isFromOwnBrowser: isOwnBrowser(user) }
  await postOffice.post(postOffice.toOwner('login-code', emailKey, details))
  return { user, emailKey, seed }
}
