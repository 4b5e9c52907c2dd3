import type { Session, SessionStore } from 'fastify-accounts'
import { type Law, notChecked } from './cases.js'
import { pause, scramble } from './checks.js'

export const hour = 3_600_000
const letters = scramble(32)
let made = 0

/**
 * A session for your own tests of a store, with an id that no other call returns, valid for an hour.
 *
 * @param overrides what matters to the test
 */
export function newSession(overrides: Partial<Session> = {}): Session {
  made += 1
  const now = Date.now()
  return {
    id: `${letters}-${made}`.padEnd(43, '_'),
    kind: 'cookie',
    name: null,
    userId: 'user-1',
    epoch: 0,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + hour),
    details: { browser: 'Firefox', system: 'Windows', ip: '192.0.2.0/24', isPersistent: true },
    methods: ['pwd'],
    confirmedAt: new Date(now),
    generation: 0,
    seenGeneration: 0,
    confirmedGeneration: 0,
    retiredBy: null,
    ...overrides,
  }
}

/** An end late enough for a slow store, and soon enough to wait for. */
export const soon = (): Date => new Date(Date.now() + 1500)

/** Waits until an end has passed by every clock. */
export const isOver = (end: Date): Promise<void> => pause(Number(end) - Date.now() + 300)

/** A session store with `change`. */
export type ChangingStore = SessionStore & { change: NonNullable<SessionStore['change']> }

/** A law about `change`, which a store may omit; then it isn't checked. */
export function changing(
  law: (store: ChangingStore, second: ChangingStore) => Promise<void>,
): Law<SessionStore> {
  return async (store, second) =>
    canChange(store) && canChange(second) ? law(store, second) : notChecked('change')
}

export function canChange(store: SessionStore): store is ChangingStore {
  return store.change !== undefined
}
