import { hash } from 'node:crypto'
import type { FastifyRequest, Session as FastifySession } from 'fastify'
import { asUnavailable, guard } from '../adapters/guard.js'
import { logTrouble } from '../adapters/log-trouble.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { UserStore } from '../seams/user-store.js'
import type { User } from '../user.js'
import { type Client, requestOf } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import type { SessionKeeper } from './session-keeper.js'
import { refuse } from './session-parts.js'
import type { SessionReader } from './session-reader.js'
import { confirmedNow, isDueForTouch, isLive, type Login, newLogin, type Proven } from './session-rules.js'

/** How far a request in progress may have moved "last seen" past the logout, in milliseconds. */
const slack = 10 * 60_000

/**
 * Reads and keeps sessions if the host has its own @fastify/session: the login is in `request.session`, with the same rules
 * for epoch and lifetime. A confirmation begins another session there. It can't list or remove a user's sessions; the epoch
 * ends them.
 */
export function keepInHostSession(deps: {
  users: Pick<UserStore, 'findById'>
  device: DeviceCookie
  options: Pick<ResolvedOptions, 'session' | 'adapterTimeout'>
}): { readSession: SessionReader; keeper: SessionKeeper } {
  const { users, device } = deps
  const { session: limits } = deps.options
  const ended = noteEnded(deps.options)

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
  async function goOn(
    { [requestOf]: request }: Client,
    user: User,
    methods: readonly string[],
  ): Promise<void> {
    const { accounts: stored, sessionId } = request.session
    const login = reviveLogin(stored)
    if (login === null) return
    await begin(request, user, confirmedNow(login, user, methods))
    if (await ended.has(request, sessionId)) await request.session.destroy()
    // A request in progress would write the old session back.
    await ended.add(request, sessionId)
  }

  const keeper: SessionKeeper = {
    async plan(effect) {
      if (effect.own === 'begin' && effect.client !== undefined && effect.client.bearer !== null)
        refuse(effect.client)
      return { effect }
    },
    async carryOut({ effect }, user) {
      if (effect.client === undefined) return
      const { client } = effect
      const { [requestOf]: request } = client
      if (effect.own === 'begin') {
        if (request.session.accounts !== undefined) await ended.add(request, request.session.sessionId)
        await begin(request, user, effect.how)
        if (effect.how.confirmedAt !== null) device.write(client, user)
        return
      }
      if (effect.others === 'keep' && effect.methods.length === 0) return
      try {
        await goOn(client, user, effect.methods)
      } catch (error) {
        logTrouble(client.log, error, 'accounts: the session could not go on after a change of the account')
        await keeper.forget(client)
      }
      device.write(client, user)
    },
    async confirm(client, { user, methods }) {
      const { [requestOf]: request } = client
      await goOn(client, user, methods)
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

  async function readSession(client: Client): ReturnType<SessionReader> {
    if (client.bearer !== null) refuse(client)
    const { [requestOf]: request } = client
    const login = reviveLogin(request.session?.accounts)
    if (login === null) return null
    const user = await users.findById(login.userId)
    const isOver = user === null || !isLive(login, user, limits)
    if (isOver || (await ended.has(request, request.session.sessionId))) {
      request.session.set('accounts', undefined)
      return null
    }
    if (isDueForTouch(login, limits)) request.session.set('accounts', { ...login, lastSeenAt: new Date() })
    // The app may give it another id at any time.
    return { user, login, credential: `${login.userId}:${login.createdAt.getTime()}` }
  }

  return { readSession, keeper }
}

/** The host's store may have turned dates into strings. */
function reviveLogin(stored: unknown): Login | null {
  if (typeof stored !== 'object' || stored === null) return null
  const { userId, epoch, createdAt, lastSeenAt, methods, confirmedAt } = stored as Record<string, unknown>
  if (typeof userId !== 'string' || typeof epoch !== 'number' || !Array.isArray(methods)) return null
  const login = {
    userId,
    epoch,
    createdAt: new Date(String(createdAt)),
    lastSeenAt: new Date(String(lastSeenAt)),
    details: null,
    methods: methods.map(String),
    confirmedAt: confirmedAt == null ? null : new Date(String(confirmedAt)),
  }
  const times = [login.createdAt, login.lastSeenAt, login.confirmedAt ?? login.createdAt]
  return times.some((time) => Number.isNaN(time.getTime())) ? null : login
}

/**
 * Records in the host's session store which sessions a logout has ended. @fastify/session saves a whole session after the
 * response, so a request in progress can bring it back; a session recorded here is over anyway.
 * @throws AccountsError ACCOUNTS_UNAVAILABLE, from both
 */
function noteEnded({ session, adapterTimeout }: Pick<ResolvedOptions, 'session' | 'adapterTimeout'>) {
  // No cookie can name it, because the host signs only its own ids.
  const keyOf = (sessionId: string): string => `accounts-ended-${hash('sha256', sessionId, 'base64url')}`
  // The request isn't an argument, because a failed call's arguments are searched for values.
  const storeOf = ({ sessionStore }: FastifyRequest) =>
    guard(
      {
        set: (key: string, note: FastifySession) =>
          new Promise<void>((resolve, reject) => {
            sessionStore.set(key, note, (error) => (error ? reject(error) : resolve()))
          }),
        get: (key: string) =>
          new Promise<boolean>((resolve, reject) => {
            // File stores fail like this for a missing entry.
            const isMissing = (error: { code?: unknown }) => error.code === 'ENOENT'
            sessionStore.get(key, (error, note) => {
              if (error && !isMissing(error)) reject(error)
              else resolve(!error && Boolean(note))
            })
          }),
      },
      { set: 'writes', get: 'reads' },
      adapterTimeout,
    )
  return {
    async add(request: FastifyRequest, sessionId: string): Promise<void> {
      // After that the login has expired by itself.
      const maxAge = session.idleTimeout + slack
      const cookie = { originalMaxAge: maxAge, maxAge, expires: new Date(Date.now() + maxAge) }
      await storeOf(request).set(keyOf(sessionId), { cookie })
    },
    has: (request: FastifyRequest, sessionId: string): Promise<boolean> =>
      storeOf(request).get(keyOf(sessionId)),
  }
}
