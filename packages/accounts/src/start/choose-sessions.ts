import type { FastifyInstance } from 'fastify'
import { logTrouble } from '../adapters/log-trouble.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createDeviceCookie, type DeviceCookie } from '../sessions/device-cookie.js'
import { createEndedSessions } from '../sessions/ended-sessions.js'
import { registerCookieCodec, registerFastifySession } from '../sessions/fastify-session.js'
import { createHostSessionKeeper, createHostSessionReader } from '../sessions/host-session.js'
import type { CookieCodec, SessionCookie } from '../sessions/session-cookie.js'
import { createSessionKeeper, type SessionKeeper } from '../sessions/session-keeper.js'
import { createSessionList, type SessionList } from '../sessions/session-list.js'
import { createSessionReader, type SessionReader } from '../sessions/session-reader.js'
import { hasHostSession } from './boot-checks.js'
import type { Adapters } from './choose-adapters.js'

/** How often expired sessions are removed, in milliseconds. */
const pruneInterval = 10 * 60_000

/** Keeps sessions in our own store, or in the host's @fastify/session if registered. */
export async function chooseSessions(
  app: FastifyInstance,
  options: ResolvedOptions,
  { users, sessions, findVisit, deleteExpiredSessions }: Adapters,
): Promise<{
  readSession: SessionReader
  keeper: SessionKeeper
  /** `null` if the host keeps the sessions. */
  sessionList: SessionList | null
  cookie: SessionCookie | null
  codec: CookieCodec
  device: DeviceCookie
}> {
  if (hasHostSession(app)) {
    app.log.info(
      'accounts: an @fastify/session of the app keeps the sessions; sessions of a user cannot be listed or ended individually, so /sessions/ is off and "remember" has no effect',
    )
    const codec = await registerCookieCodec(app)
    const ended = createEndedSessions(options)
    const readSession = createHostSessionReader({ users, ended, options: options.session })
    const device = createDeviceCookie(options, codec)
    const keeper = createHostSessionKeeper({ ended, device })
    return { readSession, keeper, sessionList: null, cookie: null, codec, device }
  }

  const { cookie, codec, make } = await registerFastifySession(app, options)
  const readSession = createSessionReader({ findVisit, sessions, cookie, options: options.session })
  const device = createDeviceCookie(options, codec)
  const keeper = createSessionKeeper({ sessions, make, cookie, device, log: app.log })
  const sessionList = createSessionList({ sessions, cookie, options: options.session })
  pruneSessions(app, deleteExpiredSessions)
  return { readSession, keeper, sessionList, cookie, codec, device }
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
