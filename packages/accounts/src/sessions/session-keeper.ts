import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pRetry from 'p-retry'
import { logTrouble } from '../adapters/log-trouble.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { clientOf } from './client.js'
import type { MadeSession, MakeSession } from './fastify-session.js'
import { confirmedNow, type Login, newLogin, type Proven } from './login.js'
import { createSessionCap } from './session-cap.js'
import type { SessionCookie } from './session-cookie.js'

/** A user who has proved who they are. */
export type ProvenUser = Proven & { user: Pick<User, 'id' | 'sessionEpoch'> }

/** A new session that is in the store. */
export type KeptSession = MadeSession & {
  /** How many sessions its user has, if the store tells. */
  count: number | undefined
}

/** A session that continues under a new id. */
export type NextSession = MadeSession & {
  /** The previous id. */
  replaces: string
}

/** How the session of a request continues once its owner has proved again who they are. */
interface Continued {
  /** The login of the request. */
  login: Login
  /** As the change leaves them. */
  user: User
  /** How the owner has just proved who they are, in addition to before. */
  methods: readonly string[]
}

/** Makes sessions that the caller stores. */
export interface SessionMaker {
  /** Makes the session that `start` begins. */
  make(request: FastifyRequest, proven: ProvenUser, remember: boolean): Promise<MadeSession>
  /**
   * Makes the session that continues the request's.
   * @returns `null` if the request has no session
   */
  makeNext(request: FastifyRequest, continued: Continued): Promise<NextSession | null>
  /** Sends the cookie of a stored session, or clears the cookie if there is none. */
  open(reply: FastifyReply, kept: MadeSession | null): void
  /** Drops a stored session whose cookie nobody has. Never throws. */
  drop(kept: MadeSession): void
}

/** Makes, renews and ends sessions. The reader tells who is logged in. */
export interface SessionKeeper {
  /** For sessions stored together with a change of their user; absent if the host keeps sessions. */
  maker?: SessionMaker
  /**
   * Begins a session under a new id, and ends the request's session.
   * @param proven.kept the session, if it was already made and stored
   * @param remember whether the cookie outlives the browser
   */
  start(
    request: FastifyRequest,
    reply: FastifyReply,
    proven: ProvenUser & { kept?: KeptSession | undefined },
    remember: boolean,
  ): Promise<void>
  /**
   * Continues under a new id after the user's epoch has ended all sessions, unless a logout ended this one
   * meanwhile.
   */
  renew(request: FastifyRequest, reply: FastifyReply, continued: Continued): Promise<void>
  /**
   * Continues under a new id, as a session that begins now (OWASP ASVS 5.0, 7.2.4); the user's others stay.
   * @returns `false` if a logout ended this one meanwhile; then there is none
   */
  confirm(request: FastifyRequest, reply: FastifyReply, continued: Continued): Promise<boolean>
  /**
   * Ends the session of the request, and clears the cookie even if the store fails.
   * @returns whose session it was; `null` if none was ended
   */
  end(request: FastifyRequest, reply: FastifyReply): Promise<{ id: string } | null>
  /** Clears the cookie of a session that is no longer valid; no response waits for its row to go. Never throws. */
  forget(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Deletes the rows of a user's sessions, which the epoch or the deletion has already ended. Never throws. */
  removeAll(userId: string): Promise<void>
}

/** The keeper for sessions in our session store. */
export function createSessionKeeper(deps: {
  sessions: Pick<SessionStore, 'create' | 'find' | 'delete' | 'listByUser' | 'deleteByUser'>
  make: MakeSession
  cookie: SessionCookie
  options: ResolvedOptions['session']
  log: FastifyBaseLogger
}): SessionKeeper {
  const { sessions, make, cookie, options, log } = deps
  const cap = createSessionCap({ sessions, log })

  async function removeAll(userId: string, exceptId?: string): Promise<void> {
    await sessions.deleteByUser(userId, exceptId).catch((error) => {
      logTrouble(
        log,
        error,
        'accounts: ended sessions could not be deleted; their rows stay until they expire',
      )
    })
  }

  function open(reply: FastifyReply, kept: MadeSession | null): void {
    if (kept === null) {
      cookie.clear(reply)
    } else {
      cookie.withdraw(reply)
      reply.header('set-cookie', cookie.header(kept.cookieValue, kept.session))
    }
  }

  /**
   * Sends the cookie of a new session if `stands` resolves to `true`; otherwise drops it.
   * @returns whether it did
   */
  async function openIf(
    stands: () => Promise<boolean>,
    reply: FastifyReply,
    kept: MadeSession,
  ): Promise<boolean> {
    // The new one is stored before the old one goes, so a failing store logs nobody out.
    const isWanted = await stands().catch((error: unknown) => {
      drop(kept)
      throw error
    })
    if (isWanted) open(reply, kept)
    else await sessions.delete(kept.session.id)
    return isWanted
  }

  /** Makes a session under a new id. */
  function makeFor(
    request: FastifyRequest,
    { user, methods, confirmedAt }: ProvenUser,
    isPersistent: boolean,
  ): Promise<MadeSession> {
    const details = { ...clientOf(request, options), isPersistent }
    return make(newLogin(user, { methods, confirmedAt }, details))
  }

  function drop({ session }: MadeSession): void {
    // Nobody has its id, so deleting its row isn't worth waiting for a store that hangs.
    sessions.delete(session.id).catch(() => {})
  }

  async function keep(made: MadeSession): Promise<KeptSession> {
    return { ...made, count: await sessions.create(made.session) }
  }

  /** Makes the session that continues the login, under a new id. */
  function makeAfter(request: FastifyRequest, { login, user, methods }: Continued): Promise<MadeSession> {
    const proven = { user, ...confirmedNow(login, user, methods) }
    return makeFor(request, proven, login.details?.isPersistent ?? false)
  }

  /** The session under a new id; `null` if it was ended meanwhile, or the request has none. */
  async function goOn(
    request: FastifyRequest,
    reply: FastifyReply,
    continued: Continued,
  ): Promise<{ id: string } | null> {
    const brought = cookie.read(request)
    if (brought === null) return null
    const next = await keep(await makeAfter(request, continued))
    return (await openIf(() => sessions.delete(brought.id), reply, next)) ? next.session : null
  }

  const keeper: SessionKeeper = {
    maker: {
      make: makeFor,
      async makeNext(request, continued) {
        const brought = cookie.read(request)
        return brought && { ...(await makeAfter(request, continued)), replaces: brought.id }
      },
      open,
      drop,
    },
    async start(request, reply, { kept, ...proven }, remember) {
      const brought = cookie.read(request)
      const begun = kept ?? (await keep(await makeFor(request, proven, remember)))
      const endBrought = async (): Promise<boolean> => {
        if (brought !== null) await sessions.delete(brought.id)
        return true
      }
      await openIf(endBrought, reply, begun)
      await cap.keepTo(proven.user.id, begun.count)
    },
    removeAll: (userId) => removeAll(userId),

    async renew(request, reply, continued) {
      const next = await goOn(request, reply, continued)
      if (next === null) cookie.clear(reply)
      // Naming the new one keeps a store that answers too late from ending it too.
      await removeAll(continued.user.id, next?.id)
    },

    // The cookie stays: of two simultaneous confirmations, the loser must not clear the winner's.
    confirm: async (request, reply, continued) => (await goOn(request, reply, continued)) !== null,

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
        // The user clicked "log out", so the session must not outlive the outage.
        pRetry(() => sessions.delete(id), { retries: 8, unref: true }).catch((reason) => {
          logTrouble(log, reason, 'accounts: a session could not be ended')
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
