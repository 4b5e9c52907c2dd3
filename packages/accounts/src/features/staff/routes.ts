import { loggedInUser, requireConfirmed } from '../../http/access.js'
import { noteUser } from '../../http/audit.js'
import { shownUserReply } from '../../http/reply-schemas.js'
import { inRequestLanguage } from '../../http/request-language.js'
import { type UserBody, userBody } from '../../http/request-schemas.js'
import type { Route } from '../../http/route.js'
import { noReply } from '../../http/schemas/replies.js'
import { type UserParams, userParams } from '../../http/schemas/requests.js'
import { type AccountUser, accountUser, ownUser, publicUser, type UserFields } from '../../user.js'
import { deleteUser } from '../../users/delete-user.js'
import type { FeatureCore, MountedUsers } from '../feature.js'
import { endUserSessions } from './end-user-sessions.js'
import { showUser } from './show-user.js'
import { updateUser } from './update-user.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'list-users': true
    'show-user': true
    'update-user': true
    'end-user-sessions': true
  }
}

/** Users by id: what each may do with others, by the rules of `authorize`. */
export function staffRoutes(core: FeatureCore, users: MountedUsers): Route[] {
  return [showRoute(core, users), updateRoute(core, users), endSessionsRoute(core), deleteRoute(core)]
}

function showRoute(core: FeatureCore, { publicFields }: MountedUsers): Route {
  const { fields, names } = core.options
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
      response: { 200: shownUserReply(fields, publicFields, names) },
    },
    async handler(request) {
      const actor = accountUser(loggedInUser(request))
      const { pk } = request.params as UserParams
      const target = await showUser(core, actor, pk)
      noteUser(request, target)
      return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
    },
  }
}

function updateRoute(core: FeatureCore, { publicFields }: MountedUsers): Route {
  const { fields, names } = core.options
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
      body: userBody(fields, names),
      response: { 200: shownUserReply(fields, publicFields, names) },
    },
    async handler(request) {
      const actor = loggedInUser(request)
      const { pk } = request.params as UserParams
      const { is_active, ...others } = request.body as UserBody & UserFields
      // A browser left open must not be enough to promote staff, give an account away, or reactivate one.
      if (is_active === true || Object.keys(others).length > 0) requireConfirmed(request)
      const { username, email, is_staff, is_verified, ...own } = others as UserBody & UserFields
      const target = await updateUser(inRequestLanguage(core, request), actor, pk, {
        username,
        email,
        fields: own,
        flags: { isActive: is_active, isStaff: is_staff, isVerified: is_verified },
      })
      noteUser(request, target)
      return seesAll(actor, target) ? ownUser(target) : publicUser(target, publicFields)
    },
  }
}

function endSessionsRoute(core: FeatureCore): Route {
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
      await endUserSessions(core, actor, pk)
      noteUser(request, { id: pk })
      return reply.code(204).send()
    },
  }
}

function deleteRoute(core: FeatureCore): Route {
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
      await deleteUser(core, actor, pk)
      noteUser(request, { id: pk })
      if (pk === actor.id) await core.keeper.forget(request, reply)
      return reply.code(204).send()
    },
  }
}

function seesAll(actor: Pick<AccountUser, 'id' | 'isStaff'>, target: Pick<AccountUser, 'id'>): boolean {
  return actor.id === target.id || actor.isStaff
}
