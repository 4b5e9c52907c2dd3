import type { ResolvedOptions } from '../options/resolve.js'
import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'

/** What a session remembers of the login that began it. */
export type Login = Pick<
  Session,
  'userId' | 'epoch' | 'createdAt' | 'lastSeenAt' | 'details' | 'methods' | 'confirmedAt'
>

/** How somebody has logged in, and when they last proved who they are. */
export type Proven = Pick<Session, 'methods' | 'confirmedAt'>

/** "Last seen" is written at most so often, in milliseconds: a read must not cost a write. */
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

/** The idle or the absolute limit, whichever comes first (NIST SP 800-63B-4 section 5.2). */
export function expiryOf(
  login: Pick<Login, 'createdAt' | 'lastSeenAt'>,
  { idleTimeout, absoluteTimeout }: ResolvedOptions['session'],
): Date {
  return new Date(
    Math.min(login.lastSeenAt.getTime() + idleTimeout, login.createdAt.getTime() + absoluteTimeout),
  )
}

/** A session lives while its time is not up, its user is active, and the user's epoch is the one it began with. */
export function isLive(login: Login, user: User, options: ResolvedOptions['session']): boolean {
  return Date.now() < expiryOf(login, options).getTime() && user.isActive && user.sessionEpoch === login.epoch
}

export function isDueForTouch(login: Login): boolean {
  return Date.now() - login.lastSeenAt.getTime() >= touchInterval
}

/** A login whose owner has proved who they are once more; with a second factor on, by nothing less. By no method nothing is. */
export function confirmedNow(
  login: Proven,
  { factors }: Pick<User, 'factors'>,
  methods: readonly string[],
): Proven {
  const isProof = methods.length > 0 && (factors.length === 0 || methods.includes('mfa'))
  const before = (login.methods ?? []).filter((method) => !methods.includes(method))
  return {
    // In the order in which they were given last.
    methods: [...before, ...new Set(methods)],
    confirmedAt: isProof ? new Date() : login.confirmedAt,
  }
}

/** Among the methods of a session that skipped the second factor on a device that is remembered. */
export const rememberedMethod = 'remembered'

/** Whether two factors were given in this session. */
export function hasGivenFactor({ methods }: Pick<Login, 'methods'>): boolean {
  return methods?.includes('mfa') === true
}

/** Whether nothing less than two factors was what its owner proved last: a password since does not count. */
export function lastGaveTwoFactors({ methods }: Pick<Login, 'methods'>): boolean {
  return methods?.at(-1) === 'mfa'
}

/** Whether somebody has logged in by what is two factors by itself, whichever are on: a passkey that has verified them. */
export function givesTwoFactors({ methods }: Pick<Login, 'methods'>): boolean {
  return hasGivenFactor({ methods }) && methods?.includes('user') === true
}

/**
 * Whether the owner has proved who they are so lately that they need not again. It is never weaker than the account's
 * own rule: with a second factor on, a session without one has proved nothing.
 */
export function isConfirmed(
  { methods, confirmedAt, createdAt }: Pick<Login, 'createdAt' | 'methods' | 'confirmedAt'>,
  { factors }: Pick<User, 'factors'>,
  { confirmLifetime }: Pick<ResolvedOptions['session'], 'confirmLifetime'>,
): boolean {
  if (factors.length > 0 && !hasGivenFactor({ methods })) return false
  // A session from before methods were kept began with a password.
  const at = methods === null ? createdAt : confirmedAt
  return at !== null && Date.now() - at.getTime() < confirmLifetime
}
