import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../errors.js'
import { factorOwed, type MustHaveFactor } from '../logins/enrollment.js'
import { type OwnerProof, ownerRefusal } from '../logins/owner-proof.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { sharedRequestSlot } from '../request-slot.js'
import { isConfirmed, type Login } from '../sessions/login.js'
import type { SessionReader } from '../sessions/session-reader.js'
import type { User } from '../user.js'

/** Who may call a route. Every route must say so, or the start fails. */
export const accesses = [
  /** Anyone; the logged-in user isn't even looked up. */
  'anyone',
  /** Anyone; the handler needs to know the logged-in user, if any. */
  'anyone-known',
  /** Any logged-in user. */
  'logged-in',
  /** A logged-in user with a recent proof of identity: a second factor, or the password if no factor is on. */
  'confirmed',
  /** The same, for changes of how to log in, or of the address: on an account with a login passkey, what `ownerProofs` says. */
  'owner',
] as const

export type Access = (typeof accesses)[number]

/** Whom `admit` found. */
const found = sharedRequestSlot<{ user: User; login: Login; isConfirmed: boolean }>('found')

/** What a user must prove to change how to log in; see `ownerProofs`. */
export type FindOwnerProofs = (user: User) => Promise<readonly OwnerProof[] | null>

/**
 * Lets a request through, or throws.
 * @param route.accessFor what some users need beyond `access`
 * @param route.isOpenToEnroll whether it is open to users who must have a second factor and have none yet
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFIRMATION_REQUIRED, ACCOUNTS_ENROLLMENT_REQUIRED
 */
export async function admit(
  {
    access,
    isOpenToEnroll,
    accessFor,
  }: {
    access: Exclude<Access, 'anyone'>
    isOpenToEnroll: boolean
    accessFor: ((user: User) => Access | null) | undefined
  },
  request: FastifyRequest,
  reply: FastifyReply,
  {
    readSession,
    options,
    mustHaveFactor,
    ownerProofsOf,
  }: {
    readSession: SessionReader
    options: Pick<ResolvedOptions, 'session'>
    mustHaveFactor: MustHaveFactor
    ownerProofsOf: FindOwnerProofs
  },
): Promise<void> {
  const visit = await readSession(request, reply)
  if (visit !== null) {
    const { user, login } = visit
    found.set(request, { user, login, isConfirmed: isConfirmed(login, user, options.session) })
    const owed = isOpenToEnroll ? null : await factorOwed(visit, mustHaveFactor)
    if (owed !== null) throw owed
  } else {
    found.set(request, undefined)
    if (access !== 'anyone-known') throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  }
  const needed = (visit && accessFor?.(visit.user)) ?? access
  if (needed === 'owner') await requireOwner(request, ownerProofsOf)
  else if (needed === 'confirmed') requireConfirmed(request)
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
 * @param factors what confirms, if not everything does
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED without a recent proof of identity
 */
export function requireConfirmed(request: FastifyRequest, factors?: readonly string[] | null): void {
  if (!found.get(request)?.isConfirmed)
    throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', { factors: factors ?? undefined })
}

/**
 * For changes of how to log in, or of the address.
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED, with what confirms on an account with a login passkey
 */
async function requireOwner(request: FastifyRequest, ownerProofsOf: FindOwnerProofs): Promise<void> {
  const { user, login } = visitOf(request)
  const proofs = await ownerProofsOf(user)
  const refused = ownerRefusal(login, proofs)
  if (refused !== null) throw refused
  requireConfirmed(request, proofs)
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
  if (visit === undefined) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return visit
}
