import type { Membership, Organization, OrganizationWrite } from '@fastify-accounts/organizations/store'
import { assertText, InvalidArgumentError } from 'fastify-accounts'
import { violatesUnique } from './driver-errors.js'
import {
  type MembershipRow,
  type OrganizationRow,
  toMembership,
  toMembershipRow,
  toOrganization,
  toOrganizationColumns,
} from './organization-row.js'
import type { MembershipKey, OrganizationTable } from './organization-table.js'
import { isAny } from './row-count.js'
import { KeyTaken } from './user-writes.js'

/** A compare-and-swap of an organization, ready for the tables. */
export interface ReadyWrite {
  id: string
  expectedVersion: number
  columns: Partial<OrganizationRow>
  put: readonly MembershipRow[]
  remove: readonly string[]
  isDeletion: boolean
}

/** @throws InvalidArgumentError if a membership can't be stored, or is of another organization */
export function toMembershipRows(id: string, memberships: readonly Membership[]): MembershipRow[] {
  return memberships.map((membership) => {
    if (membership.organizationId !== id)
      throw new InvalidArgumentError('a membership is of another organization')
    return toMembershipRow(membership)
  })
}

/** @throws InvalidArgumentError */
export function toReadyWrite({
  organizationId,
  expectedVersion,
  changes = {},
  put = [],
  remove = [],
  isDeletion = false,
}: OrganizationWrite): ReadyWrite {
  assertText('organizationId', organizationId)
  for (const userId of remove) assertText('remove', userId)
  return {
    id: organizationId,
    expectedVersion,
    columns: toOrganizationColumns(changes),
    put: toMembershipRows(organizationId, put),
    remove: [...remove],
    isDeletion,
  }
}

export type OrganizationWrites<Tx> = ReturnType<typeof organizationWrites<Tx>>

/** What changes of organizations do within a transaction. */
export function organizationWrites<Tx>(table: OrganizationTable<Tx>) {
  async function unlessRefused<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      throw violatesUnique(table, error) ? new KeyTaken('a key is taken', { cause: error }) : error
    }
  }

  /** Only by its exact spelling, however the database compares. */
  async function find(by: 'id' | 'slug', key: string, tx?: Tx): Promise<Organization | null> {
    const found = (await table.find(by, [key], tx)).map(toOrganization)
    return found.find((organization) => organization[by] === key) ?? null
  }

  /** By its exact spelling as well. */
  async function findMember({ organizationId, userId }: MembershipKey, tx?: Tx): Promise<Membership | null> {
    const row = await table.findMember({ organizationId, userId }, tx)
    const membership = row ? toMembership(row) : null
    return membership?.organizationId === organizationId && membership.userId === userId ? membership : null
  }

  async function putMember(tx: Tx, row: MembershipRow): Promise<void> {
    const { organizationId, userId, ...changes } = row
    const key = { organizationId, userId }
    // A membership is changed in place: rows of the app may refer to it.
    if (await findMember(key, tx)) await table.changeMember(tx, key, changes)
    else await table.insertMember(tx, row)
  }

  async function removeMember(tx: Tx, key: MembershipKey): Promise<void> {
    if (await findMember(key, tx)) await table.removeMembers(tx, key)
  }

  return {
    find,
    findMember,

    async insert(tx: Tx, row: OrganizationRow, memberships: readonly MembershipRow[]): Promise<void> {
      await unlessRefused(() => table.insert(tx, row))
      for (const each of memberships) await table.insertMember(tx, each)
    },

    /** Returns whether the organization had the version. If not, the caller rolls back. */
    async apply(
      tx: Tx,
      { id, expectedVersion: version, columns, put, remove, isDeletion }: ReadyWrite,
    ): Promise<boolean> {
      if (!Number.isSafeInteger(version)) return false // no organization has such a version
      if (isDeletion) {
        // If the database took another spelling for this id, nothing may change.
        if ((await find('id', id, tx)) === null || !isAny(await table.remove(tx, { id, version })))
          return false
        await table.removeMembers(tx, { organizationId: id })
        return true
      }
      const changes = { ...columns, version: version + 1 }
      // Locks the row, so nobody else changes a membership of this organization until the transaction ends.
      const count = await unlessRefused(() => table.compareAndSwap(tx, { id, version }, changes))
      if (!isAny(count) || (await find('id', id, tx)) === null) return false
      for (const userId of remove) await removeMember(tx, { organizationId: id, userId })
      for (const row of put) await putMember(tx, row)
      return true
    },
  }
}
