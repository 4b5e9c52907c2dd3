import type { OrganizationDeps } from '../parts.js'
import type { Actor } from './inside.js'

/**
 * What spends a limit of the actor's for the first attempt of a change, and nothing for the next ones. The app's own code has no
 * limits.
 * @throws AccountsError ACCOUNTS_THROTTLED, when called
 */
export function spendOnce(
  { throttle }: Pick<OrganizationDeps, 'throttle'>,
  limit: 'changeOrganization',
  actor: Actor,
): () => Promise<void> {
  let isSpent = false
  return async () => {
    if (isSpent || actor === 'host') return
    isSpent = true
    await throttle.spend(limit, actor.id)
  }
}
