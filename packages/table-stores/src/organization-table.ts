import type { UserStore } from 'fastify-accounts'
import type { Transactions } from './calls.js'
import type { MembershipRow, OrganizationRow } from './organization-row.js'
import type { ReadRow, RowCount } from './rows.js'

/** The primary key of a membership. */
export type MembershipKey = Pick<MembershipRow, 'organizationId' | 'userId'>

/** An organization, and the membership of one user there. */
export interface OrganizationAndMember {
  organization: ReadRow<OrganizationRow>
  /** `null` or `undefined` if the user has none. */
  membership: ReadRow<MembershipRow> | null | undefined
}

/**
 * A table of organizations and one of memberships, as the author knows them: one statement per function. Functions that are given
 * a `tx` run in that transaction; without one they run on any connection.
 *
 * `id` and `slug` need unique indexes, and so do `organizationId` and `userId` together; all are compared byte for byte. Index
 * organizations by `createdAt` with `id`, memberships by `organizationId`, `since` and `userId`, and by `userId`, `since` and
 * `organizationId`. If memberships refer to organizations by a foreign key, then with ON DELETE CASCADE.
 */
export interface OrganizationTable<Tx> extends Transactions<Tx> {
  /** Inserts the organization; rejects if a unique index refuses it. */
  insert(tx: Tx, row: OrganizationRow): Promise<unknown>
  /** The organizations whose `id`, or `slug`, is one of these; in any order. */
  find(by: 'id' | 'slug', keys: readonly string[], tx?: Tx): Promise<readonly ReadRow<OrganizationRow>[]>
  /** At most `limit` organizations by `createdAt` and `id`, after this position, whose row may be gone. */
  page(query: {
    after?: Pick<OrganizationRow, 'createdAt' | 'id'> | undefined
    limit: number
  }): Promise<readonly ReadRow<OrganizationRow>[]>
  /**
   * Changes the organization that has both `expected` values. Never reads before it writes. Returns how many there were.
   * @param changes the columns to set, `version` included
   */
  compareAndSwap(
    tx: Tx,
    expected: Pick<OrganizationRow, 'id' | 'version'>,
    changes: Partial<OrganizationRow>,
  ): Promise<RowCount>
  /** Deletes the organization that has both `expected` values. Returns how many there were. */
  remove(tx: Tx, expected: Pick<OrganizationRow, 'id' | 'version'>): Promise<RowCount>

  /** Inserts the membership. */
  insertMember(tx: Tx, row: MembershipRow): Promise<unknown>
  /** The membership with this key. `null` or `undefined` if there is none. */
  findMember(key: MembershipKey, tx?: Tx): Promise<ReadRow<MembershipRow> | null | undefined>
  /** Sets these columns of the membership with this key. */
  changeMember(
    tx: Tx,
    key: MembershipKey,
    changes: Omit<MembershipRow, keyof MembershipKey>,
  ): Promise<unknown>
  /** Deletes the membership with this key; all of the organization if `userId` is absent. */
  removeMembers(tx: Tx, key: { organizationId: string; userId?: string | undefined }): Promise<unknown>
  /** At most `limit` memberships of the organization by `since` and `userId`, after this position, whose row may be gone. */
  pageOfMembers(query: {
    organizationId: string
    after?: Pick<MembershipRow, 'since' | 'userId'> | undefined
    limit: number
  }): Promise<readonly ReadRow<MembershipRow>[]>
  /** At most `limit` memberships of the user by `since` and `organizationId`, after this position, whose row may be gone. */
  pageOfUser(query: {
    userId: string
    after?: Pick<MembershipRow, 'since' | 'organizationId'> | undefined
    limit: number
  }): Promise<readonly ReadRow<MembershipRow>[]>
  /** How many memberships the user has. */
  countOfUser(userId: string): Promise<number | bigint | string>

  /**
   * The organization with this `id` or `slug`, and the membership of the user there, in one query, such as a left join; `null` or
   * `undefined` if there is no such organization. Every guarded request asks it. Default: three queries, again if the organization
   * was changed meanwhile.
   */
  findWithMember?:
    | ((by: 'id' | 'slug', key: string, userId: string) => Promise<OrganizationAndMember | null | undefined>)
    | undefined
  /** Default: by the codes of PostgreSQL, MySQL, MariaDB, SQLite and Prisma, also of causes. */
  isUniqueViolation?: ((error: unknown) => boolean) | undefined
  /**
   * The user store that `createTableUserStore` made with the same function as `transaction`, and that you pass to the plugin: a
   * user is then deleted in one transaction with their memberships, and if it has an outbox, events are stored with what they tell
   * of. Default: one after the other.
   */
  userStore?: UserStore | undefined
  /** Frees what the store holds. Default: nothing. */
  close?: (() => unknown) | undefined
}
