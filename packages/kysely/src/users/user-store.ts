import {
  assertText,
  callDeadline,
  type ImportOutcome,
  InvalidArgumentError,
  type ListingUserStore,
  type PendingMessage,
  type StoredUser,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import { readClock } from '../base/read-clock.js'
import type { Tables } from '../base/schema.js'
import { limits } from '../base/values.js'
import { isUuid } from '../columns/column-forms.js'
import { resolveNames } from '../columns/names.js'
import { toOutboxRow } from '../columns/outbox-row.js'
import { withColumns } from '../columns/renamed-columns.js'
import { toColumns, toRow, toStoredUser } from '../columns/user-row.js'
import { inspectFields } from '../inspect/check-types.js'
import { tablesOf } from '../inspect/describe-tables.js'
import { inspectLimits } from '../inspect/inspect.js'
import { inspectReading } from '../inspect/inspect-reading.js'
import { inspectTables } from '../inspect/inspect-tables.js'
import { createOutbox } from '../outbox/outbox.js'
import { createCalls, type Write } from '../run/calls.js'
import { cachedRows } from '../run/row-cache.js'
import { checkStoreOptions, freeOf, type UserStoreOptions } from '../run/store-options.js'
import { setOrigin, type UserChange, type UserDeletion } from '../run/user-origin.js'
import { createAlongside } from './alongside.js'
import { inspectAlongside } from './alongside-note.js'
import { duplicateGuard } from './duplicates.js'
import { createIdentities } from './identities.js'
import { toPageQuery, toPlace } from './page-query.js'
import { batchSizeFor, userBatches } from './user-batches.js'
import { matchingUsers } from './user-search.js'
import { type PageQuery, userStatements } from './user-statements.js'

/** Those that this store uses. */
const tables = ['users', 'identities', 'outbox'] as const

/**
 * Keeps users in an SQL table, created by `migrate`. Ids are UUIDs of version 7.
 *
 * The methods throw what the seam says; `UnavailableError` has the driver's error as its `cause`, and no SQL or
 * values in its text.
 * @throws TypeError if an option is wrong
 */
export function createKyselyUserStore<Db extends Database = Database>(
  options: UserStoreOptions<Db>,
): ListingUserStore {
  checkStoreOptions(options, 'alongside')
  const names = resolveNames(options, engineOf(options.db))
  const own = names.fields
  const hasUuids = names.columns.users.forms.id !== undefined
  const sql = userStatements(options.db, names)
  const identities = createIdentities(options.db, names)
  const batches = userBatches(options.db, names, identities)
  const calls = createCalls(options.db, freeOf(options))
  const rows = cachedRows(options.db, [names.tables.users], sql.byId)
  const { outbox, insert: insertMessages } = createOutbox(options.db, names, calls)
  const guarded = duplicateGuard(sql, identities)
  const alongside = createAlongside(options.db, names, options.alongside)

  /**
   * Makes the change, its identities, the messages about it, and any further work in one transaction; if the change has
   * no effect, nothing else is done either.
   */
  async function writing<T>(
    write: Write,
    {
      messages = [],
      identityKeys,
      besides,
    }: {
      messages?: readonly PendingMessage[]
      identityKeys?: readonly string[] | undefined
      besides?: ((transaction: Kysely<Tables>, written: NonNullable<T>) => Promise<void>) | undefined
    },
    id: string,
    change: (on?: Kysely<Tables>) => Promise<T>,
  ): Promise<T> {
    const rows = messages.map(toOutboxRow)
    return write(
      async (transaction) => {
        const written = await change(transaction && withColumns(transaction, names.columns.users))
        if (written == null || transaction === undefined) return written
        if (identityKeys !== undefined) await identities.set(id, identityKeys, transaction)
        if (rows.length > 0) await insertMessages(rows, transaction)
        await besides?.(transaction, written)
        return written
      },
      rows.length > 0 || identityKeys !== undefined || besides !== undefined,
    )
  }

  async function update(
    write: Write,
    { id, changes, expectedVersion, messages, deadline }: UserChange,
    besides?: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<StoredUser | null> {
    assertText('id', id)
    const columns = toColumns(changes, id, own)
    if (!Number.isSafeInteger(expectedVersion)) return null // no user has such a version
    const { identityKeys } = changes
    const verified = alongside.verified?.(changes, deadline)
    return toFound(
      await guarded(id, columns, identityKeys ?? [], () => {
        let before: StoredUser | null = null
        return writing(
          verified ? alongside.noted(write) : write,
          {
            messages,
            identityKeys,
            besides:
              verified === undefined
                ? besides
                : async (on, row) => {
                    await besides?.(on)
                    if (before !== null) await verified(before, toStoredUser(row, own), on)
                  },
          },
          id,
          async (on) => {
            if (verified && on) before = toFound((await sql.lock({ id }, on)).rows[0])
            return sql.update(id, columns, expectedVersion, on)
          },
        )
      }),
    )
  }

  async function remove(
    write: Write,
    { id, messages, successor, expectedVersion: expected, deadline }: UserDeletion,
    besides?: (transaction: Kysely<Tables>) => Promise<void>,
  ): Promise<boolean> {
    assertText('id', id)
    const run = alongside.deleted?.(deadline)
    // If there was none, it has had no effect.
    const removeRow = async (on?: Kysely<Tables>) =>
      (await (expected === undefined ? sql.remove({ id }, on) : sql.removeAt({ id, expected }, on))) ||
      undefined
    const removeWith = async (on?: Kysely<Tables>) => {
      const user = on && toFound((await sql.lock({ id }, on)).rows[0])
      if (!user || (expected ?? user.version) !== user.version) return undefined
      await run?.(user, on, successor)
      // The app may have deleted the row itself.
      await sql.remove({ id }, on)
      return true
    }
    const together = { identityKeys: [], messages, besides }
    const isGone = await (run
      ? writing(alongside.noted(write), together, id, removeWith)
      : writing(write, together, id, removeRow))
    return isGone ?? false
  }

  function toFound(row: Parameters<typeof toStoredUser>[0] | undefined): StoredUser | null {
    return row === undefined ? null : toStoredUser(row, own)
  }

  const store: ListingUserStore = {
    async create(user, messages = [], wanted) {
      const row = toRow(uuidv7(), user, own)
      const created = toStoredUser(row, own)
      const about = messages.map((message) => ({ ...message, userId: row.id }))
      const { identityKeys } = user
      const run = alongside.created?.(callDeadline())
      const besides = {
        messages: about,
        ...(identityKeys.length > 0 && { identityKeys }),
        ...(run && { besides: (on: Kysely<Tables>) => run(created, on, wanted) }),
      }
      await calls.run((write) =>
        guarded(row.id, row, identityKeys, () =>
          writing(run ? alongside.noted(write) : write, besides, row.id, (on) => sql.insert(row, on)),
        ),
      )
      return created
    },

    async findById(id) {
      assertText('id', id)
      return calls.run(async () => toFound(await rows(id)))
    },

    async findByUsername(usernameKey) {
      assertText('usernameKey', usernameKey)
      const found = await calls.run(async () => toFound(await sql.byUsername(usernameKey)))
      // Excludes users whose key only replaces a name.
      return found?.usernameKey === usernameKey ? found : null
    },

    async findByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return calls.run(async () => toFound(await sql.byEmail(emailKey)))
    },

    async findByIdentity(identityKey) {
      assertText('identityKey', identityKey)
      return calls.run(async () => toFound(await sql.byIdentity(identityKey)))
    },

    async createMany(users) {
      const rows = users.map(({ id = uuidv7(), ...user }) => {
        assertText('id', id)
        if (Buffer.byteLength(id) > limits.id) throw new InvalidArgumentError('id is too long')
        if (hasUuids && !isUuid(id)) throw new InvalidArgumentError('id must be a UUID in lower case')
        return toRow(id, user, own)
      })
      const run = alongside.created?.(callDeadline())
      const outcomes: ImportOutcome[] = []
      const batchSize = batchSizeFor(names)
      for (let from = 0; from < rows.length; from += batchSize) {
        const batch = rows.slice(from, from + batchSize)
        const insert = calls.run((write) => batches.insert(batch, run ? alongside.noted(write) : write, run))
        outcomes.push(...(await insert))
      }
      return outcomes
    },

    async list(query) {
      const page = toPageQuery(query, own)
      const read = async (next: PageQuery) => (await sql.page(next)).rows.map((row) => toStoredUser(row, own))
      const { search, limit } = query
      return calls.run((_, inTime) =>
        search === undefined
          ? read(page)
          : matchingUsers(
              { search, limit },
              (last, most) => read({ ...page, ...(last && { after: toPlace(last) }), limit: most }),
              inTime,
            ),
      )
    },

    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix', 'search'],

    async update(id, changes, expectedVersion, messages = []) {
      const change = { id, changes, expectedVersion, messages, deadline: callDeadline() }
      return calls.run((write) => update(write, change))
    },

    async delete(id, messages = [], successor, expectedVersion) {
      const deletion = { id, messages, successor, expectedVersion, deadline: callDeadline() }
      return calls.run((write) => remove(write, deletion))
    },

    now: () => calls.run(() => readClock(options.db)),

    ...(alongside.created && { runsCreated: true }),

    inspect: (within) =>
      calls.run(async () => [
        ...(await inspectAlongside(options.db, names, options.alongside !== undefined)),
        ...(await inspectTables(options.db, names, tables)),
        ...(await inspectReading(options.db)),
        ...(await inspectFields(accountsDb(options.db), names)),
        ...(within === undefined ? [] : await inspectLimits(options.db, within)),
      ]),

    tables: () => tablesOf(names, tables),

    outbox,

    close: calls.close,
  }
  setOrigin(store, { db: options.db, names, update, delete: remove, insertMessages })
  return store
}
