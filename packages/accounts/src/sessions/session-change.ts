import { logTrouble } from '../adapters/log-trouble.js'
import type { SessionChanges } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import type { KeptSession, MadeSession } from './fastify-session.js'
import type { Login } from './session-rules.js'

/** A new session, and what becomes of the one that it continues; or one that continues in its own row, by `change`. */
export type NextSession = MadeSession & Pick<SessionChanges, 'replaces' | 'change'> & { isInPlace?: true }

/** What becomes of the client's own session when its user changes. Made by the session keeper, for `users.update`. */
export interface SessionChange {
  /** @param endsAll whether the change ends all sessions of the user */
  isDue(endsAll: boolean): boolean
  /**
   * Makes the new session, for stores that write it together with the user. Absent if the host keeps the sessions.
   * @param user as the change leaves them
   * @returns `null` if there is none to continue
   */
  make?(user: User, endsAll: boolean): Promise<NextSession | null>
  /**
   * Called once both are written.
   * @param kept `null` if there is no new session, because the old one was ended or confirmed meanwhile
   */
  stored(kept: KeptSession | null, user: User, endsAll: boolean): void
  /** Called once the user is written, if the two are stored separately. Never throws: the change has succeeded. */
  follow(user: User, endsAll: boolean): Promise<void>
}

/** How a session continues once its owner has proved again who they are. */
export interface Continued {
  login: Login
  /** As the change leaves them. */
  user: User
  methods: readonly string[]
  /**
   * When what proves it was added, as `addedAt` tells: what is younger than an access token may be of somebody who has
   * stolen that, so it says how the session goes on, and proves nobody. Default: it was always there. So are a password,
   * and a code to the address: a thief who set those with a stolen token can log in with them.
   */
  since?: number | undefined
}

/** For logins that follow a change: it leaves the rows of older sessions, because a late deletion would end the new one. */
export const loginFollows: SessionChange = {
  isDue: (endsAll) => endsAll,
  stored() {},
  async follow() {},
}

/**
 * The part of `continue` that all keepers share.
 * @param device marks the client as known afterwards; `null` if that depends on how the session goes on
 * @param renew continues the session after a change that ends all
 */
export function createContinue(
  keeper: {
    confirm(client: Client, continued: Continued): Promise<unknown>
    forget(client: Client): Promise<void>
  },
  device: Pick<DeviceCookie, 'write'> | null,
  renew: (client: Client, continued: Continued) => Promise<unknown>,
): (
  client: Client,
  login: Login,
  methods: readonly string[],
  since?: number,
) => Omit<SessionChange, 'make' | 'stored'> {
  return (client, login, methods, since) => ({
    isDue: (endsAll) => endsAll || methods.length > 0,
    async follow(user, endsAll) {
      const continued = { login, user, methods, since }
      try {
        await (endsAll ? renew : keeper.confirm)(client, continued)
      } catch (error) {
        logTrouble(client.log, error, 'accounts: the session could not go on after a change of the account')
        await keeper.forget(client)
      }
      device?.write(client, user)
    },
  })
}
