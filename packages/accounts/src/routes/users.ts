import { deleteUser } from '../services/delete-user.js'
import { endUserSessions } from '../services/end-user-sessions.js'
import { showUser } from '../services/show-user.js'
import { updateUser } from '../services/update-user.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { ListCursor } from '../tokens/list-cursor.js'
import { type AccountUser, accountUser, ownUser, publicUser, type UserFields } from '../user.js'
import { loggedInUser, requireConfirmed } from './access.js'
import { noteUser } from './audit.js'
import { type CreationDeps, creationRoutes } from './creation.js'
import { shownUserReply } from './reply-schemas.js'
import { inRequestLanguage } from './request-language.js'
import { type UserBody, userBody } from './request-schemas.js'
import type { Route } from './route.js'
import { noReply } from './schemas/replies.js'
import { type UserParams, userParams } from './schemas/requests.js'
import { listRoutes } from './user-list.js'

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

/** The users routes of variants A and B. */
export function usersRoutes(deps: UsersDeps): Route[] {
  const { variant } = deps.usersOptions
  return [
    ...(variant === 'signup'
      ? []
      : [...listRoutes(deps), ...accountRoutes(deps), ...creationRoutes(deps, 'user')]),
    ...(variant === 'user' ? [] : creationRoutes(deps, 'signup')),
  ]
}

/** Show, manage and delete: variant A only. */
function accountRoutes(deps: UsersDeps): Route[] {
  return [showRoute(deps), updateRoute(deps), endSessionsRoute(deps), deleteRoute(deps)]
}

function showRoute(deps: UsersDeps): Route {
  const { fields } = deps
  const { publicFields } = deps.usersOptions
  return {
    name: 'user-detail',
    action: 'show-user',
    method: 'GET',
    path: '/user/:pk',
    operation: { id: 'showUser', summary: 'Show a user', errors: ['ACCOUNTS_NOT_FOUND'] },
    access: 'logged-in',
    budget: null,
    schema: {
      params: userParams,
      response: { 200: shownUserReply(fields, publicFields, deps.options.names) },
    },
    async handler(request) {
      const actor = accountUser(loggedInUser(request))
      const { pk } = request.params as UserParams
      const target = await showUser(deps, actor, pk)
      noteUser(request, target)
      return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
    },
  }
}

function updateRoute(deps: UsersDeps): Route {
  const { fields } = deps
  const { publicFields } = deps.usersOptions
  return {
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
      body: userBody(fields, deps.options.names),
      response: { 200: shownUserReply(fields, publicFields, deps.options.names) },
    },
    async handler(request) {
      const actor = loggedInUser(request)
      const { pk } = request.params as UserParams
      const { is_active, ...others } = request.body as UserBody & UserFields
      // A browser left open must not be enough to promote staff, give an account away, or reactivate one.
      if (is_active === true || Object.keys(others).length > 0) requireConfirmed(request)
      const { username, email, is_staff, is_verified, ...own } = others as UserBody & UserFields
      const target = await updateUser(inRequestLanguage(deps, request), actor, pk, {
        ...{ username, email, fields: own },
        flags: { isActive: is_active, isStaff: is_staff, isVerified: is_verified },
      })
      noteUser(request, target)
      return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
    },
  }
}

function endSessionsRoute(deps: UsersDeps): Route {
  return {
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
  }
}

function deleteRoute(deps: UsersDeps): Route {
  return {
    name: 'user-detail',
    action: 'delete-user',
    method: 'DELETE',
    path: '/user/:pk',
    operation: {
      id: 'deleteUser',
      summary: 'Delete a user',
      errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
    },
    access: 'confirmed',
    budget: null,
    schema: { params: userParams, response: { 204: noReply } },
    async handler(request, reply) {
      const actor = loggedInUser(request)
      const { pk } = request.params as UserParams
      await deleteUser(deps, actor, pk)
      noteUser(request, { id: pk })
      if (pk === actor.id) await deps.keeper.forget(request, reply)
      return reply.code(204).send()
    },
  }
}

function seesAll(actor: Pick<AccountUser, 'id' | 'isStaff'>, target: Pick<AccountUser, 'id'>): boolean {
  return actor.id === target.id || actor.isStaff
}
