import type { FastifyRequest } from 'fastify'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import type { User } from '../user.js'

/** No account has an empty id, so no browser is marked for it. */
const nobody = { id: '', resetEpoch: 0, verifyEpoch: -1 }

/**
 * Whether the browser of a request is one of an account: it has logged in to it, or the account was made there. What it
 * requests isn't limited by what strangers request who know the account's address.
 */
export function isOwnBrowser(
  { device, signUp }: { device: Pick<DeviceCookie, 'read'>; signUp: Pick<SignUpCookie, 'isFor'> },
  request: FastifyRequest,
): (user: User | null) => boolean {
  return (user) => {
    // Whether or not there is a user, so the time doesn't tell.
    const hasLoggedIn = device.read(request, user ?? nobody, 'password') !== null
    const hasSignedUp = signUp.isFor(request, user ?? nobody)
    return hasLoggedIn || hasSignedUp
  }
}
