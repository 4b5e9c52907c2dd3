import type { StoredUser, User, UserChanges } from '../user.js'
import type { SeamMethods } from './methods.js'
import type { PendingMessage } from './outbox.js'
import type { TableDescription } from './tables.js'
import type { UserStore } from './user-store.js'

/** What a list of sessions shows, so users recognize theirs. */
export interface SessionDetails {
  /** One word, such as `Firefox`; `null` if unknown. */
  browser: string | null
  /** One word, such as `Windows`; `null` if unknown. */
  system: string | null
  /** The client's address, as much of it as the option `session.ip` allows. */
  ip: string | null
  /** Whether the cookie outlives the browser. */
  isPersistent: boolean
}

/** A session of a user. */
export interface Session {
  /** SHA-256 of the id in the cookie or tokens, base64url: a leaked table opens no session. */
  id: string
  /** How its client keeps it: as a cookie, or as tokens. */
  kind: 'cookie' | 'token'
  /** What its owner calls the device; `null` if it has no name, as sessions of cookies. At most 64 characters. */
  name: string | null
  userId: string
  /** The user's `sessionEpoch` at login. */
  epoch: number
  /** When it began, for the absolute timeout. A session that is confirmed continues as a new one. */
  createdAt: Date
  lastSeenAt: Date
  /** From this time on the store no longer returns the session. */
  expiresAt: Date
  /** Stored as given, as JSON; `null` in sessions from before the store kept them. */
  details: SessionDetails | null
  /**
   * How the user logged in, in order: words of RFC 8176 such as `pwd`, and our own such as `host`. `null` in sessions
   * from before the store kept them, which count as begun with a password.
   */
  methods: readonly string[] | null
  /** When the user last proved who they are; `null` if only your app vouched for them, or in older sessions. */
  confirmedAt: Date | null
  /** For compare-and-swap: 0 at login, plus one at each change that must not overlook another. A whole number. */
  generation: number
  /** The highest generation in which its client was seen. */
  seenGeneration: number
  /** The generation in which `confirmedAt` was set. */
  confirmedGeneration: number
  /**
   * The id of the session that continues this one; `null` if none does. The client may not know the new id yet, so this
   * one is still logged in, but never counts as confirmed.
   */
  retiredBy: string | null
}

/** What can change of a session. */
export type SessionUpdate = {
  [Field in Exclude<keyof Session, 'id' | 'kind' | 'userId' | 'createdAt'>]?: Session[Field] | undefined
}

/** How a change of a user changes the user's sessions. */
export interface SessionChanges {
  /** A new session of the user, stored as by `create`. Default: none. */
  create?: Session | undefined
  /**
   * A compare-and-swap of one of the user's sessions, as by `SessionStore.change`. If it fails, no session is created.
   * Only given if the store has `change`. Default: none.
   */
  change?: { id: string; fromGeneration: number; changes: SessionUpdate } | undefined
  /**
   * The id of the user's session that the new one replaces. It is deleted; if the user has none with this id, because
   * they have logged out meanwhile, no session is created. Default: none.
   */
  replaces?: string | undefined
  /**
   * Whether the user's sessions are deleted, except the new one and the changed one; one whose change failed is deleted,
   * as well. Default: no.
   */
  deleteOthers?: boolean | undefined
}

/**
 * `users.update`, and with it changes of the user's sessions, in one transaction: all or nothing.
 * @param messages only given if there is a `users.outbox`: stored in it if and only if the user is changed
 * @returns `null` if `users.update` would return it, with no session changed; otherwise the changed user, whether the
 * session was changed, whether the new one was created, and if so what `create` returns
 * @throws DuplicateError if another user has one of the keys, InvalidArgumentError if the session's id is in use,
 * UnavailableError; then nothing has changed
 */
export type UpdateWithSessions = (
  id: string,
  changes: UserChanges,
  expectedVersion: number,
  messages: readonly PendingMessage[],
  sessions: SessionChanges,
) => Promise<{ user: StoredUser; isChanged: boolean; isCreated: boolean; count: number | undefined } | null>

/**
 * Stores sessions, one row for each.
 *
 * - Records are copies, in both directions.
 * - A deleted session never comes back: only `create` makes a row.
 * - Nothing takes effect after `callDeadline()`: by then the response was 503. A call that begins later rejects with
 *   `UnavailableError`.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`; any other error counts as `UnavailableError`.
 *
 * Its conformance suite is `sessionStoreCases` of `@fastify-accounts/testing`.
 */
export interface SessionStore {
  /**
   * Stores a new session.
   * @returns the user's number of sessions, including this one, or `undefined`: then the plugin lists them at each login,
   * to end surplus ones. The number may include expired sessions and miss simultaneous ones
   * @throws InvalidArgumentError if the id is in use: two people must never share a session
   */
  create(session: Session): Promise<number | undefined>

  /** `null` if there is none, or it has expired. */
  find(id: string): Promise<Session | null>

  /**
   * Sets `lastSeenAt` and `expiresAt` of an existing session, and `seenGeneration` if a higher one is given. Returns
   * whether there was one.
   */
  touch(
    id: string,
    seen: Pick<Session, 'lastSeenAt' | 'expiresAt'> & Partial<Pick<Session, 'seenGeneration'>>,
  ): Promise<boolean>

  /**
   * Compare-and-swap: applies the changes if there is such a session, it hasn't expired and has this generation.
   * Otherwise nothing changes. Of simultaneous calls that advance the generation, one returns `true`. Those that leave it
   * only write what they are given, so none undoes another. Without this method, a session that is confirmed ends under its
   * old id at once.
   * @param changes absent and `undefined` leave a field alone
   * @returns whether they were applied
   */
  change?(id: string, fromGeneration: number, changes: SessionUpdate): Promise<boolean>

  /**
   * Returns whether there was one.
   * @param fromGeneration only given if the store has `change`: deletes it only if it has this generation, so of a
   * simultaneous deletion and change of the generation, one returns `true`. Default: whichever it has
   */
  delete(id: string, fromGeneration?: number): Promise<boolean>

  /** All sessions of a user that have not expired, newest first. */
  listByUser(userId: string): Promise<Session[]>

  /** Ends all sessions of a user except `exceptId`. Returns how many were deleted. */
  deleteByUser(userId: string, exceptId?: string): Promise<number>

  /** Removes sessions that expired before `now`, in portions that lock nothing for long. Returns how many. */
  deleteExpired(now: Date): Promise<number>

  /** Problems with the database, one line each, which `npx fastify-accounts doctor` shows. Changes nothing. */
  inspect?(): Promise<string[]>

  /** The SQL tables that it needs, which `npx fastify-accounts schema` prints. Asks no database. */
  tables?(): readonly TableDescription[]

  /**
   * For stores in the same database as the users: one call then reads a session with its user, or changes a user and
   * their sessions. Only used if `users` is the very user store the plugin was given. Default: separate calls.
   */
  readonly withUsers?:
    | {
        readonly users: UserStore
        /** In one query, what `find` returns, and its user as from `users.findById`, without credentials and identities. */
        find(id: string): Promise<{ session: Session; user: User | null } | null>
        /** Default: one call after the other. */
        update?: UpdateWithSessions | undefined
      }
    | undefined

  /**
   * Waits for calls in progress, then frees what the store holds. May be called twice; later calls reject.
   * The plugin doesn't call it: the app closes its store in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}

/** What every session store has, and what the plugin calls if there is more. */
export const sessionStoreMethods = {
  required: {
    create: 'writes',
    find: 'reads',
    touch: 'writes',
    delete: 'writes',
    listByUser: 'reads',
    deleteByUser: 'writes',
    deleteExpired: 'writes',
  },
  optional: { change: 'writes' },
} as const satisfies SeamMethods<SessionStore, 'inspect' | 'tables' | 'close'>

/** The same of `withUsers`. */
export const withUsersMethods = {
  required: { find: 'reads' },
  optional: { update: 'writes' },
} as const satisfies SeamMethods<NonNullable<SessionStore['withUsers']>>
