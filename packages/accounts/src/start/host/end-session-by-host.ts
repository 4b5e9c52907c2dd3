import type { MountCore } from '../../http/feature-core.js'
import { onUser } from './host-accounts.js'
import { sessionListOf } from './host-sessions.js'

/** Ends one session of a user for the host's own code. Returns whether there was one. */
export async function endSessionByHost(deps: MountCore, userId: string, sessionId: string): Promise<boolean> {
  const sessions = sessionListOf(deps)
  return (await onUser(deps, userId, (user) => sessions.end(null, user, sessionId))) ?? false
}
