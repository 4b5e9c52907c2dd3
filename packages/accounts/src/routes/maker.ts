import type { FastifyRequest } from 'fastify'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import type { User } from '../user.js'
import { knownUser } from './access.js'

/**
 * Whether the browser of a request is known to be that of an account's maker: somebody signed up there, was refused
 * there with the right password because the address is unverified, or is logged in there. So a mailed link opened in
 * it wasn't opened by a stranger who only has the mailbox.
 */
export function isMakersBrowser(
  { signUp }: { signUp: Pick<SignUpCookie, 'isFor'> },
  request: FastifyRequest,
): (user: User) => boolean {
  return (user) => knownUser(request)?.id === user.id || signUp.isFor(request, user)
}
