import type { FastifyBaseLogger } from 'fastify'
import pRetry from 'p-retry'
import { logTrouble } from '../adapters/log-trouble.js'
import type { SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import type { KeptSession, MadeSession, MakeSession } from './fastify-session.js'
import type { RemoveSessions } from './remove-sessions.js'
import { createSessionCap } from './session-cap.js'
import { type Continued, createContinue, type NextSession, type SessionChange } from './session-change.js'
import type { SessionCookie } from './session-cookie.js'
import { confirmedNow, type Login, newLogin, type Proven } from './session-rules.js'
import {
  dropUnretired,
  endSession,
  headOf,
  isSeen,
  nextGeneration,
  retire,
  retirement,
} from './succession.js'

/** The session of a login that is being completed. As a `SessionChange` it is stored with the change of the user. */
export interface NewSession extends SessionChange {
  /** Begins it, unless it is stored already, and ends the one that the client had. */
  start(user: User): Promise<void>
}

/** Makes, continues and ends sessions. The reader tells who is logged in. */
export interface SessionKeeper {
  /** @param remember whether the cookie outlives the browser */
  begin(client: Client, how: Proven, remember: boolean): NewSession
  /**
   * For a user who changes their own password or factors: the session continues under a new id if the change ends all
   * sessions, or proves once more who they are. If it can't, the change still succeeds.
   * @param methods how the owner proves who they are by the change
   * @param since as in `Continued`
   */
  continue(client: Client, login: Login, methods: readonly string[], since?: number): SessionChange
  /**
   * Continues under a new id, as a session that begins now (OWASP ASVS 5.0, 7.2.4); the user's others stay.
   * @param methods how the owner has just proved who they are, in addition to before
   * @returns `false` if a logout ended this one meanwhile; then there is none
   * @throws AccountsError ACCOUNTS_CONFLICT if others keep changing the session; ACCOUNTS_CONFIRMATION_REQUIRED if somebody
   * who has stolen an access token could have proved the same
   */
  confirm(client: Client, continued: Continued): Promise<boolean>
  /**
   * Ends the client's session, and clears the cookie even if the store fails.
   * @returns whose session it was; `null` if none was ended
   * @throws AccountsError ACCOUNTS_CONFLICT if others keep changing the session; then it is ended later
   */
  end(client: Client): Promise<{ id: string } | null>
  /** Clears the cookie of a session that is no longer valid; no response waits for its row to go. Never throws. */
  forget(client: Client): Promise<void>
  /** Deletes the rows of a user's sessions, which the epoch or the deletion has already ended. Never throws. */
  removeAll(userId: string): Promise<void>
}

/** The same session as the successor of another. */
function successor<Made extends MadeSession>(creation: Made): Made {
  return { ...creation, session: { ...creation.session, ...nextGeneration } }
}

/** The keeper for sessions in our session store. */
export function createSessionKeeper(deps: {
  sessions: Pick<SessionStore, 'create' | 'find' | 'delete' | 'listByUser' | 'change'>
  make: MakeSession
  cookie: SessionCookie
  device: DeviceCookie
  removeAll: RemoveSessions
  log: FastifyBaseLogger
}): SessionKeeper {
  const { sessions, make, cookie, device, removeAll, log } = deps
  const cap = createSessionCap({ sessions, log })

  function open(client: Client, kept: MadeSession | null): void {
    if (kept === null) cookie.clear(client)
    else cookie.write(client, kept.cookieValue, kept.session)
  }

  /** Makes a session under a new id. */
  function makeFor(
    { details }: Client,
    user: Pick<User, 'id' | 'sessionEpoch'>,
    how: Proven,
    isPersistent: boolean,
  ): Promise<MadeSession> {
    return make(newLogin(user, how, { ...details, isPersistent }))
  }

  /** Makes the session that continues the login, under a new id. */
  function makeNext(client: Client, { login, user, methods }: Continued): Promise<MadeSession> {
    const how = confirmedNow(login, user, methods)
    return makeFor(client, user, how, login.details?.isPersistent ?? false)
  }

  async function keep(creation: MadeSession): Promise<KeptSession> {
    return { ...creation, count: await sessions.create(creation.session) }
  }

  function drop({ session }: MadeSession): void {
    // Nobody has its id, so deleting its row isn't worth waiting for a store that hangs.
    sessions.delete(session.id).catch(() => {})
  }

  /** Waits for what follows once the new session is stored, and drops that session if it fails: the old one stays. */
  async function orDrop<T>(kept: KeptSession, then: Promise<T>): Promise<T> {
    return then.catch((error: unknown) => {
      drop(kept)
      throw error
    })
  }

  /**
   * Ends the session that the client has had, unless the new one can't reach it.
   * @throws Error if a stream of the host has sent the headers meanwhile
   */
  async function endBefore(client: Client): Promise<void> {
    client.checkReach()
    const brought = cookie.read(client)
    if (brought !== null) await endSession(sessions, brought.id)
    client.checkReach()
  }

  /** Continues the session under a new id. The old one stays for a while if the store has `change`. */
  async function goOn(client: Client, continued: Continued): Promise<'retired' | 'known' | 'ended'> {
    const brought = cookie.read(client)
    if (brought === null) return 'ended'
    const { change } = sessions
    const creation = await makeNext(client, continued)
    if (change === undefined) return replace(client, brought.id, await keep(creation))
    const next = await keep(successor(creation))
    const outcome = await retire({ ...sessions, change }, brought, next.session).catch((error: unknown) => {
      dropUnlessRetired(brought.id, next)
      throw error
    })
    if (outcome === 'retired') open(client, next)
    else await sessions.delete(next.session.id)
    return outcome
  }

  /** The old session may be retired although the store said that it failed. It is valid only while the new one is. */
  function dropUnlessRetired(id: string, { session: next }: MadeSession): void {
    pRetry(() => dropUnretired(sessions, id, next.id), { retries: 8, unref: true }).catch(() => {})
  }

  /** For changes that end the old id, and stores that can't keep it. */
  async function replace(client: Client, id: string, next: KeptSession): Promise<'retired' | 'ended'> {
    // The client may bring an id that was retired; a logout then ended the session under the newer one.
    if ((await orDrop(next, endSession(sessions, id))) !== null) {
      open(client, next)
      return 'retired'
    }
    await sessions.delete(next.session.id)
    return 'ended'
  }

  /** Continues under a new id after a change that ends all sessions, this one as well. */
  async function renew(client: Client, continued: Continued): Promise<void> {
    const brought = cookie.read(client)
    const next = brought && (await keep(await makeNext(client, continued)))
    const outcome = brought && next && (await replace(client, brought.id, next))
    if (outcome !== 'retired') cookie.clear(client)
    // Naming the new one keeps a store that responds too late from ending it as well.
    await removeAll(continued.user.id, next?.session.id)
  }

  /** The new session, and what becomes of the one that the client brings; `null` if there is none to continue. */
  async function continuation(id: string, next: MadeSession, endsAll: boolean): Promise<NextSession | null> {
    if (sessions.change === undefined) return { ...next, replaces: id }
    const head = await headOf(sessions, await sessions.find(id))
    if (head === null) return null
    if (endsAll) return { ...next, replaces: head.id }
    if (head.id !== id && isSeen(head)) return null
    const changes = retirement(next.session, head)
    return { ...successor(next), change: { id: head.id, fromGeneration: head.generation, changes } }
  }

  const keeper: SessionKeeper = {
    begin(client, how, remember) {
      let kept: KeptSession | null = null
      return {
        isDue: () => true,
        make: (user) => makeFor(client, user, how, remember),
        stored(begun) {
          kept = begun
        },
        // It begins with `start`.
        async follow() {},
        async start(user) {
          const begun = kept ?? (await keep(await makeFor(client, user, how, remember)))
          await orDrop(begun, endBefore(client))
          open(client, begun)
          await cap.keepTo(user.id, begun.count)
          // If only the host vouches, the owner wasn't there to make this device known.
          if (how.confirmedAt !== null) device.write(client, user)
        },
      }
    },

    continue: (client, login, methods) => ({
      ...continued(client, login, methods),
      async make(user, endsAll) {
        const brought = cookie.read(client)
        if (brought === null) return null
        return continuation(brought.id, await makeNext(client, { login, user, methods }), endsAll)
      },
      stored(kept, user, endsAll) {
        // Without a new one, another request may have continued the session: only a change that ends all clears the cookie.
        if (kept !== null || endsAll) open(client, kept)
        device.write(client, user)
      },
    }),

    removeAll: (userId) => removeAll(userId),

    // The cookie stays: of two simultaneous confirmations, the loser must not clear the winner's.
    confirm: async (client, continued) => (await goOn(client, continued)) !== 'ended',

    async end(client) {
      if (client.cookies?.includes(`${cookie.name}=`)) cookie.clear(client)
      const brought = cookie.read(client)
      if (brought === null) return null
      const { id } = brought
      try {
        const session = await endSession(sessions, id)
        return session && { id: session.userId }
      } catch (error) {
        // The user clicked "log out", so the session must not outlive the outage.
        pRetry(() => endSession(sessions, id), { retries: 8, unref: true }).catch((reason) => {
          logTrouble(log, reason, 'accounts: a session could not be ended')
        })
        throw error
      }
    },

    async forget(client) {
      keeper.end(client).catch(() => {})
    },
  }
  const continued = createContinue(keeper, device, renew)
  return keeper
}
