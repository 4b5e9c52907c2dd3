import type { OrganizationKey, OrganizationStore } from '@fastify-accounts/organizations/store'
import {
  assertText,
  callDeadline,
  InvalidArgumentError,
  type PendingMessage,
  type UserStore,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { engineOf } from '../base/engine.js'
import { failureOf } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { fromText, toTime } from '../base/values.js'
import { resolveNames } from '../columns/names.js'
import { toOutboxRow } from '../columns/outbox-row.js'
import { tablesOf } from '../inspect/describe-tables.js'
import { inspectTables } from '../inspect/inspect-tables.js'
import { createCalls, type Write } from '../run/calls.js'
import { checkStoreOptions, freeOf, type StoreOptions } from '../run/store-options.js'
import { requireOrigin } from '../run/user-origin.js'
import {
  toMemberRow,
  toMembership,
  toOrganization,
  toOrganizationRow,
  toWriteRows,
  type WriteRows,
} from './organization-row.js'
import { organizationStatements } from './organization-statements.js'
import { organizationsWithMembers } from './organizations-with-members.js'

/** Options of `createKyselyOrganizationStore`. */
export interface OrganizationStoreOptions extends StoreOptions {
  /**
   * The user store that `createKyselyUserStore` made on the same `db` and that you pass to the plugin. Events are then stored
   * in the transaction of what they tell of, and a user is deleted in one transaction with their memberships.
   */
  userStore?: UserStore | undefined
}

const tables = ['organizations', 'organizationMembers'] as const

/**
 * Keeps organizations and memberships in two SQL tables, created by `migrate`.
 *
 * They have no foreign keys to the users, who may be stored elsewhere.
 * @throws TypeError if an option is wrong
 */
export function createKyselyOrganizationStore(options: OrganizationStoreOptions): OrganizationStore {
  const { db, userStore } = options
  checkStoreOptions(options, 'userStore')
  const names = resolveNames(options, engineOf(db))
  const origin = userStore && requireOrigin(userStore, db)
  const sql = organizationStatements(db, names)
  const pairs = organizationsWithMembers(db, names)
  const calls = createCalls(db, freeOf(options))

  /** Makes the change, and stores the messages in the same transaction. */
  async function writing(
    write: Write,
    messages: readonly PendingMessage[],
    change: (on?: Kysely<Tables>) => Promise<void>,
    together: boolean,
  ): Promise<void> {
    if (messages.length > 0 && !origin) throw new InvalidArgumentError('messages need a userStore')
    const rows = messages.map(toOutboxRow)
    await write(
      async (transaction) => {
        await change(transaction)
        if (transaction && rows.length > 0) await origin?.insertMessages(rows, transaction)
      },
      together || rows.length > 0,
    )
  }

  /** @throws ChangedError, which rolls back */
  async function apply(writes: readonly WriteRows[], on?: Kysely<Tables>): Promise<void> {
    for (const { id, expected, columns, put, remove, isDeletion } of writes) {
      // No organization has another kind of version.
      const isWritten =
        Number.isSafeInteger(expected) &&
        (await (isDeletion ? sql.removeAt({ id, expected }, on) : sql.update(id, columns, expected, on)))
      if (!isWritten) throw new ChangedError()
      if (isDeletion) {
        await sql.removeMembers({ organization_id: id }, on)
        continue
      }
      for (const user_id of remove) await sql.removeMember({ organization_id: id, user_id }, on)
      for (const row of put) await sql.put(row, on)
    }
  }

  /** Whether another organization has one of the slugs. */
  async function isSlugTaken(writes: readonly WriteRows[]): Promise<boolean> {
    for (const { id, columns } of writes) {
      const holder = columns.slug === undefined ? undefined : await sql.bySlug(columns.slug)
      if (holder !== undefined && fromText(holder.id) !== id) return true
    }
    return false
  }

  return {
    async create(organization, memberships, messages = []) {
      const row = toOrganizationRow(organization)
      const members = memberships.map((each) => toMemberRow(each, row.id))
      const insert = async (on?: Kysely<Tables>) => {
        await sql.insert(row, on)
        for (const member of members) await sql.put(member, on)
      }
      return calls.run(async (write) => {
        try {
          await writing(write, messages, insert, members.length > 0)
          return true
        } catch (error) {
          if (failureOf(error) !== 'duplicate') throw error
          if ((await sql.bySlug(row.slug)) !== undefined) return false
          if ((await sql.byId(row.id)) !== undefined)
            throw new InvalidArgumentError('id is in use', { cause: error })
          throw error // it is gone: the next attempt may succeed
        }
      })
    },

    async find(key) {
      const [by, value] = partsOf(key)
      const row = await calls.run(() => (by === 'id' ? sql.byId(value) : sql.bySlug(value)))
      return row ? toOrganization(row) : null
    },

    async findFor(key, userId) {
      const [by, value] = partsOf(key)
      assertText('userId', userId)
      const found = await calls.run(() => pairs.find(by, value, userId))
      if (found === undefined) return null
      const { organization, member } = found
      return { organization: toOrganization(organization), membership: member && toMembership(member) }
    },

    async list({ limit, after }) {
      if (after) assertText('after.id', after.id)
      const position = after && { created_at: toTime('after.createdAt', after.createdAt), id: after.id }
      const page = { limit, ...(position && { after: position }) }
      return (await calls.run(() => sql.page(page))).rows.map(toOrganization)
    },

    async listMembers(organizationId, { limit, after }) {
      assertText('organizationId', organizationId)
      if (after) assertText('after.userId', after.userId)
      const position = after && { since: toTime('after.since', after.since), user_id: after.userId }
      const page = { organization_id: organizationId, limit, ...(position && { after: position }) }
      return (await calls.run(() => sql.members(page))).rows.map(toMembership)
    },

    async listOfUser(userId, { limit, after }) {
      assertText('userId', userId)
      if (after) assertText('after.organizationId', after.organizationId)
      const position = after && {
        since: toTime('after.since', after.since),
        organization_id: after.organizationId,
      }
      const page = { user_id: userId, limit, ...(position && { after: position }) }
      const found = await calls.run(() => pairs.pageOfUser(page))
      return found.map(({ organization, member }) => ({
        organization: toOrganization(organization),
        membership: toMembership(member),
      }))
    },

    async countOfUser(userId) {
      assertText('userId', userId)
      return calls.run(() => sql.countOfUser({ user_id: userId }))
    },

    async write(writes, messages = []) {
      const rows = inOrder(writes.map(toWriteRows))
      return calls.run(async (write) => {
        try {
          await writing(write, messages, (on) => apply(rows, on), isSeveral(rows))
          return 'written'
        } catch (error) {
          if (error instanceof ChangedError) return 'changed'
          // If the slug is free by now, the next attempt may succeed.
          if (failureOf(error) === 'duplicate' && (await isSlugTaken(rows))) return 'slug_taken'
          throw error
        }
      })
    },

    ...(userStore?.outbox && { outbox: userStore.outbox }),

    ...(userStore && { withUsers: withUsers(userStore) }),

    inspect: () => calls.run(() => inspectTables(db, names, tables)),

    tables: () => tablesOf(names, tables),

    close: calls.close,
  }

  function withUsers(users: UserStore): OrganizationStore['withUsers'] {
    const origin = requireOrigin(users, db)
    return {
      users,
      async delete(writes, id, messages = [], successor, expectedVersion) {
        const rows = inOrder(writes.map(toWriteRows))
        const deletion = { id, messages, successor, expectedVersion, deadline: callDeadline() }
        return calls.run(async (write) => {
          try {
            const isGone = await origin.delete(write, deletion, (on) => apply(rows, on))
            return isGone ? 'written' : 'none'
          } catch (error) {
            if (error instanceof ChangedError) return 'changed'
            throw error
          }
        })
      },
    }
  }
}

/** An organization is gone or has another version. */
class ChangedError extends Error {}

function partsOf(key: OrganizationKey): [by: 'id' | 'slug', value: string] {
  const [by, value] = 'id' in key ? (['id', key.id] as const) : (['slug', key.slug] as const)
  assertText(by, value)
  return [by, value]
}

/** Always in the same order, so two calls don't wait for each other. */
function inOrder(writes: readonly WriteRows[]): WriteRows[] {
  return writes.toSorted((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)))
}

/** Whether it takes more than one statement. */
function isSeveral(writes: readonly WriteRows[]): boolean {
  return (
    writes.length > 1 ||
    writes.some(({ put, remove, isDeletion }) => isDeletion || put.length > 0 || remove.length > 0)
  )
}
