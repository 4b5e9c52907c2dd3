import type { FastifyInstance } from 'fastify'
import { createStoreClock } from '../adapters/store-clock.js'
import type { CoreParts } from '../features/feature.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createDeviceCookie, type DeviceCookie } from '../sessions/device-cookie.js'
import { registerCookieCodec, registerFastifySession } from '../sessions/fastify-session.js'
import { keepInHostSession } from '../sessions/host-session.js'
import { createRefreshes, type Refreshes } from '../sessions/refresh.js'
import type { CookieCodec } from '../sessions/session-cookie.js'
import { createSessionKeeper, type SessionKeeper } from '../sessions/session-keeper.js'
import { createSessionList } from '../sessions/session-list.js'
import type { SessionParts } from '../sessions/session-parts.js'
import { createSessionReader, type SessionReader } from '../sessions/session-reader.js'
import { createSessionTokens } from '../sessions/session-tokens.js'
import { createSpendOnce } from '../sessions/single-use.js'
import { hasHostSession } from './boot-checks.js'
import type { Adapters } from './choose-adapters.js'
import { pruneExpired } from './prune-expired.js'

/** Keeps sessions in our own store, or in the host's @fastify/session if registered. */
export async function chooseSessions(
  app: FastifyInstance,
  options: ResolvedOptions,
  { users, sessions, findVisit, deleteExpired }: Adapters,
  enabled: Partial<CoreParts>,
): Promise<{
  readSession: SessionReader
  keeper: SessionKeeper
  cookieName: string
  codec: CookieCodec
  device: DeviceCookie
  /** `null` without tokens. */
  refreshes: Refreshes | null
}> {
  const limits = enabled.tokens ?? null
  if (hasHostSession(app)) {
    app.log.info(
      'accounts: an @fastify/session of the app keeps the sessions; sessions of a user cannot be listed or ended individually, so /sessions/ is off and "remember" has no effect',
    )
    if (limits !== null)
      fail('features', 'has tokens, but an @fastify/session of the app keeps the sessions, as cookies')
    const codec = await registerCookieCodec(app)
    const device = createDeviceCookie(options, codec)
    const kept = keepInHostSession({ users, device, options })
    // Its own name isn't exposed; this is the default.
    return { ...kept, cookieName: 'sessionId', codec, device, refreshes: null }
  }

  const { cookie, codec, makeBase } = await registerFastifySession(app, options)
  const device = createDeviceCookie(options, codec)
  const tokens = limits && { spelling: createSessionTokens(options, limits), limits }
  const clock = createStoreClock(sessions.now)
  const cookieLimits = options.session
  const parts: SessionParts = { sessions, findVisit, clock, cookie, cookieLimits, tokens, log: app.log }
  pruneExpired(app, 'sessions', deleteExpired.sessions)
  return {
    readSession: createSessionReader(parts),
    keeper: {
      ...createSessionKeeper({ ...parts, makeBase, device }),
      list: createSessionList(parts),
      spendOnce: createSpendOnce(sessions),
    },
    cookieName: cookie.name,
    codec,
    device,
    refreshes: tokens && createRefreshes({ ...parts, tokens }),
  }
}
