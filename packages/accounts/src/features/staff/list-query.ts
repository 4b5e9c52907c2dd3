import type { TObject } from '@sinclair/typebox'
import type { Names } from '../../http/field-schemas.js'
import type { ListAbility } from '../../seams/user-store.js'
import { listParameters } from './schemas.js'

/** The sort orders of the list over HTTP; a minus reverses them. */
export const userOrders = { created_at: 'createdAt', username: 'usernameKey' } as const
type OrderName = keyof typeof userOrders

export interface ListQuery {
  limit: number
  cursor?: string
  search?: string
  is_active?: boolean
  is_staff?: boolean
  is_verified?: boolean
  order?: OrderName | `-${OrderName}`
  view?: 'public' | 'own'
}

/** The list's parameters. What the user store can't do is unknown, and so is sorting by an optional username. */
export function listQuery(
  abilities: readonly ListAbility[],
  usernames: Names,
): TObject & { static: ListQuery } {
  const names = Object.entries(userOrders).filter(
    ([, by]) => abilities.includes(by) && (by !== 'usernameKey' || usernames === 'required'),
  )
  const { limit, cursor, search, is_active, is_staff, is_verified, order, view } = listParameters.properties
  const query = {
    ...listParameters,
    properties: {
      limit,
      cursor,
      ...(abilities.includes('prefix') && { search }),
      ...(abilities.includes('flags') && { is_active, is_staff, is_verified }),
      ...(names.length > 0 && { order: { ...order, enum: names.flatMap(([name]) => [name, `-${name}`]) } }),
      view,
    },
  }
  return query as TObject & { static: ListQuery }
}
