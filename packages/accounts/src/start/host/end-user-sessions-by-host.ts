import type { Deps } from '../../deps.js'
import { findUserById } from '../../identifiers/user-id.js'

/** Ends all sessions of a user for the host's own code, without calling `authorize`. Returns whether the user exists. */
export async function endUserSessionsByHost(deps: Pick<Deps, 'users'>, userId: string): Promise<boolean> {
  const user = await findUserById(deps.users, userId)
  if (user === null) return false
  const changed = await deps.users.change(user, (current) => ({
    sessionEpoch: current.sessionEpoch + 1,
  }))
  return changed !== null
}
