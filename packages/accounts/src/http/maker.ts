import type { FastifyRequest } from 'fastify'
import { isOwnProof } from '../sessions/login.js'
import type { SignUpCookie } from '../sessions/sign-up-cookie.js'
import type { User } from '../user.js'
import { currentLogin, knownUser } from './access.js'

/**
 * Whether the browser of a request is known to be that of an account's maker: somebody signed up there, was refused
 * there with the right password because the address is unverified, or is logged in there, not only by the host's word. So a mailed link opened in
 * it wasn't opened by a stranger who only has the mailbox.
 */
export function isMakersBrowser(
  { signUp }: { signUp: Pick<SignUpCookie, 'isFor'> },
  request: FastifyRequest,
): (user: User) => boolean {
  const known = knownUser(request)
  const isIn = known !== null && isOwnProof(currentLogin(request).methods)
  return (user) => (isIn && known.id === user.id) || signUp.isFor(request, user)
}
