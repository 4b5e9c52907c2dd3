import { type FieldError, fieldError, invalidInput } from '../../errors.js'
import type { MountedUsers } from '../../features/feature.js'
import { canSort, usualPage } from '../../features/staff/list-query.js'
import { listUsers } from '../../features/staff/list-users.js'
import type { MountCore } from '../../http/feature-core.js'
import { maxEmailLength } from '../../identifiers/email.js'
import type { ListAbility, UserOrder } from '../../seams/user-store.js'
import { createListCursor, readPage } from '../../tokens/list-cursor.js'
import type { User } from '../../user.js'
import { listOf } from '../../users/host-accounts.js'
import { argumentFaults, isPlainText } from '../../validation.js'

/** Which users `app.accounts.listUsers` lists, as GET /user/ does; what the user store can't do is unknown. */
export interface UserListInput {
  /** 1 to `users.pageSize`. Default 50, or that if it is less. */
  limit?: number | undefined
  /** `next` of the page before; the rest of the query must be the same. Default: the first page. */
  cursor?: string | undefined
  /** How a username or an address begins; or a text in your own fields. Default: all. */
  search?: string | undefined
  /** Where `search` is sought: `'fields'` are those of `users.searchFields`. Default `'names'`. */
  searchIn?: 'names' | 'fields' | undefined
  isActive?: boolean | undefined
  isStaff?: boolean | undefined
  isVerified?: boolean | undefined
  /**
   * Default `'createdAt'`, if the store can sort by it: the oldest come first. Not with a search in names: it lists users
   * whose name begins so, by name, then those whose address does, by address.
   */
  order?: 'createdAt' | '-createdAt' | 'username' | '-username' | undefined
}

const flags = ['isActive', 'isStaff', 'isVerified'] as const
const orders = { createdAt: 'createdAt', username: 'usernameKey' } as const

/** What lists can do here. */
interface ListAbilities extends Pick<MountedUsers, 'pageSize' | 'searchFields'> {
  listsBy: readonly ListAbility[]
  names: MountCore['options']['names']
}

/** Without routes for users there is no option that says more. */
const withoutRoutes = { pageSize: 100, searchFields: [] }

export async function listUsersByHost(
  deps: MountCore,
  query: UserListInput,
): Promise<{ users: User[]; next: string | null }> {
  const list = listOf(deps)
  const { users: mounted, names, secret } = deps.options
  const { pageSize, searchFields } = mounted === false ? withoutRoutes : mounted
  const { listsBy = [] } = deps.users
  const faults = faultsOf(query, { pageSize, searchFields, listsBy, names })
  if (faults.length > 0) throw invalidInput(...faults)
  const { limit = usualPage(pageSize), cursor, search, searchIn, order, ...where } = query
  const positions = createListCursor(secret)
  const listName = JSON.stringify(['host', search, searchIn, order, ...flags.map((flag) => where[flag])])
  const filters = Object.entries(where).filter(([, value]) => value !== undefined)
  return readPage(positions, listName, cursor, (after) =>
    listUsers({ ...deps, list }, 'host', {
      limit,
      after,
      search,
      searchFields: searchIn === 'fields' ? searchFields : undefined,
      where: Object.fromEntries(filters),
      order: search !== undefined && searchIn !== 'fields' ? undefined : orderOf(order, listsBy),
      isDetailed: true,
    }),
  )
}

function orderOf(order: UserListInput['order'], listsBy: readonly ListAbility[]): UserOrder | undefined {
  if (order === undefined) return listsBy.includes('createdAt') ? { by: 'createdAt' } : undefined
  const name = order.replace('-', '') as keyof typeof orders
  return { by: orders[name], descending: order.startsWith('-') }
}

function faultsOf(
  query: UserListInput,
  { pageSize, searchFields, listsBy, names }: ListAbilities,
): FieldError[] {
  const { limit, cursor, search, searchIn = 'names', order } = query
  const places = [
    ...(listsBy.includes('prefix') ? ['names'] : []),
    ...(searchFields.length > 0 ? ['fields'] : []),
  ]
  const faults = argumentFaults(query, {
    flags: listsBy.includes('flags') ? flags : [],
    others: ['limit', 'cursor', 'order', ...(places.length > 0 ? ['search', 'searchIn'] : [])],
  })
  const isText = (value: unknown, longest: number): boolean =>
    typeof value === 'string' && value !== '' && value.length <= longest && isPlainText(value)
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= pageSize))
    faults.push(fieldError('limit', 'invalid'))
  if (cursor !== undefined && !isText(cursor, 1024)) faults.push(fieldError('cursor', 'invalid'))
  if (search !== undefined && !isText(search, maxEmailLength)) faults.push(fieldError('search', 'invalid'))
  if (search !== undefined && places.length > 0 && !places.includes(searchIn))
    faults.push(fieldError('searchIn', 'invalid'))
  if (query.searchIn !== undefined && search === undefined) faults.push(fieldError('search', 'required'))
  const by = Object.entries(orders).find(([name]) => order === name || order === `-${name}`)?.[1]
  const isByStart = search !== undefined && searchIn === 'names'
  const isOrder = by !== undefined && canSort(by, listsBy, names) && !isByStart
  if (order !== undefined && !isOrder) faults.push(fieldError('order', 'invalid'))
  return faults
}
