import { apiKeysOf } from '../../tokens/api-key.js'
import { type StoredUser, withChanges } from '../../user.js'
import { type OwnershipEvent, ownershipChanges } from '../../users/ownership/table.js'
import type { OwnershipOptions } from '../../users/ownership/verbs.js'

/** The names of the API keys that go on working after a reset, unless it ends them. */
export function keptKeys(options: OwnershipOptions, event: OwnershipEvent, user: StoredUser): string[] {
  const later = withChanges(user, ownershipChanges(event, user, options) ?? {})
  return apiKeysOf(later)
    .filter(({ expiresAt }) => Date.now() < Date.parse(expiresAt))
    .map(({ name }) => name)
}
