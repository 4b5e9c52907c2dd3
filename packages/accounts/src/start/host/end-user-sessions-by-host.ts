import type { Deps } from '../../deps.js'
import { endUserSessions } from '../../features/staff/end-user-sessions.js'
import { foundOrNull } from './host-accounts.js'

/** Ends all sessions of a user for the host's own code, without calling `authorize`. Returns whether the user exists. */
export async function endUserSessionsByHost(
  deps: Pick<Deps, 'users' | 'options'>,
  userId: string,
): Promise<boolean> {
  const ended = await foundOrNull(async () => {
    await endUserSessions(deps, 'host', userId)
    return true
  })
  return ended ?? false
}
