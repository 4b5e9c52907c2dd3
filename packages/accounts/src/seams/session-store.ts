import type { StoredUser, User, UserChanges } from '../user.js'
import type { PendingMail } from './outbox.js'
import type { UserStore } from './user-store.js'

/** What is noted of a login, so that people know their sessions again in a list. */
export interface SessionDetails {
  /** In a word, such as `Firefox`; `null` where the client did not say, or is not known. */
  browser: string | null
  /** In a word, such as `Windows`. */
  system: string | null
  /** The client's address, as much of it as the option `session.ip` allows. */
  ip: string | null
  /** Whether the cookie outlives the browser. */
  isPersistent: boolean
}

/** A login that goes on. */
export interface Session {
  /** SHA-256 of the id in the cookie, base64url: a leaked table opens no session. */
  id: string
  userId: string
  /** The user's `sessionEpoch` at login. */
  epoch: number
  /** When it began: the absolute timeout counts from here. A session that is confirmed goes on as a new one. */
  createdAt: Date
  lastSeenAt: Date
  /** From this moment on the store no longer returns the session. */
  expiresAt: Date
  /** Kept as given, like JSON; `null` for a session from before they were kept. */
  details: SessionDetails | null
  /**
   * How the owner logged in, in the words of RFC 8176 where it has one (`pwd`), and ours beside them (`host`), in the
   * order in which the proofs were given; `null` for a session from before they were kept, which began with a password.
   */
  methods: readonly string[] | null
  /** When the owner last proved who they are; `null` where nobody has, or in a session from before it was kept. */
  confirmedAt: Date | null
}

/**
 * A login: `users.update`, and with it `create` of the user's session, in one transaction: both or neither.
 * @param mails given only where there is a `users.outbox`: kept in it if and only if the login is
 * @returns `null` where `users.update` returns it, and then there is no session; else the changed user, and what `create`
 * returns
 * @throws DuplicateError where the changes take another user's key, InvalidArgumentError where the session's id is in use,
 * UnavailableError; nothing has changed then
 */
export type UpdateAndCreate = (
  id: string,
  changes: UserChanges,
  expectedVersion: number,
  mails: readonly PendingMail[],
  session: Session,
) => Promise<{ user: StoredUser; count: number | undefined } | null>

/**
 * Where sessions live: one row per session.
 *
 * - Records that go in or out are copies.
 * - A session that was deleted never comes back: nothing but `create` makes a row.
 * - What was not done by `callDeadline()` is not done later either: the request was answered 503 then.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`; anything else counts as the last.
 *
 * The laws are in `fastify-accounts/testing` as `sessionStoreCases`.
 */
export interface SessionStore {
  /**
   * Keeps a new session.
   * @returns how many sessions the user has, with this one, or `undefined`: then the plugin lists them at each login, to
   * end those that are too many. Expired ones may be counted; others that are made at the same moment may be missing
   * @throws InvalidArgumentError where the id is in use: two people must never share a session
   */
  create(session: Session): Promise<number | undefined>

  /** `null` where there is none, or it has expired. */
  find(id: string): Promise<Session | null>

  /** Moves `lastSeenAt` and `expiresAt` of a session that is there. Whether it was. */
  touch(id: string, times: { lastSeenAt: Date; expiresAt: Date }): Promise<boolean>

  /** Returns whether there was one. */
  delete(id: string): Promise<boolean>

  /** The sessions of a user that have not expired, newest first. */
  listByUser(userId: string): Promise<Session[]>

  /** Ends all sessions of a user, but for one where `exceptId` is given. Returns how many were deleted. */
  deleteByUser(userId: string, exceptId?: string): Promise<number>

  /** Removes what has expired before `now`, in portions that lock nothing for long. Returns how many were deleted. */
  deleteExpired(now: Date): Promise<number>

  /**
   * For stores that share a database with the users: a session is then read with its user, and a login kept with its
   * session, in one call. Used where `users` is the very user store that the plugin was given. Default: two calls.
   */
  readonly withUsers?:
    | {
        readonly users: UserStore
        /** The session as `find` gives it, and its user as `users.findById` does but for the credentials and identities, as of one moment. */
        find(id: string): Promise<{ session: Session; user: User | null } | null>
        /** Default: one call after the other. */
        updateAndCreate?: UpdateAndCreate | undefined
      }
    | undefined

  /**
   * Frees what the store holds; waits for calls under way; may be called twice. Later calls reject.
   * The plugin does not call it: who made the store closes it, in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}
