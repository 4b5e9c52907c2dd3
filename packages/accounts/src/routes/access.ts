import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../errors.js'
import { factorOwed, type MustHaveFactor } from '../logins/enrollment.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { sharedRequestSlot } from '../request-slot.js'
import { isConfirmed, type Login } from '../sessions/login.js'
import type { SessionReader } from '../sessions/session-reader.js'
import type { User } from '../user.js'

/** Who may call a route. Every route must say so, or the start fails. */
export type Access =
  /** Anyone; the logged-in user isn't even looked up. */
  | 'anyone'
  /** Anyone; the handler needs to know the logged-in user, if any. */
  | 'anyone-known'
  /** Any logged-in user. */
  | 'logged-in'
  /** A logged-in user with a recent proof of identity: a second factor, or the password if no factor is on. */
  | 'confirmed'

/** Whom `admit` found. */
const found = sharedRequestSlot<{ user: User; login: Login; isConfirmed: boolean }>('found')

/**
 * Lets a request through, or throws.
 * @param route.mustConfirm which users also need a recent login
 * @param route.isOpenToEnroll whether it is open to users who must have a second factor and have none yet
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFIRMATION_REQUIRED, ACCOUNTS_ENROLLMENT_REQUIRED
 */
export async function admit(
  {
    access,
    isOpenToEnroll,
    mustConfirm,
  }: {
    access: Exclude<Access, 'anyone'>
    isOpenToEnroll: boolean
    mustConfirm: ((user: User) => boolean) | undefined
  },
  request: FastifyRequest,
  reply: FastifyReply,
  readSession: SessionReader,
  options: Pick<ResolvedOptions, 'session'>,
  mustHaveFactor: MustHaveFactor,
): Promise<void> {
  const visit = await readSession(request, reply)
  if (visit !== null) {
    const { user, login } = visit
    found.set(request, { user, login, isConfirmed: isConfirmed(login, user, options.session) })
    const owed = isOpenToEnroll ? null : await factorOwed(visit, mustHaveFactor)
    if (owed !== null) throw owed
  } else {
    found.set(request, undefined)
    if (access !== 'anyone-known') throw refusal('ACCOUNTS_LOGIN_REQUIRED')
  }
  if (access === 'confirmed' || (visit !== null && mustConfirm?.(visit.user))) requireConfirmed(request)
}

/** The user that `admit` found. */
export function knownUser(request: FastifyRequest): User | null {
  return found.get(request)?.user ?? null
}

/** Whether that user must enroll, or give a factor, before using routes that aren't open to enroll. */
export async function owesFactor(request: FastifyRequest, mustHaveFactor: MustHaveFactor): Promise<boolean> {
  const visit = found.get(request)
  return visit !== undefined && (await factorOwed(visit, mustHaveFactor)) !== null
}

/** Identifies that user's session. It changes when the session is confirmed. */
export function knownSession(request: FastifyRequest): string {
  return String(found.get(request)?.login.createdAt.getTime())
}

/**
 * For actions reserved to the owner, even in a browser left open.
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED without a recent proof of identity
 */
export function requireConfirmed(request: FastifyRequest): void {
  if (!found.get(request)?.isConfirmed) throw refusal('ACCOUNTS_CONFIRMATION_REQUIRED')
}

/**
 * The user of a route for logged-in users.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED if there is none
 */
export function loggedInUser(request: FastifyRequest): User {
  return visitOf(request).user
}

/** The login of that user. Throws likewise. */
export function currentLogin(request: FastifyRequest): Login {
  return visitOf(request).login
}

function visitOf(request: FastifyRequest): { user: User; login: Login } {
  const visit = found.get(request)
  if (visit === undefined) throw refusal('ACCOUNTS_LOGIN_REQUIRED')
  return visit
}
