import type { ResolvedOptions } from '../options/options.js'
import type { Session } from '../seams/session-store.js'
import type { User } from '../user.js'

/** What a session remembers of the login that began it. */
export type Login = Pick<Session, 'userId' | 'epoch' | 'createdAt' | 'lastSeenAt' | 'details'>

/** "Last seen" is written at most so often, in milliseconds: a read must not cost a write. */
const touchInterval = 60_000

export function newLogin(user: User, details: Login['details']): Login {
  const now = new Date()
  return { userId: user.id, epoch: user.sessionEpoch, createdAt: now, lastSeenAt: now, details }
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

/** Whether the password was given so lately that it need not be asked for again. */
export function isConfirmed(
  login: Pick<Login, 'createdAt'>,
  { confirmLifetime }: Pick<ResolvedOptions['session'], 'confirmLifetime'>,
): boolean {
  return Date.now() - login.createdAt.getTime() < confirmLifetime
}
