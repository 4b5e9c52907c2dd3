import { hash } from 'node:crypto'
import type { SessionStore } from '../seams/session-store.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import { firstState } from './generations.js'
import { newLogin } from './session-rules.js'

/**
 * Uses up a one-time value, across any number of processes, before an account is known: a challenge, a flow.
 * @param id unique among all features
 * @param until when it would no longer be accepted anyway
 * @returns `false` if it was used before
 */
export type SpendOnce = (id: string, until: Date) => Promise<boolean>

/** How far other clocks may be behind, in milliseconds, including the store's own. */
const clockSkew = 10 * 60_000

/** A row of the session store, which rejects an id in use. It has no user, so it opens nothing and appears in no list. */
export function createSpendOnce(sessions: Pick<SessionStore, 'create'>): SpendOnce {
  return async (id, until) => {
    // A reader of the store learns no `state` and no challenge.
    const spent = hash('sha256', `single-use:${id}`, 'base64url')
    try {
      await sessions.create({
        ...firstState,
        ...newLogin({ id: `single-use:${spent}`, sessionEpoch: 0 }, { methods: [], confirmedAt: null }, null),
        id: spent,
        expiresAt: new Date(until.getTime() + clockSkew),
      })
      return true
    } catch (error) {
      if (error instanceof InvalidArgumentError) return false
      throw error
    }
  }
}
