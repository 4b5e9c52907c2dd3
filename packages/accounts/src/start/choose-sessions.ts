import type { FastifyInstance } from 'fastify'
import { logTrouble } from '../adapters/log-trouble.js'
import type { CoreParts } from '../features/feature.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createDeviceCookie, type DeviceCookie } from '../sessions/device-cookie.js'
import { createEndedSessions } from '../sessions/ended-sessions.js'
import { registerCookieCodec, registerFastifySession } from '../sessions/fastify-session.js'
import { createHostSessionKeeper, createHostSessionReader } from '../sessions/host-session.js'
import { keepByDelivery, type Sessions } from '../sessions/keep-by-delivery.js'
import { createRefreshes, type Refreshes } from '../sessions/refresh.js'
import { createRemoveSessions } from '../sessions/remove-sessions.js'
import type { CookieCodec, SessionCookie } from '../sessions/session-cookie.js'
import { createSessionKeeper, type SessionKeeper } from '../sessions/session-keeper.js'
import { createSessionList, type SessionList } from '../sessions/session-list.js'
import { createSessionReader, type SessionReader } from '../sessions/session-reader.js'
import { createSessionTokens, rowIdOf } from '../sessions/session-tokens.js'
import { createTokenKeeper } from '../sessions/token-keeper.js'
import { createTokenReader } from '../sessions/token-reader.js'
import { hasHostSession } from './boot-checks.js'
import type { Adapters } from './choose-adapters.js'

/** How often expired sessions are removed, in milliseconds. */
const pruneInterval = 10 * 60_000

/** Keeps sessions in our own store, or in the host's @fastify/session if registered. */
export async function chooseSessions(
  app: FastifyInstance,
  options: ResolvedOptions,
  { users, sessions, findVisit, deleteExpiredSessions }: Adapters,
  enabled: Partial<CoreParts>,
): Promise<{
  readSession: SessionReader
  keeper: SessionKeeper
  /** `null` if the host keeps the sessions. */
  sessionList: SessionList | null
  cookie: SessionCookie | null
  codec: CookieCodec
  device: DeviceCookie
  /** `null` without tokens. */
  refreshes: Refreshes | null
}> {
  const limits = enabled.tokens ?? null
  const hasKeys = enabled.apiKeys !== undefined
  if (hasHostSession(app)) {
    app.log.info(
      'accounts: an @fastify/session of the app keeps the sessions; sessions of a user cannot be listed or ended individually, so /sessions/ is off and "remember" has no effect',
    )
    const codec = await registerCookieCodec(app)
    const ended = createEndedSessions(options)
    const readSession = createHostSessionReader({ users, ended, options: options.session })
    const device = createDeviceCookie(options, codec)
    const keeper = createHostSessionKeeper({ ended, device })
    if (limits !== null)
      fail('features', 'has tokens, but an @fastify/session of the app keeps the sessions, as cookies')
    const kept = hasKeys ? keepByDelivery({ readSession, keeper }, null) : { readSession, keeper }
    return { ...kept, sessionList: null, cookie: null, codec, device, refreshes: null }
  }

  const { cookie, codec, make } = await registerFastifySession(app, options)
  const device = createDeviceCookie(options, codec)
  const removeAll = createRemoveSessions(sessions, app.log)
  const shared = { findVisit, make, device, removeAll, log: app.log }
  const byCookie: Sessions = {
    readSession: createSessionReader({ ...shared, sessions, cookie, options: options.session }),
    keeper: createSessionKeeper({ ...shared, sessions, cookie }),
  }
  const { change } = sessions
  if (limits !== null && change === undefined)
    fail('sessionStore', 'lacks the method change, which the feature tokens needs')
  const tokens = limits && createSessionTokens(options, limits)
  const forTokens =
    tokens && limits && change ? { ...shared, sessions: { ...sessions, change }, tokens, limits } : null
  const byToken: Sessions | null = forTokens && {
    readSession: createTokenReader(forTokens),
    keeper: createTokenKeeper(forTokens),
  }
  const sessionList = createSessionList({
    sessions,
    cookie,
    broughtBy(client) {
      if (client.delivery === 'cookie') return cookie.read(client)?.id ?? null
      const claims = tokens?.claimsOf(client)
      return claims ? rowIdOf(claims) : null
    },
    limitsOf: (kind) => (kind === 'cookie' ? options.session : limits),
  })
  pruneSessions(app, deleteExpiredSessions)
  return {
    ...(byToken !== null || hasKeys ? keepByDelivery(byCookie, byToken) : byCookie),
    sessionList,
    cookie,
    codec,
    device,
    refreshes: forTokens && createRefreshes(forTokens),
  }
}

/** Runs until the app closes. */
function pruneSessions(app: FastifyInstance, deleteExpiredSessions: Adapters['deleteExpiredSessions']): void {
  let pruning = false
  const timer = setInterval(async () => {
    // One run at a time: after a long pause there may be much to remove.
    if (pruning) return
    pruning = true
    await deleteExpiredSessions().catch((error) => {
      logTrouble(app.log, error, 'accounts: expired sessions could not be removed')
    })
    pruning = false
  }, pruneInterval)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
