import { sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { changeNotes } from '../open/sqlite-changes.js'
import type { FindRow } from './keyed-statement.js'

/** Rows kept of each kind, which take a few megabytes. */
const maxRows = 5000

/**
 * Caches the rows that it finds until the database changes. A row is never older than what `read` would find. Without the
 * cache, "who am I" takes 1.35 times the CPU (32 clients, nobody writes).
 * @param tables every table that `read` reads
 * @param read finds the row with an id
 */
export function cachedRows<Row extends object>(
  db: Database,
  tables: readonly string[],
  read: FindRow<Row>,
): FindRow<Row> {
  const mark = changeNotes.of(db)?.mark
  // `schema.table` may be in another file, which has its own marks.
  if (mark === undefined || tables.some((table) => table.includes('.'))) {
    return read
  }
  const rows = new Map<string, Row>()
  let rowsMark: object | undefined
  let areInMain = false

  /** If the main file doesn't have a table, SQLite finds it in an attached one. */
  async function checkMain(): Promise<boolean> {
    const { rows: found } = await sql<{ name: string }>`select name from main.sqlite_schema
      where type = 'table' and name collate nocase in (${sql.join(tables)})`.execute(accountsDb(db))
    return found.length === tables.length
  }

  /** The current mark. The cached rows are right for it. */
  const currentMark = async (): Promise<object | undefined> => {
    // If SQLite can't tell, the row is read.
    const now = await mark().catch(() => undefined)
    if (now !== undefined && now !== rowsMark) {
      rows.clear()
      rowsMark = now
    }
    return now
  }

  return async (id) => {
    const before = await currentMark()
    if (before === undefined) return read(id)
    const cachedRow = rows.get(id)
    if (cachedRow !== undefined) return cachedRow
    const row = await read(id)
    areInMain ||= await checkMain()
    // If something was written meanwhile, the row may include it, and the next mark differs. If the cache was cleared
    // meanwhile, it is for a newer mark.
    if (row !== undefined && areInMain && before === rowsMark) {
      if (rows.size >= maxRows) rows.clear()
      rows.set(id, row)
    }
    return row
  }
}
