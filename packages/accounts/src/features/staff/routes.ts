import { comparedUser } from '../../http/input/compared-user.js'
import { withOptional } from '../../http/input/field-schemas.js'
import { profileBody } from '../../http/input/profile-body.js'
import { type RolesBody, rolesBody } from '../../http/input/roles-body.js'
import { userParams } from '../../http/input/schemas.js'
import { shownUserReply } from '../../http/output/reply-schemas.js'
import { noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { requireConfirmed } from '../../logins/who.js'
import { accountUser, ownUser, publicUser, type User } from '../../user.js'
import { deleteUser } from '../../users/delete-user.js'
import { foundOrNull } from '../../users/host-accounts.js'
import type { Feature, FeatureCore, MountedUsers } from '../feature.js'
import { endUserSessions } from './end-user-sessions.js'
import { userChanges } from './schemas.js'
import { showUser } from './show-user.js'
import { updateUser } from './update-user.js'
import { listRoutes } from './user-list.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'list-users': 'user-list'
    'show-user': 'user-detail'
    'update-user': 'user-detail'
    'end-user-sessions': 'user-end-sessions'
  }
}

/** What users may do with others, by the rules of `authorize`. Not in the variant `signup`. */
export const staff: Feature = {
  name: 'staff',
  routes(core) {
    const { users } = core.options
    if (users === false || users.variant === 'signup') return {}
    const own = [showRoute(core, users), updateRoute(core, users), endSessionsRoute, deleteRoute]
    return { users: [...listRoutes(core, users), ...own] }
  },
}

function showRoute(core: FeatureCore, { publicFields }: MountedUsers): Route {
  return route({
    name: 'user-detail',
    action: 'show-user',
    method: 'GET',
    path: '/user/:pk',
    operation: {
      id: 'showUser',
      host: 'findUser()',
      summary: 'Show a user',
      authorize: ['showUser'],
      errors: ['ACCOUNTS_NOT_FOUND'],
    },
    access: 'logged-in',
    budget: null,
    schema: {
      params: userParams,
      response: { 200: shownUserReply(core.options, publicFields) },
    },
    async handle({ params: { pk }, who, client }, deps) {
      const body = viewOf(await showUser(deps, who.user, pk), publicFields)
      client.note({ user: { id: pk } })
      return { body }
    },
  })
}

function updateRoute(core: FeatureCore, { publicFields }: MountedUsers): Route {
  return route({
    name: 'user-detail',
    action: 'update-user',
    method: 'PATCH',
    path: '/user/:pk',
    operation: {
      id: 'updateUser',
      summary: 'Change a user',
      authorize: ['manageUser', 'grantRights', 'editUser'],
      asks: ['changeEmail'],
      errors: [
        'ACCOUNTS_CONFIRMATION_REQUIRED',
        'ACCOUNTS_NOT_FOUND',
        'ACCOUNTS_USERNAME_TAKEN',
        'ACCOUNTS_EMAIL_TAKEN',
      ],
    },
    access: 'logged-in',
    budget: null,
    schema: {
      params: userParams,
      body: userBody(core),
      response: { 200: shownUserReply(core.options, publicFields) },
    },
    resource: {
      reply: shownUserReply(core.options, publicFields),
      show: ({ params: { pk }, who }, deps) =>
        foundOrNull(async () => viewOf(await showUser(deps, who.user, pk), publicFields)),
      ...comparedUser(core.options),
    },
    async handle({ body: { is_active, ...others }, params: { pk }, who, client }, deps) {
      // A browser left open must not be enough to grant rights, give an account away, or reactivate one.
      if (is_active === true || Object.keys(others).length > 0) requireConfirmed(who)
      const { username, email, is_staff, is_verified, roles, ...fields } = others
      const flags = { isActive: is_active, isStaff: is_staff, isVerified: is_verified, roles }
      const update = { username, email, fields, flags }
      const changed = await updateUser(deps, who.user, pk, update)
      client.note({ user: changed.user })
      return { body: viewOf(changed, publicFields) }
    },
  })
}

/** What users may change about others: what they may about themselves, and more. */
function userBody({ options: { fields, names, roles } }: FeatureCore) {
  const own = profileBody(fields, names)
  const body = withOptional(own, { ...userChanges.properties, ...rolesBody(roles) })
  return body as typeof own & typeof userChanges & { static: RolesBody }
}

const endSessionsRoute = route({
  name: 'user-end-sessions',
  action: 'end-user-sessions',
  method: 'POST',
  path: '/user/:pk/end-sessions/',
  operation: {
    id: 'endUserSessions',
    summary: 'End the sessions of a user',
    authorize: ['manageUser'],
    errors: ['ACCOUNTS_NOT_FOUND'],
  },
  access: 'logged-in',
  budget: null,
  schema: { params: userParams, response: { 204: noReply } },
  async handle({ params: { pk }, who, client }, deps) {
    await endUserSessions(deps, accountUser(who.user), pk)
    client.note({ user: { id: pk } })
    return {}
  },
})

const deleteRoute = route({
  name: 'user-detail',
  action: 'delete-user',
  method: 'DELETE',
  path: '/user/:pk',
  operation: {
    id: 'deleteUser',
    summary: 'Delete a user',
    authorize: ['deleteUser'],
    errors: ['ACCOUNTS_NOT_FOUND'],
  },
  access: 'confirmed',
  budget: null,
  schema: { params: userParams, response: { 204: noReply } },
  async handle({ params: { pk }, who, client }, deps) {
    await deleteUser(deps, who.user, pk)
    client.note({ user: { id: pk } })
    if (pk === who.user.id) await deps.keeper.forget(client)
    return {}
  },
})

function viewOf(
  { user, isDetailed }: { user: User; isDetailed: boolean },
  publicFields: readonly string[],
): object {
  return isDetailed ? ownUser(user) : publicUser(user, publicFields)
}
