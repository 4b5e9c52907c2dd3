import type { FastifyRequest } from 'fastify'
import { asUnavailable } from '../adapters/guard.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { UserStore } from '../seams/user-store.js'
import type { User } from '../user.js'
import { type Client, requestOf } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import type { EndedSessions } from './ended-sessions.js'
import { type Continued, createContinue, loginFollows } from './session-change.js'
import type { SessionKeeper } from './session-keeper.js'
import type { SessionReader } from './session-reader.js'
import { confirmedNow, isDueForTouch, isLive, type Login, newLogin, type Proven } from './session-rules.js'

/**
 * Tells who is logged in if the host has its own @fastify/session: the login is in `request.session`, with
 * the same rules for epoch and lifetime.
 */
export function createHostSessionReader(deps: {
  users: Pick<UserStore, 'findById'>
  ended: EndedSessions
  options: ResolvedOptions['session']
}): SessionReader {
  const { users, ended, options } = deps
  return async ({ [requestOf]: request }) => {
    const login = reviveLogin(request.session?.accounts)
    if (login === null) return null
    const user = await users.findById(login.userId)
    const isOver = user === null || !isLive(login, user, options)
    if (isOver || (await ended.has(request, request.session.sessionId))) {
      request.session.set('accounts', undefined)
      return null
    }
    if (isDueForTouch(login, options)) request.session.set('accounts', { ...login, lastSeenAt: new Date() })
    // The app may give it another id at any time.
    return { user, login, credential: `${login.userId}:${login.createdAt.getTime()}` }
  }
}

/** The host's store may have turned dates into strings. */
function reviveLogin(stored: unknown): Login | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { userId, epoch, createdAt, lastSeenAt, methods, confirmedAt } = stored as Record<string, unknown>
  if (typeof userId !== 'string' || typeof epoch !== 'number') return null
  const login = {
    userId,
    epoch,
    createdAt: new Date(String(createdAt)),
    lastSeenAt: new Date(String(lastSeenAt)),
    details: null,
    methods: Array.isArray(methods) ? methods.map(String) : null,
    confirmedAt: confirmedAt == null ? null : new Date(String(confirmedAt)),
  }
  const times = [login.createdAt, login.lastSeenAt, login.confirmedAt ?? login.createdAt]
  return times.some((time) => Number.isNaN(time.getTime())) ? null : login
}

/** The keeper for the same case. It can't list or remove a user's sessions; the epoch ends them. */
export function createHostSessionKeeper({
  ended,
  device,
}: {
  ended: EndedSessions
  device: DeviceCookie
}): SessionKeeper {
  async function begin(request: FastifyRequest, user: User, how: Proven): Promise<void> {
    try {
      await request.session.regenerate()
      request.session.set('accounts', newLogin(user, how, null))
      await request.session.save()
    } catch (thrown) {
      // Otherwise @fastify/session would save again after the response, and send that error's text.
      Object.assign(request, { session: null })
      throw asUnavailable(thrown, [])
    }
  }
  /** Continues under a new id, unless a logout has ended this one meanwhile. */
  async function renew({ [requestOf]: request }: Client, { login, user, methods }: Continued): Promise<void> {
    const { sessionId } = request.session
    await begin(request, user, confirmedNow(login, user, methods))
    if (await ended.has(request, sessionId)) await request.session.destroy()
  }
  const keeper: SessionKeeper = {
    begin: (client, how) => ({
      ...loginFollows,
      async start(user) {
        const { [requestOf]: request } = client
        if (request.session.accounts !== undefined) await ended.add(request, request.session.sessionId)
        await begin(request, user, how)
        if (how.confirmedAt !== null) device.write(client, user)
      },
    }),
    continue: (client, login, methods) => ({ ...continued(client, login, methods), stored() {} }),
    async confirm(client, confirmation) {
      const { [requestOf]: request } = client
      const { sessionId } = request.session
      await renew(client, confirmation)
      // No epoch has changed, so a request in progress would write the old session back.
      await ended.add(request, sessionId)
      return request.session !== null
    },
    async end({ [requestOf]: request }) {
      const login = request.session?.accounts
      if (login === undefined) return null
      await Promise.all([ended.add(request, request.session.sessionId), request.session.destroy()])
      return { id: login.userId }
    },
    // Awaited, because a session that still exists at the response is saved again.
    async forget(client) {
      await keeper.end(client).catch(() => {})
    },
    async removeAll() {},
  }
  const continued = createContinue(keeper, device, renew)
  return keeper
}
