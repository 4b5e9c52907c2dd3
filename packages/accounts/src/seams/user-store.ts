import type { NewUser, StoredUser, UserChanges, UserKind } from '../user.js'
import type { SeamMethods } from './methods.js'
import type { OperatedStore } from './operated-store.js'
import type { Outbox, PendingMessage } from './outbox.js'

/** A position in the list of users: the values that an order compares. */
export interface UserPosition extends Pick<StoredUser, 'id' | 'createdAt' | 'usernameKey'> {
  /** Only needed for a list by a prefix of addresses. */
  emailKey?: string | null | undefined
}

/** Only users with these flags. */
export type FlagFilter = {
  [Flag in 'isActive' | 'isStaff' | 'isVerified']?: boolean | undefined
}

/** Only users who match everything that is given; every list supports `kind` and `isUsed`. */
export interface UserFilter extends FlagFilter {
  /** Absent: users of every kind. */
  kind?: UserKind | undefined
  /** Whether they have a verified address or have ever logged in: `isVerified || lastLoginAt !== null`. */
  isUsed?: boolean | undefined
}

/** Only users with the text in one of these own fields, which must be a text itself. The case of ASCII letters is ignored. */
export interface UserSearch {
  /** Not empty. */
  text: string
  /** Names of own fields; at least one. */
  fields: readonly string[]
}

/**
 * By `createdAt` and `id`, or by `usernameKey`, ascending or descending. Users without a username come last or are left
 * out: routes only ask for the second order if every account has one.
 */
export interface UserOrder {
  by: 'createdAt' | 'usernameKey'
  descending?: boolean | undefined
}

/**
 * A query of `UserStore.list`. Everything but `limit`, `after`, `where.kind` and `where.isUsed` is only given if `listsBy`
 * declares it.
 */
export interface UserListQuery {
  /** The most users to return, from 1. */
  limit: number
  /** Only users after this position in the query's order; the user at the position may be gone. */
  after?: UserPosition | undefined
  /**
   * Only users whose key starts with the given text, in the order of this key, byte for byte: one range of its index.
   * `order` is absent then.
   */
  prefix?: UserPrefix | undefined
  /** Needs no index of its own: staff search for single people. */
  search?: UserSearch | undefined
  /** Absent: users of every kind, with any flags. */
  where?: UserFilter | undefined
  /** Absent: the store's own order, always the same, in which no user moves. */
  order?: UserOrder | undefined
}

/**
 * What a list can do beyond pages in the store's own order, filtered by `kind` and `isUsed` or not: order by creation,
 * order by username, any combination of flags in `where`, `prefix`, and `search`. Everything declared must work in
 * combination, but for `prefix`, which has its own order.
 */
export type ListAbility = UserOrder['by'] | 'flags' | 'prefix' | 'search'

/** The start of a username or of an address. Compared byte for byte, without wildcards; `null` never matches. */
export type UserPrefix =
  | { usernameKey: string; emailKey?: undefined }
  | { usernameKey?: undefined; emailKey: string }

/** A user to import, with an id of their own or without. */
export type ImportedUser = NewUser & { id?: string | undefined }

/** The result of an import: created with this id, or not, because `holder` has the id or key. */
export type ImportOutcome =
  | { id: string }
  | { taken: 'id' | 'username' | 'email' | 'identity'; holder: StoredUser }

/**
 * Stores users. Six methods and no query language; one more for passkeys and other providers, and a list.
 *
 * - Records are copies, in both directions.
 * - A read sees every acknowledged write.
 * - Nothing takes effect after `callDeadline()`: by then the response was 503. A change that begins later rejects with
 *   `UnavailableError`.
 * - Errors thrown: `DuplicateError`, `InvalidArgumentError`, `UnavailableError`; any other error counts as the last.
 *
 * Its conformance suite is `userStoreCases` of `@fastify-accounts/testing`.
 */
export interface UserStore extends OperatedStore {
  /**
   * Stores a new user with a never used id and version 1. Of simultaneous creations of one key, one wins.
   * @param messages only given if there is an `outbox`: stored in it with the user's id as their `userId`, if and only if
   * the user is
   * @param wanted only given with an `unclaimed` user: the user that would have been created if the address had been free.
   * A store with `alongside` runs `created` for them, and undoes what it did; other stores ignore it
   * @throws DuplicateError if a key is taken; of several, it names the first of `username`, `email` and `identity`
   */
  create(user: NewUser, messages?: readonly PendingMessage[], wanted?: NewUser): Promise<StoredUser>

  /** `null` if there is none. An id is only found by its exact spelling. */
  findById(id: string): Promise<StoredUser | null>

  /**
   * Never a user whose `usernameKey` is `null`.
   * @param usernameKey the whole key, compared byte for byte, without wildcards
   */
  findByUsername(usernameKey: string): Promise<StoredUser | null>

  /** @param emailKey the whole key, compared byte for byte, without wildcards */
  findByEmail(emailKey: string): Promise<StoredUser | null>

  /**
   * The user with this key among their `identityKeys`. Passkeys and other providers need it, and stop the start without
   * it.
   * @param identityKey the whole key, compared byte for byte, without wildcards
   */
  findByIdentity?(identityKey: string): Promise<StoredUser | null>

  /**
   * One page of users. Omit it if the store can't list users, such as a key-value store: the option `users.list: false`
   * then leaves GET /user/ out. Ids may be compared in any fixed way, `usernameKey` byte for byte.
   */
  list?(query: UserListQuery): Promise<StoredUser[]>

  /**
   * What `list` can do. Routes reject parameters that need anything else. Default: none.
   */
  listsBy?: readonly ListAbility[] | undefined

  /**
   * Compare-and-swap: applies the changes and adds one to `version` if the user exists and still has `expectedVersion`;
   * otherwise changes nothing and returns `null`. This makes links single-use and password changes safe, in one process
   * or fifty.
   * @param messages only given if there is an `outbox`: stored in it if and only if the changes are
   * @throws DuplicateError if another user has one of the keys
   */
  update(
    id: string,
    changes: UserChanges,
    expectedVersion: number,
    messages?: readonly PendingMessage[],
  ): Promise<StoredUser | null>

  /**
   * Returns whether there was one. Of simultaneous deletions, one returns `true`.
   * @param messages only given if there is an `outbox`: stored in it if and only if there was one
   * @param successor the user that the deleted one is handed over to, for stores with `alongside`; other stores ignore it
   * @param expectedVersion if given, as for `update`: returns `false` and deletes nothing if the user has another
   */
  delete(
    id: string,
    messages?: readonly PendingMessage[],
    successor?: StoredUser,
    expectedVersion?: number,
  ): Promise<boolean>

  /**
   * For imports faster than one `create` after the other: stores as many users as have free ids and keys, each
   * completely or not at all, and returns their outcomes in order. A user with an `id` keeps it; a store may only take
   * UUIDs in lower case. Of several that are taken, an outcome names the first of `id`, `username`, `email` and `identity`.
   * @throws InvalidArgumentError if one of the users can't be stored; then none is
   */
  createMany?(users: readonly ImportedUser[]): Promise<ImportOutcome[]>

  /**
   * Whether `create` runs a function of the app, `alongside.created`, which may be slow or fail. Sign-ups then cost the
   * same, and end alike, whether or not their address is taken.
   */
  runsCreated?: boolean | undefined

  /** Messages that wait, for a store that can write them in the transaction of a change. Without it they wait in memory. */
  outbox?: Outbox | undefined

  /**
   * The database's clock, roughly to the millisecond. Messages of the `outbox` are claimed by it, and
   * `app.accounts.check()` compares this process's clock with it. Omit it if the store has no other clock than the process.
   */
  now?(): Promise<Date>

  /**
   * Problems with the database, one line each, which `npx fastify-accounts doctor` shows. Changes nothing.
   * @param within milliseconds after which the plugin gives up the call; absent if the app's connections aren't known
   */
  inspect?(within?: number): Promise<string[]>
}

/** A user store with a list. */
export type ListingUserStore = UserStore & { list: NonNullable<UserStore['list']> }

/** What every user store has, and what the plugin calls if there is more. */
export const userStoreMethods = {
  required: {
    create: 'writes',
    findById: 'reads',
    findByUsername: 'reads',
    findByEmail: 'reads',
    update: 'writes',
    delete: 'writes',
  },
  optional: { findByIdentity: 'reads', list: 'reads', now: 'reads' },
} as const satisfies SeamMethods<UserStore, 'createMany' | keyof OperatedStore>

/** A user store as features use it. */
export type UserStoreCalls = Pick<
  UserStore,
  | keyof (typeof userStoreMethods)['required']
  | keyof (typeof userStoreMethods)['optional']
  | 'listsBy'
  | 'runsCreated'
>
