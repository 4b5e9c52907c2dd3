import type { SessionChanges } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { KeptSession, MadeSession } from './fastify-session.js'

/** A new session, and what becomes of the one that it continues. */
export type NextSession = MadeSession & Pick<SessionChanges, 'replaces' | 'change'>

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
