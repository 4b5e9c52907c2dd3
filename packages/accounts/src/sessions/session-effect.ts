import type { User } from '../user.js'
import type { Client } from './client.js'
import type { Proven } from './session-rules.js'

/** What a change of a user does to the user's sessions. */
export type SessionEffect =
  /** All of them end, whosever the request is. */
  | { own: 'end'; others: 'end'; client?: undefined }
  /** A login follows the change, so nothing of the client's own is left. */
  | { own: 'begin'; others: Others; client?: undefined }
  | LoginEffect
  | ContinueEffect

/** What becomes of all but the client's own. They end with a new `sessionEpoch`, and only with that. */
type Others = 'keep' | 'end'

/** The login that the change records. */
export interface LoginEffect {
  own: 'begin'
  others: 'keep'
  client: Client
  how: Proven
  /** Whether its cookie outlives the browser. */
  remember: boolean
}

/** The client's session goes on, and is confirmed if the change proves who its owner is. */
export interface ContinueEffect extends Reproof {
  own: 'continue'
  others: Others
  client: Client
}

/** How an owner has proved again who they are. */
export interface Reproof {
  /** Empty for what proves nothing. */
  methods: readonly string[]
  /**
   * When what proves it was added, as `addedAt` tells: what is younger than an access token may be of somebody who has
   * stolen that, so it says how the session goes on, and proves nobody. Default: it was always there. So are a password,
   * and a code to the address: a thief who set those with a stolen token can log in with them.
   */
  since?: number | undefined
}

/** The user's other sessions end with a new epoch. */
export function othersAfter(changed: Pick<User, 'sessionEpoch'>, before: Pick<User, 'sessionEpoch'>): Others {
  return changed.sessionEpoch === before.sessionEpoch ? 'keep' : 'end'
}

/**
 * For a change that a login follows. Where users and sessions are in two stores no row is deleted: the epoch has ended them,
 * and a late deletion would end the new one.
 */
export const loginFollows = { own: 'begin', others: 'end' } as const satisfies SessionEffect
