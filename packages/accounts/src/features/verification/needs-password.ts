import type { Deps } from '../../deps.js'
import { type StoredUser, withChanges } from '../../user.js'
import { plainProof } from '../../users/unproven.js'

/** Whether the maker of an account could not log in to it once its address is verified: they choose a password with that. */
export function needsPassword({ hasWayIn }: Pick<Deps, 'hasWayIn'>, user: StoredUser): boolean {
  return !hasWayIn(withChanges(user, plainProof(user, 'maker')))
}
