import { fieldError, invalidInput } from '../../errors.js'
import { shownUserReply, userListReply } from '../../http/output/reply-schemas.js'
import { type Route, route } from '../../http/route.js'
import type { FlagFilter, UserOrder } from '../../seams/user-store.js'
import { createListCursor } from '../../tokens/list-cursor.js'
import { accountUser, ownUser, publicUser } from '../../user.js'
import type { FeatureCore, MountedUsers } from '../feature.js'
import { listQuery } from './list-query.js'
import { listUsers } from './list-users.js'
import { type ListQuery, userOrders } from './schemas.js'

/** Characters of a URL in the `Link` header: proxies refuse a long response head, and drop a process that sends one. */
const longestLink = 2000

/** The list, if the user store can list. */
export function listRoutes(core: FeatureCore, users: MountedUsers): Route[] {
  const { publicFields, list: isWanted, searchFields } = users
  const { names, secret } = core.options
  const { list, listsBy = [] } = core.users
  if (list === undefined || !isWanted) return []
  const cursor = createListCursor(secret)
  const findsStarts = listsBy.includes('prefix')
  // By default the oldest come first, if the store can sort by age.
  const ownOrder = listsBy.includes('createdAt') ? 'created_at' : undefined

  return [
    route({
      name: 'user-list',
      action: 'list-users',
      method: 'GET',
      path: '/user/',
      operation: {
        id: 'listUsers',
        summary: 'List users. A page may be shorter than its limit; the list ends when `next` is null',
        authorize: ['listUsers'],
        errors: ['ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: {
        querystring: listQuery(listsBy, names, users),
        response: { 200: userListReply(shownUserReply(core.options, publicFields)) },
      },
      async handle({ query: { limit, cursor: from, ...query }, who }, deps) {
        const parameters = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
        )
        parameters.sort()
        const after = from === undefined ? undefined : cursor.decode(from, `${parameters}`)
        if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
        if (query.search_in !== undefined && query.search === undefined)
          throw invalidInput(fieldError('search', 'required'))
        const isByStart = query.search !== undefined && findsStarts && query.search_in !== 'fields'
        if (isByStart && query.order !== undefined) throw invalidInput(fieldError('order', 'invalid'))
        const isDetailed = query.view === 'own'
        const { users: listed, next } = await listUsers({ ...deps, list }, accountUser(who.user), {
          limit,
          after,
          search: query.search,
          searchFields: query.search_in === 'fields' || !findsStarts ? searchFields : undefined,
          where: whereOf(query),
          order: isByStart ? undefined : orderOf(query.order ?? ownOrder),
          isDetailed,
        })
        const nextUrl =
          next &&
          `${deps.where.url('user-list')}?${pageQuery(limit, parameters, cursor.encode(next, `${parameters}`))}`
        const headers =
          nextUrl !== null && nextUrl.length <= longestLink ? { link: `<${nextUrl}>; rel="next"` } : {}
        const results = listed.map((user) => (isDetailed ? ownUser(user) : publicUser(user, publicFields)))
        return { body: { results, next: nextUrl }, headers }
      },
    }),
  ]
}

/** The query of one page, including the parameters that identify the list. */
function pageQuery(limit: number, parameters: URLSearchParams, cursor: string): string {
  return [`limit=${limit}`, ...(parameters.size > 0 ? [parameters] : []), `cursor=${cursor}`].join('&')
}

function whereOf(query: Pick<ListQuery, 'is_active' | 'is_staff' | 'is_verified'>): FlagFilter {
  const { is_active, is_staff, is_verified } = query
  return {
    ...(is_active !== undefined && { isActive: is_active }),
    ...(is_staff !== undefined && { isStaff: is_staff }),
    ...(is_verified !== undefined && { isVerified: is_verified }),
  }
}

function orderOf(order: ListQuery['order']): UserOrder | undefined {
  if (order === undefined) return undefined
  const descending = order.startsWith('-')
  const name = order.slice(descending ? 1 : 0) as keyof typeof userOrders
  return { by: userOrders[name], descending }
}
