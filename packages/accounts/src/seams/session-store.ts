import type { StoredUser, User, UserChanges } from '../user.js'
import type { SeamMethods } from './methods.js'
import type { OperatedStore } from './operated-store.js'
import type { PendingMessage } from './outbox.js'
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
  /** The user's `sessionEpoch` at login, or after a change that ended the others and continued this one. */
  epoch: number
  /** When it began, for the absolute timeout. */
  createdAt: Date
  lastSeenAt: Date
  /** From this time on the store no longer returns the session. */
  expiresAt: Date
  /** Stored as given, as JSON; `null` in rows that aren't a login: values that were used once. */
  details: SessionDetails | null
  /** How the user logged in, in order: words of RFC 8176 such as `pwd`, and our own such as `host`. */
  methods: readonly string[]
  /** When the user last proved who they are; `null` if only your app vouched for them. */
  confirmedAt: Date | null
  /** What `confirmedAt` was before the last confirmation; `null` if there was none. */
  priorConfirmedAt: Date | null
  /** How often the user has confirmed who they are since the login, from 0: a claim with another number isn't confirmed. */
  confirmation: number
  /** The newest generation that was delivered to the client, from 0. */
  generation: number
  /** The newest generation that the client has presented. */
  seenGeneration: number
  /** The oldest generation that is good. */
  baseGeneration: number
  /** The next `baseGeneration`; `null` if none is due. */
  nextBase: number | null
  /** When `nextBase` becomes the base, by the clock of the store; `null` if none is due. */
  settlesAt: Date | null
}

/** What a change of a session compares: all that two requests must not overwrite for each other. */
export type SessionState = Pick<Session, 'generation' | 'seenGeneration' | 'confirmation'>

/** What can change of a session. */
export type SessionUpdate = {
  [Field in Exclude<keyof Session, 'id' | 'kind' | 'userId' | 'createdAt'>]?: Session[Field] | undefined
}

/** How a change of a user changes the user's sessions. */
export interface SessionChanges {
  /** A new session of the user, stored as by `create`. Default: none. */
  create?: Session | undefined
  /** A compare-and-swap of one of the user's sessions, as by `SessionStore.change`. Default: none. */
  change?: { id: string; from: SessionState; changes: SessionUpdate } | undefined
  /**
   * Whether the user's sessions are deleted, except the new one and the one that `change` names, changed or not.
   * Default: no.
   */
  deleteOthers?: boolean | undefined
}

/**
 * `users.update`, and with it changes of the user's sessions, in one transaction: all or nothing.
 * @param messages only given if there is a `users.outbox`: stored in it if and only if the user is changed
 * @returns `null` if `users.update` would return it, with no session changed; otherwise the changed user, whether the
 * session was changed, and what `create` returns
 * @throws DuplicateError if another user has one of the keys, InvalidArgumentError if the session's id is in use,
 * UnavailableError; then nothing has changed
 */
export type UpdateWithSessions = (
  id: string,
  changes: UserChanges,
  expectedVersion: number,
  messages: readonly PendingMessage[],
  sessions: SessionChanges,
) => Promise<{ user: StoredUser; isChanged: boolean; count: number | undefined } | null>

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
export interface SessionStore extends OperatedStore {
  /**
   * Stores a new session.
   * @returns the user's number of sessions, including this one, or `undefined`: then the plugin lists them at each login,
   * to end surplus ones. The number may include expired sessions and miss simultaneous ones
   * @throws InvalidArgumentError if the id is in use: two people must never share a session
   */
  create(session: Session): Promise<number | undefined>

  /** `null` if there is none, or it has expired. */
  find(id: string): Promise<Session | null>

  /** Sets `lastSeenAt` and `expiresAt` of an existing session, and nothing else. Returns whether there was one. */
  touch(id: string, seen: Pick<Session, 'lastSeenAt' | 'expiresAt'>): Promise<boolean>

  /**
   * Compare-and-swap: applies the changes if there is such a session, it hasn't expired and is still as `from` says.
   * Otherwise nothing changes. Of simultaneous calls that change one of these, one returns `true`.
   * @param changes absent and `undefined` leave a field alone
   * @returns whether they were applied
   */
  change(id: string, from: SessionState, changes: SessionUpdate): Promise<boolean>

  /** Returns whether there was one. */
  delete(id: string): Promise<boolean>

  /** All sessions of a user that have not expired, newest first. */
  listByUser(userId: string): Promise<Session[]>

  /** Ends all sessions of a user except `exceptId`. Returns how many were deleted. */
  deleteByUser(userId: string, exceptId?: string): Promise<number>

  /** Removes sessions that expired before `now`, in portions that lock nothing for long. Returns how many. */
  deleteExpired(now: Date): Promise<number>

  /**
   * The database's clock, roughly to the millisecond: by it, replaced cookies and tokens stop working. Omit it if the store
   * has no other clock than the process.
   */
  now?(): Promise<Date>

  /**
   * For stores in the same database as the users: one call then reads a session with its user, or changes a user and
   * their sessions. Only used if `users` is the very user store the plugin was given. Default: separate calls.
   */
  readonly withUsers?:
    | {
        readonly users: UserStore
        /**
         * In one query, what `find` returns, and its user as from `users.findById`, without credentials, identities and
         * notes.
         */
        find(id: string): Promise<{ session: Session; user: User | null } | null>
        /** Default: one call after the other. */
        update?: UpdateWithSessions | undefined
      }
    | undefined
}

/** What every session store has, and what the plugin calls if there is more. */
export const sessionStoreMethods = {
  required: {
    create: 'writes',
    find: 'reads',
    touch: 'writes',
    change: 'writes',
    delete: 'writes',
    listByUser: 'reads',
    deleteByUser: 'writes',
    deleteExpired: 'writes',
  },
  optional: { now: 'reads' },
} as const satisfies SeamMethods<SessionStore, keyof OperatedStore>

/** The same of `withUsers`. */
export const withUsersMethods = {
  required: { find: 'reads' },
  optional: { update: 'writes' },
} as const satisfies SeamMethods<NonNullable<SessionStore['withUsers']>>
