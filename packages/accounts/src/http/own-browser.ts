import type { FastifyRequest } from 'fastify'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import { nobody, type User } from '../user.js'

/**
 * Whether the browser of a request is one of an account: it has logged in to it, or the account was made there. Strangers
 * who know the address can't use up what it may request.
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
