import { profileBody } from '../../http/input/profile-body.js'
import { ownUserReply } from '../../http/output/reply-schemas.js'
import { noReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { ownUser } from '../../user.js'
import { deleteUser } from '../../users/delete-user.js'
import type { Feature, FeatureCore } from '../feature.js'
import { updateMe } from './update-me.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    me: 'me'
    'change-profile': 'me'
    'delete-user': 'me' | 'user-detail'
  }
}

/** Users see, change and delete their own account. */
export const account: Feature = {
  name: 'account',
  routes: (core) => ({ auth: accountRoutes(core) }),
}

function accountRoutes(core: FeatureCore): Route[] {
  const { fields, names } = core.options
  return [
    route({
      name: 'me',
      action: 'me',
      method: 'GET',
      path: '/me/',
      operation: { id: 'showMe', host: 'findUser()', summary: 'Show the current user' },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: ownUserReply(core.options) } },
      handle: ({ who }) => ({ body: ownUser(who.user) }),
    }),
    route({
      name: 'me',
      action: 'change-profile',
      method: 'PATCH',
      path: '/me/',
      operation: {
        id: 'updateMe',
        host: 'updateUser()',
        summary: "Change the current user's profile",
        asks: [],
        errors: ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: {
        body: profileBody(fields, names),
        response: { 200: ownUserReply(core.options) },
      },
      resource: { reply: ownUserReply(core.options), show: ({ who }) => ownUser(who.user) },
      async handle({ body: { username, ...fields }, who }, deps) {
        return { body: ownUser(await updateMe(deps, who.user, { username, fields })) }
      },
    }),
    route({
      name: 'me',
      action: 'delete-user',
      method: 'DELETE',
      path: '/me/',
      operation: {
        id: 'deleteMe',
        host: 'deleteUser()',
        summary: 'Delete your own account; another staff member must demote staff first',
        authorize: ['deleteUser'],
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'confirmed',
      budget: null,
      schema: { response: { 204: noReply } },
      async handle({ who: { user }, client }, deps) {
        await deleteUser(deps, user, user.id)
        await deps.keeper.forget(client)
        return {}
      },
    }),
  ]
}
