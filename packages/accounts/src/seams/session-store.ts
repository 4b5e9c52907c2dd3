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

/** What a change of a user does to the user's sessions. */
export interface SessionChanges {
  /** A new session of the user, kept as by `create`. Default: none. */
  create?: Session | undefined
  /**
   * The id of the user's session that the new one replaces. It is deleted; if it is gone, because the user has logged
   * out meanwhile, no session is created. Default: none.
   */
  replaces?: string | undefined
  /** Whether all other sessions of the user are deleted. Default: no. */
  deleteOthers?: boolean | undefined
}

/**
 * `users.update`, and with it changes of the user's sessions, in one transaction: all or nothing.
 * @param mails given only where there is a `users.outbox`: kept in it if and only if the user is changed
 * @returns `null` where `users.update` returns it, and then no session has changed; else the changed user, whether the
 * new session was created, and if so what `create` returns
 * @throws DuplicateError where the changes take another user's key, InvalidArgumentError where the session's id is in use,
 * UnavailableError; nothing has changed then
 */
export type UpdateWithSessions = (
  id: string,
  changes: UserChanges,
  expectedVersion: number,
  mails: readonly PendingMail[],
  sessions: SessionChanges,
) => Promise<{ user: StoredUser; isCreated: boolean; count: number | undefined } | null>

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
   * For stores that share a database with the users: a session is then read with its user, and a change of a user made
   * with the changes of their sessions, in one call. Used where `users` is the very user store that the plugin was given.
   * Default: a call for each.
   */
  readonly withUsers?:
    | {
        readonly users: UserStore
        /** The session as `find` gives it, and its user as `users.findById` does but for the credentials and identities, as of one moment. */
        find(id: string): Promise<{ session: Session; user: User | null } | null>
        /** Default: one call after the other. */
        update?: UpdateWithSessions | undefined
      }
    | undefined

  /**
   * Frees what the store holds; waits for calls under way; may be called twice. Later calls reject.
   * The plugin does not call it: who made the store closes it, in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}
