import * as deeds from '../deeds.js'
import type { Scene } from '../scene.js'
import { type Branch, deadSession, get, json } from './branch.js'

/** The visit before was so long ago that this one is noted. */
async function longAgo(scene: Scene): Promise<undefined> {
  const lastSeenAt = new Date(Date.now() - 3_600_000)
  for (const { id, expiresAt } of await scene.rows()) {
    await scene.service.stores.sessions.touch(id, { lastSeenAt, expiresAt })
  }
}

export const sessions: Branch[] = [
  {
    name: 'logout',
    route: 'logout POST',
    request: ({ cookie }) => json('POST', '/logout/', undefined, cookie),
    status: 204,
    deed: deeds.logout,
  },
  {
    name: 'logout of nobody',
    route: 'logout POST',
    request: () => json('POST', '/logout/'),
    status: 204,
    deed: deeds.nothing,
  },
  {
    name: 'me',
    route: 'me GET',
    request: ({ cookie }) => get('/me/', cookie),
    status: 200,
    deed: deeds.nothing,
  },
  {
    name: 'me after a while',
    route: 'me GET',
    prepare: longAgo,
    request: ({ cookie }) => get('/me/', cookie),
    status: 200,
    deed: deeds.nothing,
  },
  {
    name: 'me with a dead session',
    route: 'me GET',
    prepare: deadSession,
    request: ({ cookie }) => get('/me/', cookie),
    status: 401,
    deed: deeds.nothing,
  },
  { name: 'me of nobody', route: 'me GET', request: () => get('/me/'), status: 401, deed: deeds.nothing },
]
