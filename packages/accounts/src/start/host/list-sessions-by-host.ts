import type { MountCore } from '../../http/feature-core.js'
import type { ListedSession, SessionList } from '../../sessions/session-list.js'
import { onUser } from '../../users/host-accounts.js'

/** A session as your app's own code sees it. */
export interface HostSession {
  /** For `endSession`; it opens nothing. */
  id: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  /** What its user calls the device: only of tokens, which an app may have asked for with a name. */
  name: string | null
  browser: string | null
  system: string | null
  ip: string | null
}

export async function listSessionsByHost(
  deps: Pick<MountCore, 'users'>,
  sessions: SessionList,
  userId: string,
): Promise<HostSession[] | null> {
  return onUser(deps, userId, async (user) => (await sessions.list(null, user)).map(hostSession))
}

function hostSession({ id, created_at, last_seen_at, expires_at, ...shown }: ListedSession): HostSession {
  const { name, browser, system, ip } = shown
  const [createdAt, lastSeenAt, expiresAt] = [created_at, last_seen_at, expires_at].map(
    (time) => new Date(time),
  ) as [Date, Date, Date]
  return { id, createdAt, lastSeenAt, expiresAt, name, browser, system, ip }
}
