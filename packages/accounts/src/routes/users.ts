import type { TObject } from '@sinclair/typebox'
import { fieldError, invalidInput } from '../errors.js'
import type { UserFilter, UserOrder } from '../seams/user-store.js'
import { deleteUser } from '../services/delete-user.js'
import { endUserSessions } from '../services/end-user-sessions.js'
import { listUsers } from '../services/list-users.js'
import { showUser } from '../services/show-user.js'
import { updateUser } from '../services/update-user.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { ListCursor } from '../tokens/list-cursor.js'
import { type AccountUser, accountUser, ownUser, publicUser, type UserFields } from '../user.js'
import { loggedInUser, requireConfirmed } from './access.js'
import { noteUser } from './audit.js'
import { type CreationDeps, creationRoutes } from './creation.js'
import { inRequestLanguage } from './request-language.js'
import type { Route } from './route.js'
import {
  type ListQuery,
  listQuery,
  noReply,
  ownUserReply,
  publicUserReply,
  type UserBody,
  type UserParams,
  userBody,
  userListReply,
  userOrders,
  userParams,
} from './schemas.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    'list-users': true
    'show-user': true
    'update-user': true
    'end-user-sessions': true
  }
}

type UsersDeps = CreationDeps & {
  keeper: SessionKeeper
  cursor: ListCursor
}

/** The users routes: what variant A has, what variant B has. */
export function usersRoutes(deps: UsersDeps): Route[] {
  const { variant } = deps.usersOptions
  return [
    ...(variant === 'signup'
      ? []
      : [...listRoutes(deps), ...accountRoutes(deps), ...creationRoutes(deps, 'user')]),
    ...(variant === 'user' ? [] : creationRoutes(deps, 'signup')),
  ]
}

/** The list: variant A only, where the user store can list. */
function listRoutes(deps: UsersDeps): Route[] {
  const { fields, cursor } = deps
  const { list, listsBy = [] } = deps.users
  const { publicFields, list: isWanted } = deps.usersOptions
  const { names } = deps.options
  if (list === undefined || !isWanted) return []
  // Without a word the oldest come first, where the store can say who they are.
  const ownOrder = listsBy.includes('createdAt') ? 'created_at' : undefined

  return [
    {
      name: 'user-list',
      action: 'list-users',
      method: 'GET',
      path: '/user/',
      operation: {
        id: 'listUsers',
        summary: 'List users: a page may be shorter than its limit, and only a `next` of null ends the list',
        errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: {
        querystring: listQuery(listsBy, names),
        response: {
          200: userListReply(
            ownOrPublicReply(ownUserReply(fields, names), publicUserReply(fields, publicFields, names)),
          ),
        },
      },
      async handler(request, reply) {
        const { limit, cursor: from, ...query } = request.query as ListQuery
        const asked = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
        )
        asked.sort()
        const after = from === undefined ? undefined : cursor.decode(from, `${asked}`)
        if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
        const isDetailed = query.view === 'own'
        const { users, next } = await listUsers({ ...deps, list }, accountUser(loggedInUser(request)), {
          limit,
          after,
          search: query.search,
          where: whereOf(query),
          order: orderOf(query.order ?? ownOrder),
          isDetailed,
        })
        const nextUrl =
          next && `${deps.where.url('user-list')}?${pageQuery(limit, asked, cursor.encode(next, `${asked}`))}`
        if (nextUrl !== null) reply.header('link', `<${nextUrl}>; rel="next"`)
        const results = users.map((user) => (isDetailed ? ownUser(user) : publicUser(user, publicFields)))
        return { results, next: nextUrl }
      },
    },
  ]
}

/** The parameters of one page, and what makes it a page of this list between them. */
function pageQuery(limit: number, asked: URLSearchParams, cursor: string): string {
  return [`limit=${limit}`, ...(asked.size > 0 ? [asked] : []), `cursor=${cursor}`].join('&')
}

function whereOf(query: Pick<ListQuery, 'is_active' | 'is_staff' | 'is_verified'>): UserFilter {
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

/** Show, manage and delete: variant A only. */
function accountRoutes(deps: UsersDeps): Route[] {
  const { fields, keeper } = deps
  const { publicFields } = deps.usersOptions
  const { names } = deps.options
  const publicReply = publicUserReply(fields, publicFields, names)

  return [
    {
      name: 'user-detail',
      action: 'show-user',
      method: 'GET',
      path: '/user/:pk',
      operation: { id: 'showUser', summary: 'Show a user', errors: ['ACCOUNTS_NOT_FOUND'] },
      access: 'logged-in',
      budget: null,
      // A user is shown in one of two views; the view itself says what is in it.
      schema: {
        params: userParams,
        response: { 200: ownOrPublicReply(ownUserReply(fields, names), publicReply) },
      },
      async handler(request) {
        const actor = accountUser(loggedInUser(request))
        const { pk } = request.params as UserParams
        const target = await showUser(deps, actor, pk)
        noteUser(request, target)
        return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
      },
    },
    {
      name: 'user-detail',
      action: 'update-user',
      method: 'PATCH',
      path: '/user/:pk',
      operation: {
        id: 'updateUser',
        summary: 'Change a user',
        errors: [
          'ACCOUNTS_FORBIDDEN',
          'ACCOUNTS_CONFIRMATION_REQUIRED',
          'ACCOUNTS_NOT_FOUND',
          'ACCOUNTS_USERNAME_TAKEN',
          'ACCOUNTS_EMAIL_TAKEN',
          'ACCOUNTS_CONFLICT',
        ],
      },
      access: 'logged-in',
      budget: null,
      schema: {
        params: userParams,
        body: userBody(fields, names),
        response: { 200: ownOrPublicReply(ownUserReply(fields, names), publicReply) },
      },
      async handler(request) {
        const actor = loggedInUser(request)
        const { pk } = request.params as UserParams
        const { is_active, ...others } = request.body as UserBody & UserFields
        // A browser that was left open must not make staff that lasts, nor give an account away, nor let anybody in again.
        if (is_active === true || Object.keys(others).length > 0) requireConfirmed(request)
        const { username, email, is_staff, is_verified, ...own } = others as UserBody & UserFields
        const target = await updateUser(inRequestLanguage(deps, request), actor, pk, {
          ...{ username, email, fields: own },
          flags: { isActive: is_active, isStaff: is_staff, isVerified: is_verified },
        })
        noteUser(request, target)
        return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
      },
    },
    {
      name: 'user-end-sessions',
      action: 'end-user-sessions',
      method: 'POST',
      path: '/user/:pk/end-sessions/',
      operation: {
        id: 'endUserSessions',
        summary: 'End the sessions of a user',
        errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: userParams, response: { 204: noReply } },
      async handler(request, reply) {
        const actor = accountUser(loggedInUser(request))
        const { pk } = request.params as UserParams
        await endUserSessions(deps, actor, pk)
        noteUser(request, { id: pk })
        return reply.code(204).send()
      },
    },
    {
      name: 'user-detail',
      action: 'delete-user',
      method: 'DELETE',
      path: '/user/:pk',
      operation: {
        id: 'deleteUser',
        summary: 'Delete a user',
        // The last one where it is oneself.
        errors: [
          'ACCOUNTS_FORBIDDEN',
          'ACCOUNTS_NOT_FOUND',
          'ACCOUNTS_CONFLICT',
          'ACCOUNTS_CONFIRMATION_REQUIRED',
        ],
      },
      access: 'confirmed',
      budget: null,
      schema: { params: userParams, response: { 204: noReply } },
      async handler(request, reply) {
        const actor = loggedInUser(request)
        const { pk } = request.params as UserParams
        await deleteUser(deps, actor, pk)
        noteUser(request, { id: pk })
        if (pk === actor.id) await keeper.forget(request, reply)
        return reply.code(204).send()
      },
    },
  ]
}

function seesAll(actor: Pick<AccountUser, 'id' | 'isStaff'>, target: Pick<AccountUser, 'id'>): boolean {
  return actor.id === target.id || actor.isStaff
}

function ownOrPublicReply(own: TObject, publicReply: TObject): TObject {
  return { ...own, required: publicReply.required ?? [] }
}
