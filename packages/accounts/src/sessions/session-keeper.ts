import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pRetry from 'p-retry'
import type { SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { newLogin } from './login.js'
import { hashSessionId, type SessionCookie } from './session-cookie.js'

/** Makes, renews and ends sessions. Who is logged in is the reader's question. */
export interface SessionKeeper {
  /** Begins a session under a new id; one that the request brought ends. */
  start(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void>
  /**
   * Goes on under a new id after the user's epoch has ended all sessions, unless a logout ended this one meanwhile.
   */
  renew(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void>
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
export async function beginLogin(request: FastifyRequest, user: User): Promise<void> {
  request.session.set('accounts', newLogin(user))
  try {
    await request.session.save()
  } catch (error) {
    request.session.set('accounts', undefined)
    throw error
  }
}

/** The keeper where sessions live in our session store, and @fastify/session writes the cookie. */
export function createSessionKeeper(deps: {
  sessions: Pick<SessionStore, 'find' | 'delete' | 'deleteByUser'>
  cookie: SessionCookie
  log: FastifyBaseLogger
}): SessionKeeper {
  const { sessions, cookie, log } = deps

  async function removeAll(userId: string, exceptId?: string): Promise<void> {
    await sessions.deleteByUser(userId, exceptId).catch((error) => {
      log.warn({ err: error }, 'accounts: the rows of ended sessions stay until they expire')
    })
  }

  /** Takes back what the reader signed anew: an answer sets a cookie once (RFC 6265 section 4.1.1). */
  function withdraw(reply: FastifyReply): void {
    const set = [reply.getHeader('set-cookie') ?? []].flat().map(String)
    reply.removeHeader('set-cookie')
    for (const each of set) if (!each.startsWith(`${cookie.name}=`)) reply.header('set-cookie', each)
  }

  async function start(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void> {
    withdraw(reply)
    // Where no live session was brought, the id was made within this request and nobody knows it.
    if (request.session.accounts !== undefined) await request.session.regenerate()
    await beginLogin(request, user)
    // @fastify/session would first clear the cookie that was brought, in a Set-Cookie of its own.
    request.cookies[cookie.name] = request.session.encryptedSessionId
  }

  const keeper: SessionKeeper = {
    start,
    removeAll: (userId) => removeAll(userId),

    async renew(request, reply, user) {
      const brought = cookie.read(request)
      const goesOn = brought !== null && (await sessions.delete(brought.id))
      if (goesOn) {
        await start(request, reply, user)
      } else {
        withdraw(reply)
        reply.clearCookie(cookie.name, cookie.attributes)
      }
      // The new one is named, so that a store which answers too late does not end it as well.
      await removeAll(user.id, goesOn ? hashSessionId(request.session.sessionId) : undefined)
    },

    async end(request, reply) {
      withdraw(reply)
      if (request.headers.cookie?.includes(`${cookie.name}=`))
        reply.clearCookie(cookie.name, cookie.attributes)
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
