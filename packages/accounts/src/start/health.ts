import { compareClocks } from '../adapters/compare-clocks.js'
import { createDeadline } from '../adapters/deadline.js'
import { countIn, oldestIn } from '../outbox/realm-counts.js'
import type { ActivityStore } from '../seams/activity-store.js'
import type { InvitationStore } from '../seams/invitation-store.js'
import type { SessionStore } from '../seams/session-store.js'
import type { UserStore } from '../seams/user-store.js'
import type { Adapters } from './choose-adapters.js'
import { countEvents, type EventsHealth } from './events-health.js'

/** The health of a part: `ok`, or `unavailable` if it failed, refused to be written, or didn't respond in time. */
export interface PartHealth {
  state: 'ok' | 'unavailable'
  /** Milliseconds until the response or the failure. */
  ms: number
}

/** How quickly passwords are hashed. */
export interface HasherHealth {
  /** `busy` while a hash takes or waits more than two seconds: users wait, or get a 503. */
  state: 'ok' | 'busy'
  /** How many hashes are being made in this process. */
  underWay: number
  /** Milliseconds that the oldest of them has taken so far; 0 if there is none. */
  oldestMs: number
  /** How many wait for their turn. */
  waiting: number
  /** The longest wait so far in milliseconds; 0 if nobody waits. After 8,000 the response is a 503. */
  waitMs: number
}

/** The health of the outbox, and of this process's deliveries. */
export interface OutboxHealth extends Omit<PartHealth, 'state'> {
  /** `stuck` while the outbox responds, but one email has been in delivery for more than ten seconds: others may wait. */
  state: PartHealth['state'] | 'stuck'
  /** How many emails of this mount wait, and how many were abandoned; `null` if the outbox doesn't respond. */
  waiting: number | null
  dead: number | null
  /**
   * Milliseconds for which the longest overdue email of this mount has waited to be delivered, by any process; 0 if none
   * is due, `null` if the outbox doesn't respond or can't tell.
   */
  overdueMs: number | null
  /** How many emails this process is delivering; at most five at a time. */
  underWay: number
  /** Milliseconds that the oldest of them has taken so far; 0 if there is none. */
  oldestMs: number
}

/** This process's clock, compared with the database's. */
export interface ClockHealth {
  /** `off` if the difference is more than 5 seconds; `unknown` if the store has no clock. */
  state: 'ok' | 'off' | 'unknown'
  /** Milliseconds that this process is ahead of the database; negative: behind. `null` if unknown. */
  aheadMs: number | null
}

/** The result of `app.accounts.check()`, without secrets, addresses and error texts. */
export interface AccountsHealth {
  /** Whether this process can serve: the stores that logins need could be read and written, and the outbox read, in time. */
  ok: boolean
  /** Milliseconds that the check took. */
  ms: number
  users: PartHealth
  sessions: PartHealth
  invitations: PartHealth
  throttle: PartHealth
  outbox: OutboxHealth
  /** `null` in an app without subscribers. */
  events: EventsHealth | null
  hasher: HasherHealth
  clock: ClockHealth
  /**
   * How many calls of stores this process has given up since startup because others kept changing the same rows: a 503, or
   * work that is repeated or can be missed, such as a delivery or when a session was last used.
   */
  givenUp: number
}

/** How long each part may take, in milliseconds: probes of orchestrators and proxies give up after some seconds. */
const partTimeout = 2_000
/** How long a result is reused, in milliseconds, so a public probe costs little. */
const freshFor = 1_000
/** A delivery that takes longer than this, in milliseconds, holds up others. */
const slowDelivery = 10_000
/** A hash that takes or waits longer than this, in milliseconds, means the queue is too slow. */
const slowHash = 2_000
/** Ids in the same form as the plugin's own, which nobody has. */
const noUser = '00000000-0000-7000-8000-000000000000'
const noSession = 'A'.repeat(43)
const noInvitation = 'A'.repeat(22)

/** Reads and writes, and changes nothing: a database that has become read-only, as a standby is, still reads. */
export async function probeUsers(users: Pick<UserStore, 'findById' | 'update'>): Promise<void> {
  await users.findById(noUser)
  await users.update(noUser, { isActive: true }, 0)
}

/** The same for a session store. */
export async function probeSessions(sessions: Pick<SessionStore, 'find' | 'touch'>): Promise<void> {
  await sessions.find(noSession)
  const now = new Date()
  await sessions.touch(noSession, { lastSeenAt: now, expiresAt: now })
}

/** The same for an invitation store. */
export async function probeInvitations(invitations: Pick<InvitationStore, 'find' | 'update'>): Promise<void> {
  await invitations.find(noInvitation)
  await invitations.update(noInvitation, { sends: 1 }, 0)
}

/** The same for an activity store. */
export async function probeActivity(activity: Pick<ActivityStore, 'list' | 'removeAll'>): Promise<void> {
  await activity.list(noUser, { limit: 1 })
  await activity.removeAll(noUser)
}

/**
 * @param deps.now the database's clock, if the store provides it
 * @param deps.events of a mount with subscribers
 */
export function createCheck(deps: {
  adapters: Pick<Adapters, 'users' | 'sessions' | 'invitations' | 'throttleStore' | 'outbox' | 'givenUp'>
  realms: readonly string[]
  hashes(): Omit<HasherHealth, 'state'>
  deliveries(): Pick<OutboxHealth, 'underWay' | 'oldestMs'>
  now: (() => Promise<Date>) | undefined
  events: {
    mount: string
    subscribers: readonly string[]
    deliveries(): Pick<EventsHealth, 'underWay' | 'oldestMs'>
  } | null
}): () => Promise<AccountsHealth> {
  const { adapters, realms, hashes, deliveries, now, events } = deps
  const inTime = createDeadline(partTimeout)
  let last: { startedAt: number; isOver: boolean; health: Promise<AccountsHealth> } | undefined

  /** Never rejects. */
  async function ask<T>(call: () => Promise<T>): Promise<[PartHealth, T?]> {
    const start = performance.now()
    const since = (): number => Math.round(performance.now() - start)
    try {
      const value = await inTime(call(), () => new Error('no response in time'))
      return [{ state: 'ok', ms: since() }, value]
    } catch {
      // The guard around the adapter has logged the reason.
      return [{ state: 'unavailable', ms: since() }]
    }
  }

  async function lookAtClock(): Promise<ClockHealth> {
    if (now === undefined) return { state: 'unknown', aheadMs: null }
    const [, clocks] = await ask(() => compareClocks(now))
    if (clocks === undefined) return { state: 'unknown', aheadMs: null }
    return { state: clocks.isOff ? 'off' : 'ok', aheadMs: clocks.aheadMs }
  }

  async function look(): Promise<AccountsHealth> {
    const start = performance.now()
    const [
      [users],
      [sessions],
      [invitations],
      [throttle],
      [outbox, counts],
      [, dueSince],
      clock,
      [, waiting],
    ] = await Promise.all([
      ask(() => probeUsers(adapters.users)),
      ask(() => probeSessions(adapters.sessions)),
      ask(() => probeInvitations(adapters.invitations)),
      ask(() => adapters.throttleStore.clear('check')),
      ask(() => countIn(adapters.outbox, realms)),
      ask(() => oldestIn(adapters.outbox, realms)),
      lookAtClock(),
      ask(async () => events && countEvents(adapters.outbox, events.mount, events.subscribers)),
    ])
    const queue = hashes()
    const mails = deliveries()
    const parts = [users, sessions, invitations, throttle, outbox]
    return {
      ok: parts.every(({ state }) => state === 'ok'),
      ms: Math.round(performance.now() - start),
      users,
      sessions,
      invitations,
      throttle,
      outbox: {
        state: outbox.state === 'ok' && mails.oldestMs > slowDelivery ? 'stuck' : outbox.state,
        ms: outbox.ms,
        waiting: counts?.waiting ?? null,
        dead: counts?.dead ?? null,
        overdueMs: overdueOf(dueSince, clock),
        ...mails,
      },
      events: events && {
        waiting: waiting?.waiting ?? null,
        dead: waiting?.dead ?? null,
        overdueMs: overdueOf(waiting?.dueSince, clock),
        unclaimed: waiting?.unclaimed ?? null,
        ...events.deliveries(),
      },
      hasher: { state: Math.max(queue.oldestMs, queue.waitMs) > slowHash ? 'busy' : 'ok', ...queue },
      clock,
      givenUp: adapters.givenUp(),
    }
  }

  return () => {
    if (last !== undefined && (!last.isOver || performance.now() - last.startedAt < freshFor))
      return last.health
    const current = { startedAt: performance.now(), isOver: false, health: look() }
    last = current
    return current.health.finally(() => {
      current.isOver = true
    })
  }
}

/** By the database's clock, if it has one: that is what emails are claimed by. */
function overdueOf(dueSince: Date | null | undefined, { aheadMs }: ClockHealth): number | null {
  if (dueSince === undefined) return null
  const now = Date.now() - (aheadMs ?? 0)
  return dueSince === null ? 0 : Math.max(0, Math.round(now - dueSince.getTime()))
}
