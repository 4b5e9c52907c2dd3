import type { TObject } from '@sinclair/typebox'
import { fieldError, invalidInput } from '../errors.js'
import { deleteUser } from '../services/delete-user.js'
import { listUsers } from '../services/list-users.js'
import { logOutUser } from '../services/log-out-user.js'
import { showUser } from '../services/show-user.js'
import { updateUser } from '../services/update-user.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { ListCursor } from '../tokens/list-cursor.js'
import { type AccountUser, accountUser, type FieldsSchema, ownUser, publicUser } from '../user.js'
import { loggedInUser, requireConfirmed } from './access.js'
import { noteUser } from './audit.js'
import { type CreationDeps, creationRoutes } from './creation.js'
import type { Route } from './route.js'
import {
  type ListQuery,
  listQuery,
  noReply,
  ownUserReply,
  publicUserReply,
  type UserFlagsBody,
  type UserParams,
  userFlagsBody,
  userListReply,
  userParams,
} from './schemas.js'

type UsersDeps = CreationDeps & {
  keeper: SessionKeeper
  cursor: ListCursor
  /** The absolute URL of a path of the users routes. */
  urlOf(path: string): string
}

/** The users routes: what variant A has, what variant B has. */
export function usersRoutes(deps: UsersDeps): Route[] {
  const { variant } = deps.usersOptions
  return [
    ...(variant === 'signup' ? [] : [...accountRoutes(deps), ...creationRoutes(deps, 'user')]),
    ...(variant === 'user' ? [] : creationRoutes(deps, 'signup')),
  ]
}

/** List, show, manage and delete: variant A only. */
function accountRoutes(deps: UsersDeps): Route[] {
  const { fields, cursor, keeper, urlOf } = deps
  const { publicFields } = deps.usersOptions
  const publicReply = publicUserReply(fields, publicFields)

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
      schema: { querystring: listQuery, response: { 200: userListReply(publicReply) } },
      async handler(request, reply) {
        const query = request.query as ListQuery
        const after = query.cursor === undefined ? undefined : cursor.decode(query.cursor)
        if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
        const page = { limit: query.limit, after, search: query.search }
        const { users, next } = await listUsers(deps, accountUser(loggedInUser(request)), page)
        const search = query.search === undefined ? '' : `&search=${encodeURIComponent(query.search)}`
        const nextUrl =
          next && `${urlOf('/user/')}?limit=${query.limit}${search}&cursor=${cursor.encode(next)}`
        if (nextUrl !== null) reply.header('link', `<${nextUrl}>; rel="next"`)
        return { results: users.map((user) => publicUser(user, publicFields)), next: nextUrl }
      },
    },
    {
      name: 'user-detail',
      action: 'show-user',
      method: 'GET',
      path: '/user/:pk',
      operation: { id: 'showUser', summary: 'Show a user', errors: ['ACCOUNTS_NOT_FOUND'] },
      access: 'logged-in',
      budget: null,
      // A user is shown in one of two views; the view itself says what is in it.
      schema: { params: userParams, response: { 200: ownOrPublicReply(fields, publicReply) } },
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
          'ACCOUNTS_CONFLICT',
        ],
      },
      access: 'logged-in',
      budget: null,
      schema: {
        params: userParams,
        body: userFlagsBody,
        response: { 200: ownOrPublicReply(fields, publicReply) },
      },
      async handler(request) {
        const actor = loggedInUser(request)
        const { pk } = request.params as UserParams
        const { is_active, is_staff } = request.body as UserFlagsBody
        // A browser that was left open must not make staff that lasts, nor let anybody in again.
        if (is_staff !== undefined || is_active === true) requireConfirmed(request)
        const wanted = { id: pk, flags: { isActive: is_active, isStaff: is_staff } }
        const target = await updateUser(deps, actor, wanted)
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
        await logOutUser(deps, actor, pk)
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

function ownOrPublicReply(fields: FieldsSchema | undefined, publicReply: TObject): TObject {
  const own = ownUserReply(fields)
  return { ...own, required: publicReply.required ?? [] }
}
