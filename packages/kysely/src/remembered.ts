import { sql } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'
import { changeNotes } from './sqlite-changes.js'

/** Rows that are kept of each kind, a few megabytes of them. */
const kept = 5000

/**
 * `read`, with the rows that it found kept in memory for as long as the database has not changed: on SQLite, asking
 * whether it has costs a tenth of a row. Nothing is older than what `read` itself would find.
 * @param tables all that `read` reads
 * @param read finds the row of an id; nobody may change the row
 */
export function remembered<Row extends object>(
  db: Database,
  tables: readonly string[],
  read: (id: string) => Promise<Row | undefined>,
): (id: string) => Promise<Row | undefined> {
  const mark = changeNotes.of(db)?.mark
  // `schema.table` is in another file, which has marks of its own.
  if (mark === undefined || tables.some((table) => table.includes('.'))) return read
  const rows = new Map<string, Row>()
  let rowsMark: string | undefined
  let areInMain = false

  /** A table that the main file doesn't have is found in one that was attached. */
  async function look(): Promise<boolean> {
    const { rows } = await sql<{ name: string }>`select name from main.sqlite_schema
      where type = 'table' and name collate nocase in (${sql.join(tables)})`.execute(accountsDb(db))
    return rows.length === tables.length
  }

  return async (id) => {
    const before = mark()
    if (before === undefined) return read(id)
    if (before !== rowsMark) {
      rows.clear()
      rowsMark = before
    }
    const known = rows.get(id)
    if (known !== undefined) return known
    const row = await read(id)
    areInMain ||= await look()
    // What was written meanwhile is in the row already, and the next mark is another one.
    if (row !== undefined && areInMain && before === rowsMark) {
      if (rows.size >= kept) rows.clear()
      rows.set(id, row)
    }
    return row
  }
}
