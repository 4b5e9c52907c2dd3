import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import pRetry from 'p-retry'
import { logTrouble } from '../adapters/log-trouble.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { clientOf } from './client.js'
import type { MadeSession, MakeSession } from './fastify-session.js'
import { confirmedNow, type Login, newLogin, type Proven } from './login.js'
import { createSessionCap } from './session-cap.js'
import type { SessionCookie } from './session-cookie.js'

/** Somebody who has proved who they are. */
export type ProvenUser = Proven & { user: Pick<User, 'id' | 'sessionEpoch'> }

/** A new session that the store has. */
export type KeptSession = MadeSession & {
  /** How many its user has, where the store tells. */
  count: number | undefined
}

/** A session that goes on under a new id. */
export type NextSession = MadeSession & {
  /** The id before. */
  replaces: string
}

/** Makes sessions that the caller stores. */
export interface SessionMaker {
  /** Makes the session that `start` begins. */
  make(request: FastifyRequest, proven: ProvenUser, remember: boolean): Promise<MadeSession>
  /**
   * Makes the session that goes on from that of the request.
   * @param login that of the request
   * @param methods how the owner has proved who they are just now, beside how they have before
   * @returns `null` where the request has no session
   */
  makeNext(
    request: FastifyRequest,
    login: Login,
    user: User,
    methods: readonly string[],
  ): Promise<NextSession | null>
  /** Hands out the cookie of a session that was kept, or clears the cookie where none was. */
  open(reply: FastifyReply, kept: MadeSession | null): void
  /** Lets a session go that was kept, and whose cookie nobody has. Never throws. */
  drop(kept: MadeSession): void
}

/** Makes, renews and ends sessions. Who is logged in is the reader's question. */
export interface SessionKeeper {
  /** For sessions that are kept together with a change of their user; not where the host keeps them. */
  maker?: SessionMaker
  /**
   * Begins a session under a new id; one that the request brought ends.
   * @param proven.kept the session, where it was made and kept before
   * @param remember whether the cookie outlives the browser
   */
  start(
    request: FastifyRequest,
    reply: FastifyReply,
    proven: ProvenUser & { kept?: KeptSession | undefined },
    remember: boolean,
  ): Promise<void>
  /**
   * Goes on under a new id after the user's epoch has ended all sessions, unless a logout ended this one meanwhile.
   * @param methods how the owner has proved who they are just now, beside how they have before
   */
  renew(request: FastifyRequest, reply: FastifyReply, user: User, methods: readonly string[]): Promise<void>
  /**
   * Goes on under a new id, as a session that begins now (OWASP ASVS 5.0, 7.2.4), beside the user's others.
   * @returns `false` where a logout ended this one meanwhile: then there is none
   */
  confirm(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    methods: readonly string[],
  ): Promise<boolean>
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

/** The keeper where sessions live in our session store. */
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
   * Hands the cookie of a new session out once `stands` has said that it may stay.
   * @returns whether it does
   */
  async function openIf(
    stands: () => Promise<boolean>,
    reply: FastifyReply,
    kept: MadeSession,
  ): Promise<boolean> {
    // The new one stands before the old one goes, so a store that fails here logs nobody out.
    const isWanted = await stands().catch((error: unknown) => {
      drop(kept)
      throw error
    })
    if (!isWanted) await sessions.delete(kept.session.id)
    open(reply, isWanted ? kept : null)
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
    // Nobody has its id: whether its row goes is not worth the wait for a store that hangs.
    sessions.delete(session.id).catch(() => {})
  }

  async function keep(made: MadeSession): Promise<KeptSession> {
    return { ...made, count: await sessions.create(made.session) }
  }

  /** Makes the session under a new id. */
  function makeAfter(
    old: Login,
    request: FastifyRequest,
    user: User,
    methods: readonly string[],
  ): Promise<MadeSession> {
    const proven = { user, ...confirmedNow(old, user, methods) }
    return makeFor(request, proven, old.details?.isPersistent ?? false)
  }

  /** The session under a new id; `null` where it was ended meanwhile. */
  async function goOn(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    methods: readonly string[],
    old: Session,
  ): Promise<{ id: string } | null> {
    const next = await keep(await makeAfter(old, request, user, methods))
    return (await openIf(() => sessions.delete(old.id), reply, next)) ? next.session : null
  }

  const keeper: SessionKeeper = {
    maker: {
      make: makeFor,
      async makeNext(request, login, user, methods) {
        const brought = cookie.read(request)
        return brought && { ...(await makeAfter(login, request, user, methods)), replaces: brought.id }
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

    async renew(request, reply, user, methods) {
      const brought = cookie.read(request)
      const old = brought && (await sessions.find(brought.id))
      let next: { id: string } | null = null
      if (old !== null) {
        next = await goOn(request, reply, user, methods, old)
      } else {
        cookie.clear(reply)
      }
      // The new one is named, so that a store which answers too late does not end it as well.
      await removeAll(user.id, next?.id)
    },

    async confirm(request, reply, user, methods) {
      const brought = cookie.read(request)
      const old = brought && (await sessions.find(brought.id))
      return old !== null && (await goOn(request, reply, user, methods, old)) !== null
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
