import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import * as actions from '../actions.js'
import { type Branch, deadSession, get, json, nameOfOther } from './branch.js'

/** The last visit was long enough ago for this one to be recorded. */
async function longAgo(scene: Scene): Promise<undefined> {
  const lastSeenAt = new Date(Date.now() - 3_600_000)
  for (const { id, expiresAt } of await scene.rows()) {
    await scene.service.stores.sessions.touch(id, { lastSeenAt, expiresAt })
  }
}

export const sessions: Branch[] = [
  {
    name: 'confirm',
    route: 'confirm POST',
    request: ({ cookie }) => json('POST', '/confirm/', { password: goodPassword }, cookie),
    status: 204,
    action: actions.renewal,
  },
  {
    name: 'confirm with the wrong password',
    route: 'confirm POST',
    request: ({ cookie }) => json('POST', '/confirm/', { password: otherPassword }, cookie),
    status: 400,
    action: actions.nothing,
  },
  {
    name: 'list sessions',
    route: 'sessions GET',
    request: ({ cookie }) => get('/sessions/', cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'end a session',
    route: 'session DELETE',
    prepare: nameOfOther,
    request: ({ link, cookie }) => json('DELETE', `/sessions/${link}`, undefined, cookie),
    status: 204,
    action: actions.endOfOther([404]),
  },
  {
    name: 'end the other sessions',
    route: 'sessions-end-others POST',
    request: ({ cookie }) => json('POST', '/sessions/end-others/', undefined, cookie),
    status: 204,
    action: actions.endOfOther([204]),
  },
  {
    name: 'logout',
    route: 'logout POST',
    request: ({ cookie }) => json('POST', '/logout/', undefined, cookie),
    status: 204,
    action: actions.logout,
  },
  {
    name: 'logout without a session',
    route: 'logout POST',
    request: () => json('POST', '/logout/'),
    status: 204,
    action: actions.nothing,
  },
  {
    name: 'me',
    route: 'me GET',
    request: ({ cookie }) => get('/me/', cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'me after a while',
    route: 'me GET',
    prepare: longAgo,
    request: ({ cookie }) => get('/me/', cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'me with a dead session',
    route: 'me GET',
    prepare: deadSession,
    request: ({ cookie }) => get('/me/', cookie),
    status: 401,
    action: actions.nothing,
  },
  {
    name: 'me without a session',
    route: 'me GET',
    request: () => get('/me/'),
    status: 401,
    action: actions.nothing,
  },
]
