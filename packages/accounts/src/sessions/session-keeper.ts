import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pRetry from 'p-retry'
import type { ResolvedOptions } from '../options/options.js'
import type { SessionDetails, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { clientOf } from './client.js'
import { expiryOf, newLogin } from './login.js'
import { hashSessionId, type SessionCookie } from './session-cookie.js'

/** Makes, renews and ends sessions. Who is logged in is the reader's question. */
export interface SessionKeeper {
  /**
   * Begins a session under a new id; one that the request brought ends.
   * @param remember whether the cookie outlives the browser
   */
  start(request: FastifyRequest, reply: FastifyReply, user: User, remember: boolean): Promise<void>
  /**
   * Goes on under a new id after the user's epoch has ended all sessions, unless a logout ended this one meanwhile.
   */
  renew(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void>
  /**
   * Goes on under a new id, as a session that begins now (OWASP ASVS 5.0, 7.2.4), beside the user's others.
   * @returns `false` where a logout ended this one meanwhile: then there is none
   */
  confirm(request: FastifyRequest, reply: FastifyReply, user: User): Promise<boolean>
  /**
   * Ends the session of the request, and clears the cookie even where the store fails.
   * @returns whose session it was; `null` where none was ended
   */
  end(request: FastifyRequest, reply: FastifyReply): Promise<{ id: string } | null>
  /** Clears the cookie of a session that opens nothing any more; no answer waits for its row to go. Never throws. */
  forget(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Takes the rows of a user's sessions away; the epoch, or the deletion, has ended them before. Never throws. */
  removeAll(userId: string): Promise<void>
}

/**
 * Puts a login into the session of @fastify/session and saves it. Where that fails the login is taken out again:
 * @fastify/session would try once more after the answer, and a refusal would bring a session.
 */
export async function beginLogin(
  request: FastifyRequest,
  user: User,
  details: SessionDetails | null,
): Promise<void> {
  request.session.set('accounts', newLogin(user, details))
  try {
    await request.session.save()
  } catch (error) {
    request.session.set('accounts', undefined)
    throw error
  }
}

/** How many sessions a user may have. Of more, which nobody could look through, the oldest end. */
const maxSessions = 100

/** Bytes: as many as @fastify/session takes, far above the 128 bits of OWASP ASVS 5.0, 7.2.3. */
const idLength = 24

/** The keeper where sessions live in our session store, and @fastify/session writes the cookie. */
export function createSessionKeeper(deps: {
  sessions: Pick<SessionStore, 'create' | 'find' | 'delete' | 'listByUser' | 'deleteByUser'>
  cookie: SessionCookie
  options: ResolvedOptions['session']
  log: FastifyBaseLogger
}): SessionKeeper {
  const { sessions, cookie, options, log } = deps

  async function removeAll(userId: string, exceptId?: string): Promise<void> {
    await sessions.deleteByUser(userId, exceptId).catch((error) => {
      log.warn({ err: error }, 'accounts: the rows of ended sessions stay until they expire')
    })
  }

  async function endOldest(userId: string): Promise<void> {
    try {
      const oldest = (await sessions.listByUser(userId)).slice(maxSessions)
      await Promise.all(oldest.map(({ id }) => sessions.delete(id)))
    } catch (error) {
      log.warn({ err: error }, 'accounts: the sessions of a user could not be counted')
    }
  }

  async function start(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    isPersistent: boolean,
  ): Promise<void> {
    const details = { ...clientOf(request, options), isPersistent }
    // What the reader signed anew.
    cookie.withdraw(reply)
    // Where no live session was brought, the id was made within this request and nobody knows it.
    if (request.session.accounts !== undefined) await request.session.regenerate()
    const maxAge = cookie.maxAge(details)
    if (maxAge !== null) request.session.cookie.maxAge = maxAge
    await beginLogin(request, user, details)
    // @fastify/session would first clear the cookie that was brought, in a Set-Cookie of its own.
    request.cookies[cookie.name] = request.session.encryptedSessionId
  }

  const keeper: SessionKeeper = {
    async start(request, reply, user, remember) {
      await start(request, reply, user, remember)
      await endOldest(user.id)
    },
    removeAll: (userId) => removeAll(userId),

    async renew(request, reply, user) {
      const brought = cookie.read(request)
      const goesOn = brought !== null && (await sessions.delete(brought.id))
      if (goesOn) {
        await start(request, reply, user, request.session.accounts?.details?.isPersistent ?? false)
      } else {
        cookie.clear(reply)
      }
      // The new one is named, so that a store which answers too late does not end it as well.
      await removeAll(user.id, goesOn ? hashSessionId(request.session.sessionId) : undefined)
    },

    async confirm(request, reply, user) {
      const brought = cookie.read(request)
      const old = brought && (await sessions.find(brought.id))
      if (!old) return false
      const sessionId = randomBytes(idLength).toString('base64url')
      const details = { ...clientOf(request, options), isPersistent: old.details?.isPersistent ?? false }
      const login = newLogin(user, details)
      const session = { ...login, id: hashSessionId(sessionId), expiresAt: expiryOf(login, options) }
      await sessions.create(session)
      cookie.withdraw(reply)
      // The new one stands before the old one goes, so that a store which fails here logs nobody out.
      if (!(await sessions.delete(old.id))) {
        await sessions.delete(session.id)
        cookie.clear(reply)
        return false
      }
      reply.header('set-cookie', cookie.header(cookie.signer.sign(sessionId), session))
      return true
    },

    async end(request, reply) {
      cookie.withdraw(reply)
      if (request.headers.cookie?.includes(`${cookie.name}=`)) cookie.clear(reply)
      const brought = cookie.read(request)
      if (brought === null) return null
      const { id } = brought
      try {
        const session = await sessions.find(id)
        return (await sessions.delete(id)) && session ? { id: session.userId } : null
      } catch (error) {
        // The person has pressed "log out": the session must not outlive the outage.
        pRetry(() => sessions.delete(id), { retries: 8, unref: true }).catch((reason) => {
          log.error({ err: reason }, 'accounts: a session could not be ended')
        })
        throw error
      }
    },

    async forget(request, reply) {
      keeper.end(request, reply).catch(() => {})
    },
  }
  return keeper
}
