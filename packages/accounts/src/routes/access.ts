import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../errors.js'
import type { SessionReader } from '../sessions/session-reader.js'
import type { User } from '../user.js'

/** Who may call a route. Every route says it; one that does not is refused at start. */
export type Access =
  /** Anyone; who is logged in is not even looked up. */
  | 'anyone'
  /** Anyone; the handler wants to know who is logged in, if somebody is. */
  | 'anyone-known'
  /** Whoever is logged in. */
  | 'logged-in'

const known = new WeakMap<FastifyRequest, User>()

/**
 * Lets a request through, or not.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED
 */
export async function admit(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  readSession: SessionReader,
): Promise<void> {
  if (access === 'anyone') return
  const user = await readSession(request, reply)
  if (user !== null) known.set(request, user)
  else if (access === 'logged-in') throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}

/** The user whom `admit` found. */
export function knownUser(request: FastifyRequest): User | null {
  return known.get(request) ?? null
}

/** The user of a route that is for those who are logged in. */
export function loggedInUser(request: FastifyRequest): User {
  const user = knownUser(request)
  if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return user
}
