import type { Names } from '../../http/input/field-schemas.js'
import type { ListAbility, UserOrder } from '../../seams/user-store.js'
import type { MountedUsers } from '../feature.js'
import { listParameters, userOrders } from './schemas.js'

/** The length of a page if `limit` doesn't say. */
export function usualPage(pageSize: number): number {
  return Math.min(50, pageSize)
}

/** Whether a list can be sorted this way: by username only if every account has one, or others would be left out. */
export function canSort(by: UserOrder['by'], abilities: readonly ListAbility[], usernames: Names): boolean {
  return abilities.includes(by) && (by === 'createdAt' || usernames === 'required')
}

/** The list's parameters. What the user store can't do is unknown, and so is sorting by an optional username. */
export function listQuery(
  abilities: readonly ListAbility[],
  usernames: Names,
  { pageSize, searchFields }: Pick<MountedUsers, 'pageSize' | 'searchFields'>,
): typeof listParameters {
  const names = Object.entries(userOrders).filter(([, by]) => canSort(by, abilities, usernames))
  const { limit, cursor, search, search_in, is_active, is_staff, is_verified, order, view } =
    listParameters.properties
  const searchesFields = searchFields.length > 0
  const findsStarts = abilities.includes('prefix')
  const query = {
    ...listParameters,
    properties: {
      limit: { ...limit, maximum: pageSize, default: usualPage(pageSize) },
      cursor,
      ...((searchesFields || findsStarts) && { search }),
      ...(searchesFields && { search_in: findsStarts ? search_in : { ...search_in, enum: ['fields'] } }),
      ...(abilities.includes('flags') && { is_active, is_staff, is_verified }),
      ...(names.length > 0 && { order: { ...order, enum: names.flatMap(([name]) => [name, `-${name}`]) } }),
      view,
    },
  }
  return query as typeof listParameters
}
