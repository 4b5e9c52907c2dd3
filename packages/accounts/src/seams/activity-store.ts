import type { JsonValue } from '../user.js'
import type { EventActor } from './events.js'
import type { SeamMethods } from './methods.js'
import type { OperatedStore } from './operated-store.js'

/**
 * Who caused an entry: `request`, the person, or somebody who wasn't logged in; `staff`, another user who was logged in, of the
 * staff or not, such as the owner of an organization; the others as for events.
 */
export type ActivityActor = EventActor['kind'] | 'staff'

/** Something that has happened to an account, as its person sees it. */
export interface ActivityEntry {
  /** The event's: what is delivered twice is there once. */
  id: string
  userId: string
  /** The event's type. At most 100 characters. */
  type: string
  /** To the millisecond. */
  at: Date
  actor: ActivityActor
  /** Browser and system; `null` if unknown, or not a request of the person's. At most 200 characters. */
  device: string | null
  /** Their network; `null` as `device`. At most 200 characters. */
  network: string | null
  /** What the event tells besides the user. Stored as given, as JSON: at most 4 KB. */
  data: { [name: string]: JsonValue }
}

/** A query of `ActivityStore.list`. */
export interface ActivityListQuery {
  /** The most entries to return, from 1. */
  limit: number
  /** Only those after this position, which are older; the one at the position may be gone. Default: from the newest. */
  after?: Pick<ActivityEntry, 'at' | 'id'> | undefined
}

/**
 * Stores what has happened to each account. The option `activity`.
 *
 * - Entries are copies, in both directions. They never change.
 * - A call sees what every acknowledged call wrote, in any process.
 * - It knows no users: entries of one who doesn't exist are stored like others.
 * - Nothing takes effect after `callDeadline()`, as with user stores: a call that begins later rejects with
 *   `UnavailableError`.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`; any other error counts as `UnavailableError`.
 *
 * Its conformance suite is `activityStoreCases` of `@fastify-accounts/testing`.
 */
export interface ActivityStore extends OperatedStore {
  /**
   * Stores entries, in any order. One whose id is in use is left out, whosever that is. Then removes of each of their users all
   * but the newest. If it rejects, some may be stored: the call is repeated.
   * @param keep how many entries of a user stay, from 1; more only until the next call, where calls meet
   */
  add(entries: readonly ActivityEntry[], keep: number): Promise<void>

  /**
   * One page of a user's entries, by `at` and `id`, the newest first. Ids may be compared in any fixed way.
   * @param userId compared byte for byte
   */
  list(userId: string, query: ActivityListQuery): Promise<ActivityEntry[]>

  /** Removes all entries of a user. Returns how many. */
  removeAll(userId: string): Promise<number>

  /** Removes entries from before this time, in portions that lock nothing for long. Returns how many. */
  deleteExpired(before: Date): Promise<number>
}

/** What every activity store has. */
export const activityStoreMethods = {
  required: { add: 'writes', list: 'reads', removeAll: 'takes', deleteExpired: 'writes' },
  optional: {},
} as const satisfies SeamMethods<ActivityStore, keyof OperatedStore>

/** An activity store as operations use it. */
export type ActivityStoreCalls = Pick<ActivityStore, 'add' | 'list' | 'removeAll'>
