import type { ImportOutcome, StoredUser } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { failureOf } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { fromList } from '../base/values.js'
import type { FieldColumn } from '../columns/field-columns.js'
import type { Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { toStoredUser, type UserRow, userColumnsOf } from '../columns/user-row.js'
import type { Write } from '../run/calls.js'
import type { Identities } from './identities.js'

type Besides = (user: StoredUser, transaction: Kysely<Tables>) => Promise<void>
type Unique = 'id' | 'username_key' | 'email_key'
/** Rows per statement: SQLite allows 32,766 parameters, the others more. */
export function batchSizeFor({ fields }: Names): number {
  return Math.floor(32_766 / userColumnsOf(fields).length)
}

const uniques: readonly [Unique, 'id' | 'username' | 'email'][] = [
  ['id', 'id'],
  ['username_key', 'username'],
  ['email_key', 'email'],
]

/** Handles many users at once. */
export function userBatches(
  host: Database,
  { tables, columns, fields }: Names,
  identities: Identities,
): { insert(rows: readonly UserRow[], write: Write, besides?: Besides): Promise<ImportOutcome[]> } {
  const db = withColumns(accountsDb(host), columns.users)
  const userColumns = userColumnsOf(fields)

  /** The users who hold an id or a key of the rows, by what they hold. */
  async function holdersOf(rows: readonly UserRow[]): Promise<Map<string, StoredUser>> {
    const holders = new Map<string, StoredUser>()
    let open = rows
    for (const [column] of uniques) {
      const values = open.map((row) => row[column]).filter((value) => value !== null)
      if (values.length === 0) continue
      const select = db.selectFrom(tables.users).select(userColumns)
      for (const row of await select.where(column, 'in', values).execute()) {
        const user = toStoredUser(row, fields)
        remember(holders, user.id, 'id', user)
        remember(holders, user.usernameKey, 'username_key', user)
        remember(holders, user.emailKey, 'email_key', user)
      }
      // Once a row has a holder, a second one is not looked up.
      open = open.filter((row) => !holders.has(`${column} ${row[column]}`))
    }
    for (const key of open.flatMap(keysOf)) {
      const id = await identities.holder(key)
      if (id === null) continue
      const [row] = await db.selectFrom(tables.users).select(userColumns).where('id', '=', id).execute()
      if (row !== undefined) holders.set(`identity ${key}`, toStoredUser(row, fields))
    }
    return holders
  }

  /** Inserts all of them or none; those with identities together with them. */
  async function insertAll(rows: readonly UserRow[], write: Write, besides?: Besides): Promise<void> {
    const withKeys = rows
      .map((row) => ({ id: row.id, keys: keysOf(row) }))
      .filter(({ keys }) => keys.length > 0)
    await write(
      async (transaction) => {
        const on = transaction ? withColumns(transaction, columns.users) : db
        await on.insertInto(tables.users).values(rows).execute()
        if (transaction) await identities.add(withKeys, transaction)
        for (const row of rows) if (transaction) await besides?.(toStoredUser(row, fields), transaction)
      },
      withKeys.length > 0 || besides !== undefined,
    )
  }

  /**
   * Rejects with the engine's "duplicate" error if somebody else inserted one at the same moment: nothing was kept
   * then.
   * @param rows at most `batchSizeFor` them
   * @param besides what is done for each in the same transaction
   */
  async function insert(rows: readonly UserRow[], write: Write, besides?: Besides): Promise<ImportOutcome[]> {
    try {
      await insertAll(rows, write, besides)
      return rows.map(({ id }) => ({ id }))
    } catch (error) {
      // The statement took effect wholly or not at all, on every engine.
      if (failureOf(error) !== 'duplicate') throw error
    }
    const { outcomes, free } = outcomesOf(rows, await holdersOf(rows), fields)
    // If somebody took one of them meanwhile, the caller retries.
    if (free.length > 0) await insertAll(free, write, besides)
    return outcomes
  }

  return { insert }
}

/** The outcome of each row, and the rows without a conflict, not even with an earlier row. */
function outcomesOf(
  rows: readonly UserRow[],
  holders: Map<string, StoredUser>,
  own: readonly FieldColumn[],
): { outcomes: ImportOutcome[]; free: UserRow[] } {
  const free: UserRow[] = []
  const outcomes = rows.map((row): ImportOutcome => {
    for (const [column, taken] of uniques) {
      const holder = holders.get(`${column} ${row[column]}`)
      if (holder !== undefined && row[column] !== null) return { taken, holder }
    }
    for (const key of keysOf(row)) {
      const holder = holders.get(`identity ${key}`)
      if (holder !== undefined) return { taken: 'identity', holder }
    }
    free.push(row)
    const user = toStoredUser(row, own)
    for (const [column] of uniques) remember(holders, row[column], column, user)
    for (const key of keysOf(row)) holders.set(`identity ${key}`, user)
    return { id: row.id }
  })
  return { outcomes, free }
}

function remember(
  holders: Map<string, StoredUser>,
  value: string | null,
  column: Unique,
  user: StoredUser,
): void {
  if (value !== null) holders.set(`${column} ${value}`, user)
}

function keysOf({ identity_keys }: UserRow): string[] {
  return fromList(identity_keys)
}
