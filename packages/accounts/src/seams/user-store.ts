import type { NewUser, StoredUser, UserChanges } from '../user.js'
import type { Outbox, PendingMail } from './outbox.js'

/** A place in the list of users: what an order compares of the user there. */
export type UserPosition = Pick<StoredUser, 'id' | 'createdAt' | 'usernameKey'>

/** What the list can be narrowed to: users whose flags are these. */
export type UserFilter = { [Flag in 'isActive' | 'isStaff' | 'isVerified']?: boolean | undefined }

/**
 * By `createdAt`, then `id`, or by `usernameKey`: from the least, or else from the greatest. Users without a name stand
 * behind all names, or are left out: routes ask for this order only where everybody has one.
 */
export interface UserOrder {
  by: 'createdAt' | 'usernameKey'
  descending?: boolean | undefined
}

/** What `UserStore.list` is asked for: with `prefix`, `where` and `order` only what `listsBy` declares. */
export interface UserListQuery {
  /** The most users to return, from 1. */
  limit: number
  /** Only users behind this place in the order of this query; it may be that of a user who is gone. */
  after?: UserPosition | undefined
  /** Only users whose `usernameKey` begins with the one, or whose `emailKey` begins with the other; `null` begins with nothing. */
  prefix?: UserPrefix | undefined
  /** Only users with all of these flags. */
  where?: UserFilter | undefined
  /** Absent: the store's own order, always the same one, in which no user ever moves. */
  order?: UserOrder | undefined
}

/**
 * What a list can do beyond pages in the store's own order: the order by creation, the order by name, `where` (all three
 * flags, and any combination), and `prefix`. What is declared goes with all else that is.
 */
export type ListAbility = UserOrder['by'] | 'flags' | 'prefix'

/** How a name, or an address, begins. Compared letter for letter; nothing in it is a pattern. */
export interface UserPrefix {
  /** Absent where names are not looked through. */
  usernameKey?: string | undefined
  /** Absent where addresses are not looked through. */
  emailKey?: string | undefined
}

/** A user from elsewhere, who may bring an id along. */
export type ImportedUser = NewUser & { id?: string | undefined }

/** What became of a user from elsewhere: created under this id, or not, since `holder` has the id or key. */
export type ImportOutcome =
  | { id: string }
  | { taken: 'id' | 'username' | 'email' | 'identity'; holder: StoredUser }

/**
 * Where users live. Six questions, no query language; one more for passkeys and other providers, and a list.
 *
 * - Every record that goes in or out is a copy: changing it later changes nothing in the store.
 * - What an acknowledged write wrote, the next read sees.
 * - What was not done by `callDeadline()` is not done later either: the request was answered 503 then.
 * - Errors thrown: `DuplicateError`, `InvalidArgumentError`, `UnavailableError`; anything else counts as the last.
 *
 * The laws are in `fastify-accounts/testing` as `userStoreCases`.
 */
export interface UserStore {
  /**
   * Keeps a new user under an id that was never used before, with version 1.
   * Of two creations of one key at the same moment, one wins.
   * @param mails given only where there is an `outbox`: kept in it if and only if the user is, about this user
   * @throws DuplicateError for the other; it names `username` where both keys are taken
   */
  create(user: NewUser, mails?: readonly PendingMail[]): Promise<StoredUser>

  /** `null` where there is none. Only the id's canonical form finds it. */
  findById(id: string): Promise<StoredUser | null>

  /**
   * Never a user whose `usernameKey` is `null`.
   * @param usernameKey the whole key, compared letter for letter; nothing in it is a pattern
   */
  findByUsername(usernameKey: string): Promise<StoredUser | null>

  /** @param emailKey the whole key, compared letter for letter; nothing in it is a pattern */
  findByEmail(emailKey: string): Promise<StoredUser | null>

  /**
   * The user who has this among their `identityKeys`. Passkeys and other providers need it: without it they stop the
   * start.
   * @param identityKey the whole key, compared letter for letter; nothing in it is a pattern
   */
  findByIdentity?(identityKey: string): Promise<StoredUser | null>

  /**
   * One page of users. May be left out where users cannot be listed, as on a store of keys alone: the option
   * `users.list: false` then leaves GET /user/ out. Ids are compared as the store compares them, always the same way;
   * `usernameKey` letter for letter.
   */
  list?(query: UserListQuery): Promise<StoredUser[]>

  /**
   * What `list` can do. A route takes no parameter that is not declared here. Default: none.
   */
  listsBy?: readonly ListAbility[] | undefined

  /**
   * Compare-and-swap: applies the changes and adds one to `version`, if the user is there and still has
   * `expectedVersion`; otherwise changes nothing and returns `null`.
   * That alone makes a link single-use and a password change safe, on one process or fifty.
   * @param mails given only where there is an `outbox`: kept in it if and only if the changes are
   * @throws DuplicateError where the changes take another user's key
   */
  update(
    id: string,
    changes: UserChanges,
    expectedVersion: number,
    mails?: readonly PendingMail[],
  ): Promise<StoredUser | null>

  /** Returns whether there was one. Of two deletions at the same moment one says `true`. */
  delete(id: string): Promise<boolean>

  /**
   * For imports, where the store can do better than one `create` after the other: keeps as many of the users as have
   * free ids and keys, each wholly or not at all, and says of each what became of it, in their order. A user with an
   * `id` gets that one.
   * @throws InvalidArgumentError where one of the users cannot be kept; then none is
   */
  createMany?(users: readonly ImportedUser[]): Promise<ImportOutcome[]>

  /** Where mails wait, for a store that can keep them in one transaction with a change. Without it they are in memory. */
  outbox?: Outbox | undefined

  /**
   * The time by the clock of the database, to the millisecond or nearly so. `app.accounts.check()` compares this
   * process's clock with it. Leave it out where the store has no clock but the process's own.
   */
  now?(): Promise<Date>

  /**
   * For the operator, who is shown each line by `npx fastify-accounts doctor`: what is not as it should be where the
   * users are kept. Changes nothing.
   * @param within milliseconds after which the plugin gives a call up: nothing must take effect later
   */
  inspect?(within: number): Promise<string[]>

  /**
   * Frees what the store holds; waits for calls under way; may be called twice. Later calls reject.
   * The plugin does not call it: who made the store closes it, in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}

/** A user store that can list. */
export type ListingUserStore = UserStore & { list: NonNullable<UserStore['list']> }
