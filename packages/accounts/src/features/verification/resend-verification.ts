import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { parseTypedEmail } from '../../identifiers/email.js'
import { isOwnBrowser, type OwnBrowserDeps } from '../../logins/own-browser.js'
import type { SignUpCookie } from '../../logins/sign-up-cookie.js'
import type { Client } from '../../sessions/client.js'
import type { User } from '../../user.js'

/**
 * Emails the verification link again, if the address has an unverified account. A person who has signed up with
 * the address of a verified account is told again that there is one.
 * @returns the unverified user, which the response must not depend on
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is no address
 */
export async function resendVerification(
  deps: Pick<Deps, 'users' | 'postOffice'> & OwnBrowserDeps & { signUp: Pick<SignUpCookie, 'isForAddress'> },
  client: Client,
  { email }: { email: string },
  variant: 'user' | 'signup',
): Promise<User | null> {
  const { users, postOffice, signUp } = deps
  const address = parseTypedEmail(email)
  if (address === null) throw invalidInput(fieldError('email', 'invalid'))
  const user = await users.findByEmail(address.emailKey)
  // Whether or not somebody is waiting, so the time doesn't tell.
  const details = { variant, isFromOwnBrowser: isOwnBrowser(deps, client, user) }
  const isTold = signUp.isForAddress(client, address.emailKey) && user?.isVerified === true
  // One email for every address, so each costs the same write.
  await postOffice.post(
    isTold
      ? postOffice.toOwner('account-exists', address.emailKey)
      : postOffice.toOwner('verify-email', address.emailKey, details),
  )
  return user === null || user.isVerified ? null : user
}
