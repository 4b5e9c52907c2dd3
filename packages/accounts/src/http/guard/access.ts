import type { FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import { factorOwed, type MustHaveFactor } from '../../logins/enrollment.js'
import { type OwnerProof, ownerRefusal } from '../../logins/owner-proof.js'
import { requireConfirmed, type Who } from '../../logins/who.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { sharedRequestSlot } from '../../request-slot.js'
import type { AuthRecheck } from '../../sessions/auth-recheck.js'
import type { Client } from '../../sessions/client.js'
import type { FoundVisit, SessionReader } from '../../sessions/session-reader.js'
import { isConfirmed } from '../../sessions/session-rules.js'
import type { User } from '../../user.js'

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
const found = sharedRequestSlot<Who>('found')

/** The logged-in user of a request to a route that asks, if any. */
export function whoOf(request: FastifyRequest): Who | null {
  return found.get(request) ?? null
}

/** What a user must prove to change how to log in; see `ownerProofs`. */
export type FindOwnerProofs = (user: User) => Promise<readonly OwnerProof[] | null>

/** Who may call a route, as it says. */
export interface AccessRule<Asked extends Access = Access> {
  access: Asked
  /** What some users need beyond `access`; `null` for nothing. Default: nothing. */
  accessFor?: (user: User) => Access | null
  /** Whether it is open to users who must have a second factor and have none yet. Default `false`. */
  isOpenToEnroll?: boolean
}

export interface AdmitDeps {
  readSession: SessionReader
  options: Pick<ResolvedOptions, 'session'>
  mustHaveFactor: MustHaveFactor
  ownerProofsOf: FindOwnerProofs
  recheck: AuthRecheck
}

/**
 * Lets a request through, or throws, now and once its body has arrived; not for access `anyone`.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFIRMATION_REQUIRED, ACCOUNTS_ENROLLMENT_REQUIRED
 */
export async function admit(
  { access, accessFor, isOpenToEnroll = false }: AccessRule,
  request: FastifyRequest,
  client: Client,
  { readSession, options, mustHaveFactor, ownerProofsOf, recheck }: AdmitDeps,
): Promise<void> {
  const look = async () => {
    const visit = await readSession(client).catch((error: unknown) => {
      // It doesn't matter who is logged in: a token that has ended is nobody's.
      if (access === 'anyone-known' && isOpenToEnroll && isLoginRequired(error)) return null
      throw error
    })
    return { visit, credential: visit?.credential ?? null }
  }
  await recheck.look(request, look, ({ visit }) => use(visit))

  async function use(visit: FoundVisit | null): Promise<void> {
    if (visit === null) {
      if (access !== 'anyone-known') throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
      return
    }
    const { user, login } = visit
    const who: Who = { user, login, isConfirmed: isConfirmed(login, user, options.session) }
    found.set(request, who)
    const owed = isOpenToEnroll ? null : await factorOwed(visit, mustHaveFactor)
    if (owed !== null) throw owed
    const needed = accessFor?.(user) ?? access
    if (needed === 'owner') await requireOwner(who, ownerProofsOf)
    else if (needed === 'confirmed') requireConfirmed(who)
  }
}

const isLoginRequired = (error: unknown): boolean =>
  error instanceof AccountsError && error.code === 'ACCOUNTS_LOGIN_REQUIRED'

/**
 * For changes of how to log in, or of the address.
 * @throws AccountsError ACCOUNTS_CONFIRMATION_REQUIRED, with what confirms on an account with a login passkey
 */
async function requireOwner(who: Who, ownerProofsOf: FindOwnerProofs): Promise<void> {
  const proofs = await ownerProofsOf(who.user)
  const refused = ownerRefusal(who.login, proofs)
  if (refused !== null) throw refused
  requireConfirmed(who, proofs)
}
