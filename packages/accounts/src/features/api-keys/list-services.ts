import type { Deps } from '../../deps.js'
import type { UserPosition } from '../../seams/user-store.js'
import type { User } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { checkManagesServices } from './keys/with-service.js'

const perPage = 100

/**
 * One page of service accounts.
 * @returns `next`: the position after which the next page begins, `null` on the last one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_THROTTLED
 */
export async function listServices(
  deps: Pick<Deps, 'throttle' | 'options'> & { list: NonNullable<Deps['users']['list']> },
  actor: Actor,
  after: UserPosition | undefined,
): Promise<{ services: User[]; next: UserPosition | null }> {
  await checkManagesServices(deps, actor)
  if (actor !== 'host') await deps.throttle.spend('listUsers', actor.id)
  const found = await deps.list({ limit: perPage + 1, after, where: { kind: 'service' } })
  const services = found.slice(0, perPage)
  return { services, next: found.length > perPage ? (services.at(-1) ?? null) : null }
}
