import type { ResolvedOptions } from '../options/resolve.js'
import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'

/** What a session remembers of the login that began it. */
export type Login = Pick<
  Session,
  'userId' | 'epoch' | 'createdAt' | 'lastSeenAt' | 'details' | 'methods' | 'confirmedAt'
> &
  Partial<Pick<Session, 'name' | 'confirmation'>>

/** How somebody has logged in, and when they last proved who they are. */
export type Proven = Pick<Session, 'methods' | 'confirmedAt'>

/** Milliseconds between updates of "last seen", so a read doesn't cost a write; fewer with a short idle limit. */
const touchInterval = 60_000

export function newLogin(
  user: Pick<User, 'id' | 'sessionEpoch'>,
  { methods, confirmedAt }: Proven,
  details: Login['details'],
): Login {
  const now = new Date()
  return {
    userId: user.id,
    epoch: user.sessionEpoch,
    createdAt: now,
    lastSeenAt: now,
    details,
    methods,
    confirmedAt,
  }
}

/** When a session ends by itself. */
export type SessionLimits = Pick<ResolvedOptions['session'], 'idleTimeout' | 'absoluteTimeout'>

/** The idle or the absolute limit, whichever comes first (NIST SP 800-63B-4 section 5.2). */
export function expiryOf(
  login: Pick<Login, 'createdAt' | 'lastSeenAt'>,
  { idleTimeout, absoluteTimeout }: SessionLimits,
): Date {
  return new Date(
    Math.min(login.lastSeenAt.getTime() + idleTimeout, login.createdAt.getTime() + absoluteTimeout),
  )
}

/** A session is valid if it hasn't expired, its user is active, and it has the user's epoch. */
export function isLive(login: Login, user: User, limits: SessionLimits): boolean {
  return Date.now() < expiryOf(login, limits).getTime() && user.isActive && user.sessionEpoch === login.epoch
}

/** A session that is used all the time must not reach its idle limit. */
export function isDueForTouch(
  { lastSeenAt }: Pick<Login, 'lastSeenAt'>,
  { idleTimeout }: Pick<ResolvedOptions['session'], 'idleTimeout'>,
): boolean {
  return Date.now() - lastSeenAt.getTime() >= Math.min(touchInterval, idleTimeout / 4)
}

/** Whether methods prove who somebody is. With a second factor on, only one with it counts; no methods prove nothing. */
export function isProof({ factors }: Pick<User, 'factors'>, methods: readonly string[]): boolean {
  return methods.length > 0 && (factors.length === 0 || methods.includes('mfa'))
}

/** A login after another proof of identity. */
export function confirmedNow(login: Proven, user: Pick<User, 'factors'>, methods: readonly string[]): Proven {
  const before = login.methods.filter((method) => !methods.includes(method))
  return {
    // Ordered by when each was last given.
    methods: [...before, ...new Set(methods)],
    confirmedAt: isProof(user, methods) ? new Date() : login.confirmedAt,
  }
}

/** A method of sessions that skipped the second factor on a remembered device. */
export const rememberedMethod = 'remembered'

/** Whether the owner gave one of these, rather than the host its word. */
export function isOwnProof(methods: readonly string[]): boolean {
  return methods.some((method) => method !== 'host')
}

/** What can prove who owns an account with a login passkey, the strongest first: the passkey, a code to its address. */
const ownersProofs = ['pop', 'user', 'email']

/** Methods in the order in which they prove who owns the account. */
export function weakestLast(methods: readonly string[]): string[] {
  const proofs = ownersProofs.filter((method) => methods.includes(method))
  return [...proofs, ...methods.filter((method) => !proofs.includes(method))]
}

/** Whether two factors were given in this session. */
export function hasGivenFactor({ methods }: Pick<Login, 'methods'>): boolean {
  return methods.includes('mfa')
}

/** Whether the login is two factors by itself, whichever are on: a passkey with user verification. */
export function givesTwoFactors({ methods }: Pick<Login, 'methods'>): boolean {
  return hasGivenFactor({ methods }) && methods.includes('user')
}

/**
 * Whether the last proof of identity is recent enough. It is never weaker than the account's own rule: with a
 * second factor on, a session without one has proved nothing.
 */
export function isConfirmed(
  { methods, confirmedAt }: Proven,
  { factors }: Pick<User, 'factors'>,
  { confirmLifetime }: Pick<ResolvedOptions['session'], 'confirmLifetime'>,
): boolean {
  if (factors.length > 0 && !hasGivenFactor({ methods })) return false
  return confirmedAt !== null && Date.now() - confirmedAt.getTime() < confirmLifetime
}

/**
 * Identifies a session in what is bound to it, such as a started set-up. It changes for the client that confirms, so what
 * was started with a stolen cookie or token is worthless with the owner's next one.
 */
export function sessionMark({ createdAt, confirmation = 0 }: Login): string {
  return `${createdAt.getTime()}:${confirmation}`
}
