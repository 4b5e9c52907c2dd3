import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../errors.js'
import type { ResolvedOptions } from '../options/options.js'
import { isConfirmed } from '../sessions/login.js'
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
  /** Whoever is logged in and has given the password lately. */
  | 'confirmed'

const known = new WeakMap<FastifyRequest, { user: User; isConfirmed: boolean }>()

/**
 * Lets a request through, or not.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFIRMATION_REQUIRED
 */
export async function admit(
  access: Exclude<Access, 'anyone'>,
  request: FastifyRequest,
  reply: FastifyReply,
  readSession: SessionReader,
  options: Pick<ResolvedOptions, 'session'>,
): Promise<void> {
  const visit = await readSession(request, reply)
  if (visit !== null) {
    known.set(request, { user: visit.user, isConfirmed: isConfirmed(visit.login, options.session) })
  } else {
    known.delete(request)
    if (access !== 'anyone-known') throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  }
  if (access === 'confirmed') requireConfirmed(request)
}

/** The user whom `admit` found. */
export function knownUser(request: FastifyRequest): User | null {
  return known.get(request)?.user ?? null
}

/**
 * For what only the owner may do, at a browser that was left open too.
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED where the password was not given lately
 */
export function requireConfirmed(request: FastifyRequest): void {
  if (!known.get(request)?.isConfirmed) throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED')
}

/** The user of a route that is for those who are logged in. */
export function loggedInUser(request: FastifyRequest): User {
  const user = knownUser(request)
  if (user === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return user
}
