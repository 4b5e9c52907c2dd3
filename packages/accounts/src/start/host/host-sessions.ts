import type { MountCore } from '../../http/feature-core.js'
import type { SessionList } from '../../sessions/session-list.js'

/** @throws Error for a mount whose sessions are kept by the host's own @fastify/session */
export function sessionListOf({ sessionList }: Pick<MountCore, 'sessionList'>): SessionList {
  if (sessionList === null)
    throw new Error(
      'fastify-accounts: sessions can only be listed in a sessionStore, which the app’s own @fastify/session replaces',
    )
  return sessionList
}
