import type { DeletionPlan, Deps } from '../deps.js'
import type { Feature } from './feature.js'

/**
 * What the features of a mount do along with the deletion of a user, as one plan.
 * @throws Error if two of them bring `deleteStored`: which do depends on the user, so no start can tell
 */
export function composeDeletion(features: readonly Feature[]): Deps['planDeletion'] {
  const planning = features.filter(({ deletion }) => deletion !== undefined)
  return async (user, deps) => {
    const plans: DeletionPlan[] = []
    for (const feature of planning) {
      const plan = await feature.deletion?.(user, deps)
      if (plan) plans.push(plan)
    }
    const [deleteStored, another] = plans.flatMap((plan) => plan.deleteStored ?? [])
    if (another !== undefined)
      throw new Error('fastify-accounts: two features delete users with rows of their own')
    return {
      async before() {
        for (const plan of plans) if ((await plan.before?.()) === false) return false
        return true
      },
      messages: plans.flatMap(({ messages = [] }) => messages),
      ...(deleteStored && { deleteStored }),
      async after() {
        for (const plan of plans) await plan.after?.()
      },
    }
  }
}
