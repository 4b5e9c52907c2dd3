import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../errors.js'
import { factorOwed, type MustHaveFactor } from '../logins/enrollment.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { isConfirmed, type Login } from '../sessions/login.js'
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
  /** Whoever is logged in and has proved lately who they are: by a second factor, or by the password where none is on. */
  | 'confirmed'

/** Whom `admit` found, on the request itself: an entry of a WeakMap costs more, above all when garbage is collected. */
const known = Symbol('fastify-accounts.known')

interface Known {
  user: User
  login: Login
  isConfirmed: boolean
}

const knownOf = (request: FastifyRequest & { [known]?: Known | undefined }): Known | undefined =>
  request[known]

function setKnown(request: FastifyRequest & { [known]?: Known | undefined }, found: Known | undefined): void {
  request[known] = found
}

/**
 * Lets a request through, or not.
 * @param route.mustConfirm of whom a recent login is asked too
 * @param route.isOpenToEnroll whether it is there for those who must have a second factor and have none yet
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
    setKnown(request, { user, login, isConfirmed: isConfirmed(login, user, options.session) })
    const owed = isOpenToEnroll ? null : await factorOwed(visit, mustHaveFactor)
    if (owed !== null) throw owed
  } else {
    setKnown(request, undefined)
    if (access !== 'anyone-known') throw refusal('ACCOUNTS_LOGIN_REQUIRED')
  }
  if (access === 'confirmed' || (visit !== null && mustConfirm?.(visit.user))) requireConfirmed(request)
}

/** The user whom `admit` found. */
export function knownUser(request: FastifyRequest): User | null {
  return knownOf(request)?.user ?? null
}

/** Whether that user must enroll, or give a factor, before they may use what is not open to enroll. */
export async function owesFactor(request: FastifyRequest, mustHaveFactor: MustHaveFactor): Promise<boolean> {
  const visit = knownOf(request)
  return visit !== undefined && (await factorOwed(visit, mustHaveFactor)) !== null
}

/** Which session of that user it is. It begins anew where it is confirmed. */
export function knownSession(request: FastifyRequest): string {
  return String(knownLogin(request)?.createdAt.getTime())
}

/** The login of that user. */
export function knownLogin(request: FastifyRequest): Login | null {
  return knownOf(request)?.login ?? null
}

/**
 * For what only the owner may do, at a browser that was left open too.
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED where nothing was proved lately
 */
export function requireConfirmed(request: FastifyRequest): void {
  if (!knownOf(request)?.isConfirmed) throw refusal('ACCOUNTS_CONFIRMATION_REQUIRED')
}

/** The user of a route that is for those who are logged in. */
export function loggedInUser(request: FastifyRequest): User {
  const user = knownUser(request)
  if (user === null) throw refusal('ACCOUNTS_LOGIN_REQUIRED')
  return user
}
