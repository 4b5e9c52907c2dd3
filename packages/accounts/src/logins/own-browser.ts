import type { Client } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { Visit } from '../sessions/session-reader.js'
import { isOwnProof } from '../sessions/session-rules.js'
import { nobody, type User } from '../user.js'
import type { SignUpCookie } from './sign-up-cookie.js'

/** What knows the browsers of an account. */
export interface OwnBrowserDeps {
  device: Pick<DeviceCookie, 'read'>
  signUp: Pick<SignUpCookie, 'isFor'>
}

/**
 * Whether a browser is one of an account: it has logged in to it, or the account was made there. Strangers who know the
 * address can't use up what it may request.
 */
export function isOwnBrowser({ device, signUp }: OwnBrowserDeps, client: Client, user: User | null): boolean {
  // Whether or not there is a user, so the time doesn't tell.
  const hasLoggedIn = device.read(client, user ?? nobody, 'password') !== null
  const hasSignedUp = signUp.isFor(client, user ?? nobody)
  return hasLoggedIn || hasSignedUp
}

/**
 * Whether somebody has signed up in a browser with the address of an account that was made elsewhere. Whoever opens its
 * verification link there expects an account of their own, so the link alone must not verify somebody else's.
 */
export function isOfAnotherSignUp(
  { signUp }: { signUp: Pick<SignUpCookie, 'isFor' | 'isForAddress'> },
  client: Client,
): (user: User) => boolean {
  return (user) =>
    user.emailKey !== null && signUp.isForAddress(client, user.emailKey) && !signUp.isFor(client, user)
}

/**
 * Whether a browser is known to be that of an account's maker: somebody signed up there, was refused there with the right
 * password because the address is unverified, or is logged in there, not only by the host's word. So a mailed link opened
 * in it wasn't opened by a stranger who only has the mailbox.
 */
export function isMakersBrowser(
  { signUp }: { signUp: Pick<SignUpCookie, 'isFor'> },
  client: Client,
  who: Visit | null,
): (user: User) => boolean {
  const isIn = isLoggedIn(who)
  // Once the address is verified, its reader may have got a login here, which shows nothing.
  return (user) => (isIn(user) && !user.isVerified) || signUp.isFor(client, user)
}

/** The same where a link to a new address is opened: readers of the former one get no email from there. */
export function isMoversBrowser(
  deps: { signUp: Pick<SignUpCookie, 'isFor'> },
  client: Client,
  who: Visit | null,
): (user: User) => boolean {
  const isIn = isLoggedIn(who)
  const isMakers = isMakersBrowser(deps, client, who)
  return (user) => isIn(user) || isMakers(user)
}

const isLoggedIn =
  (who: Visit | null) =>
  ({ id }: User): boolean =>
    who !== null && isOwnProof(who.login.methods) && who.user.id === id
