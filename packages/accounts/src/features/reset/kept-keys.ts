import type { Deps } from '../../deps.js'
import { nothingGranted } from '../../seams/before.js'
import { apiKeysOf } from '../../tokens/api-key.js'
import { noPassword, type StoredUser, withChanges } from '../../user.js'
import { resetChanges } from '../../users/change.js'

/** The names of the API keys that go on working after a reset, unless it ends them. */
export function keptKeys({ links }: Pick<Deps['options'], 'links'>, user: StoredUser): string[] {
  const later = withChanges(user, resetChanges(user, noPassword, links.undoLifetime, nothingGranted))
  return apiKeysOf(later)
    .filter(({ expiresAt }) => Date.now() < Date.parse(expiresAt))
    .map(({ name }) => name)
}
