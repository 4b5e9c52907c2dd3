import { AccountsError } from '../../errors.js'
import { sessionParams } from '../../http/input/schemas.js'
import { noReply, sessionListReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import type { SessionList } from '../../sessions/session-list.js'
import type { Feature } from '../feature.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'list-sessions': 'sessions'
    'end-session': 'session'
    'end-other-sessions': 'sessions-end-others'
  }
}

/** Users list their own sessions and end some. Absent where the keeper can't list them. */
export const devices: Feature = {
  name: 'devices',
  export: async (user, { keeper: { list } }, client) => {
    const sessions = await list?.export(client, user)
    return sessions?.map((each) => ({ ...each })) ?? null
  },
  routes: ({ keeper: { list } }) => ({ auth: list === undefined ? [] : sessionListRoutes(list) }),
}

function sessionListRoutes(sessionList: SessionList): Route[] {
  return [
    route({
      name: 'sessions',
      action: 'list-sessions',
      method: 'GET',
      path: '/sessions/',
      operation: { id: 'listSessions', summary: 'List the sessions of the current user' },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 200: sessionListReply } },
      async handle({ who, client }) {
        return { body: { results: await sessionList.list(client, who.user) } }
      },
    }),
    route({
      name: 'session',
      action: 'end-session',
      method: 'DELETE',
      path: '/sessions/:id',
      operation: { id: 'endSession', summary: 'End one session', errors: ['ACCOUNTS_NOT_FOUND'] },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { params: sessionParams, response: { 204: noReply } },
      async handle({ params: { id }, who, client }, { events }) {
        const wasThere = await sessionList.end(client, who.user, id)
        if (!wasThere) throw new AccountsError('ACCOUNTS_NOT_FOUND')
        events.tell('session.ended', who.user, {})
        return {}
      },
    }),
    route({
      name: 'sessions-end-others',
      action: 'end-other-sessions',
      method: 'POST',
      path: '/sessions/end-others/',
      operation: {
        id: 'endOtherSessions',
        host: 'endUserSessions()',
        summary: 'End all sessions but this one',
      },
      access: 'logged-in',
      isOpenToEnroll: true,
      budget: null,
      schema: { response: { 204: noReply } },
      async handle({ who, client }, { events }) {
        const ended = await sessionList.endOthers(client, who.user)
        if (ended > 0) events.tell('session.ended', who.user, {})
        return {}
      },
    }),
  ]
}
