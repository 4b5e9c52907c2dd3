import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { confirmPassword } from '../services/confirm-password.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { SessionList } from '../sessions/session-list.js'
import { loggedInUser } from './access.js'
import type { Route } from './route.js'
import {
  type ConfirmPasswordBody,
  confirmPasswordBody,
  noReply,
  type SessionParams,
  sessionListReply,
  sessionParams,
} from './schemas.js'
import { whileThere } from './while-there.js'

/** What people do with their own sessions: confirm the password in this one, look at all, end some. */
export function ownSessionRoutes(
  deps: Deps & { keeper: SessionKeeper; sessionList: SessionList | null },
): Route[] {
  const { keeper, sessionList } = deps
  return [
    {
      name: 'confirm-password',
      action: 'confirm-password',
      method: 'POST',
      path: '/confirm-password/',
      operation: {
        id: 'confirmPassword',
        summary: 'Give the password once more, for deeds that ask for it',
        errors: ['ACCOUNTS_THROTTLED'],
      },
      access: 'logged-in',
      budget: 'ownPassword',
      schema: { body: confirmPasswordBody, response: { 204: noReply } },
      async handler(request, reply) {
        const { password } = request.body as ConfirmPasswordBody
        const user = await confirmPassword(whileThere(deps, reply), loggedInUser(request), password)
        if (!(await keeper.confirm(request, reply, user, ['pwd'])))
          throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
        return reply.code(204).send()
      },
    },
    ...(sessionList === null ? [] : listRoutes(sessionList)),
  ]
}

function listRoutes(sessionList: SessionList): Route[] {
  return [
    {
      name: 'sessions',
      action: 'list-sessions',
      method: 'GET',
      path: '/sessions/',
      operation: { id: 'listSessions', summary: 'List the sessions of whoever is logged in', errors: [] },
      access: 'logged-in',
      budget: null,
      schema: { response: { 200: sessionListReply } },
      handler: async (request) => ({ results: await sessionList.list(request, loggedInUser(request)) }),
    },
    {
      name: 'session',
      action: 'end-session',
      method: 'DELETE',
      path: '/sessions/:id',
      operation: {
        id: 'endSession',
        summary: 'End one of them',
        errors: ['ACCOUNTS_NOT_FOUND'],
      },
      access: 'logged-in',
      budget: null,
      schema: { params: sessionParams, response: { 204: noReply } },
      async handler(request, reply) {
        const { id } = request.params as SessionParams
        const wasThere = await sessionList.end(request, reply, loggedInUser(request), id)
        if (!wasThere) throw new AccountsError('ACCOUNTS_NOT_FOUND')
        return reply.code(204).send()
      },
    },
    {
      name: 'sessions-end-others',
      action: 'end-other-sessions',
      method: 'POST',
      path: '/sessions/end-others/',
      operation: { id: 'endOtherSessions', summary: 'End all but this one', errors: [] },
      access: 'logged-in',
      budget: null,
      schema: { response: { 204: noReply } },
      async handler(request, reply) {
        await sessionList.endOthers(request, loggedInUser(request))
        return reply.code(204).send()
      },
    },
  ]
}
