import type { Deps } from '../../deps.js'
import { type StoredUser, withChanges } from '../../user.js'
import { ownershipChanges } from '../../users/ownership/table.js'

/** Whether the maker of an account could not log in to it once its address is verified: they choose a password with that. */
export function needsPassword(
  { hasWayIn, options }: Pick<Deps, 'hasWayIn' | 'options'>,
  user: StoredUser,
): boolean {
  return !hasWayIn(withChanges(user, ownershipChanges('proved-by-maker', user, options) ?? {}))
}
