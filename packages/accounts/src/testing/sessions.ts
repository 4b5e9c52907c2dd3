import type { Session } from '../seams/session-store.js'
import { scramble } from './checks.js'

const hour = 3_600_000
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
    userId: 'user-1',
    epoch: 0,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + hour),
    details: { browser: 'Firefox', system: 'Windows', ip: '192.0.2.0/24', isPersistent: true },
    methods: ['pwd'],
    confirmedAt: new Date(now),
    ...overrides,
  }
}
