import type { Session, SessionState, SessionStore, SessionUpdate } from 'fastify-accounts'
import { pause, scramble } from './checks.js'
import type { Calls } from './outage.js'

export const hour = 3_600_000
const letters = scramble(32)
let serial = 0

/**
 * A session for your own tests of a store, with an id that no other call returns, valid for an hour.
 *
 * @param overrides what matters to the test
 */
export function newSession(overrides: Partial<Session> = {}): Session {
  serial += 1
  const now = Date.now()
  return {
    id: `${letters}-${serial}`.padEnd(43, '_'),
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
    priorConfirmedAt: null,
    confirmation: 0,
    generation: 0,
    seenGeneration: 0,
    baseGeneration: 0,
    nextBase: null,
    settlesAt: null,
    ...overrides,
  }
}

/** An end late enough for a slow store, and soon enough to wait for. */
export const soon = (): Date => new Date(Date.now() + 1500)

/** Waits until an end has passed by every clock. */
export const isOver = (end: Date): Promise<void> => pause(Number(end) - Date.now() + 300)

/** What a change compares. Each moves by itself. */
export const compared = ['generation', 'seenGeneration', 'confirmation'] as const

/** The part of a session that a change compares. */
export function stateOf({ generation, seenGeneration, confirmation }: SessionState): SessionState {
  return { generation, seenGeneration, confirmation }
}

/** Changes a session if it is still in the state of the given one. */
export function changeFrom(store: SessionStore, from: Session, changes: SessionUpdate): Promise<boolean> {
  return store.change(from.id, stateOf(from), changes)
}

/** The calls that change this session or add the other one, and those that read. */
export function callsOn(
  store: SessionStore,
  session: Session,
  fresh: Session = newSession(),
): { writes: Calls; reads: Calls } {
  const { id, userId } = session
  const ended = { ...session, expiresAt: new Date(Date.now() - 1) }
  return {
    writes: {
      'create()': () => store.create(fresh),
      'touch()': () => store.touch(id, ended),
      'change()': () => changeFrom(store, session, { generation: 1, name: 'late' }),
      'delete()': () => store.delete(id),
      'deleteByUser()': () => store.deleteByUser(userId),
    },
    reads: { 'find()': () => store.find(id), 'listByUser()': () => store.listByUser(userId) },
  }
}
