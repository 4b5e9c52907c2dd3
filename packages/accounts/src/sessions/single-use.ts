import { hash } from 'node:crypto'
import type { SessionStore } from '../seams/session-store.js'
import { InvalidArgumentError } from '../seams/store-errors.js'

/**
 * Spends something that may be used once, on one process or fifty, before an account is known: a challenge, a flow.
 * @param id unique among all features
 * @param until when nobody would take it any more anyway
 * @returns `false` where it was spent before
 */
export type SpendOnce = (id: string, until: Date) => Promise<boolean>

/** How far other clocks may be behind, in milliseconds: the store's own too. */
const clockSkew = 10 * 60_000

/** A row of the session store, which refuses an id that is in use. It is nobody's, so it opens nothing and stays in no list. */
export function createSpendOnce(sessions: Pick<SessionStore, 'create'>): SpendOnce {
  return async (id, until) => {
    const now = new Date()
    try {
      await sessions.create({
        id: hash('sha256', `single-use:${id}`, 'base64url'),
        userId: `single-use:${id}`,
        epoch: 0,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(until.getTime() + clockSkew),
        details: null,
        methods: [],
        confirmedAt: null,
      })
      return true
    } catch (error) {
      if (error instanceof InvalidArgumentError) return false
      throw error
    }
  }
}
