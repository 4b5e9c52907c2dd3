import type { Deps } from '../deps.js'
import type { ResolvedOptions } from '../options/resolve.js'

import { deleteUser } from '../services/delete-user.js'
import { updateMe } from '../services/update-me.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import { ownUser, type UserFields } from '../user.js'
import { loggedInUser } from './access.js'
import { ownUserReply } from './reply-schemas.js'
import { type ProfileBody, profileBody } from './request-schemas.js'
import type { Route } from './route.js'
import { noReply } from './schemas/replies.js'

declare module '../feature-names.js' {
  interface FeatureActions {
    'change-profile': true
    'delete-user': true
  }
}

type OwnAccountDeps = Deps & {
  keeper: SessionKeeper
  fields: ResolvedOptions['fields']
}

/** Users change or delete their own account. */
export function ownAccountRoutes(deps: OwnAccountDeps): Route[] {
  const { keeper, fields } = deps
  return [
    {
      name: 'me',
      action: 'change-profile',
      method: 'PATCH',
      path: '/me/',
      operation: {
        id: 'updateMe',
        summary: "Change the current user's profile",
        errors: ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: null,
      schema: {
        body: profileBody(fields, deps.options.names),
        response: { 200: ownUserReply(fields, deps.options.names) },
      },
      async handler(request) {
        const { username, ...own } = request.body as ProfileBody & UserFields
        return ownUser(await updateMe(deps, loggedInUser(request), { username, fields: own }))
      },
    },
    {
      name: 'me',
      action: 'delete-user',
      method: 'DELETE',
      path: '/me/',
      operation: {
        id: 'deleteMe',
        summary: 'Delete your own account; another staff member must demote staff first',
        errors: ['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_FOUND', 'ACCOUNTS_CONFLICT'],
      },
      access: 'confirmed',
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        const actor = loggedInUser(request)
        await deleteUser(deps, actor, actor.id)
        await keeper.forget(request, reply)
        return reply.code(204).send()
      },
    },
  ]
}
