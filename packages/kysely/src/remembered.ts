import { sql } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'
import { changeNotes } from './sqlite-changes.js'

/** Rows kept of each kind, which take a few megabytes. */
const maxRows = 5000

/** Rows by their ids. They must not be changed. */
export interface Rows<Row> {
  /** The row, if it is in memory and can't have changed. @throws Error if the database can't tell */
  known(id: string): Row | undefined
  find(id: string): Promise<Row | undefined>
}

/**
 * Rows that were found, kept in memory until the database changes: on SQLite, checking for a change costs a tenth of
 * reading a row. Nothing is older than what `read` itself would find.
 * @param tables every table that `read` reads
 * @param read finds the row with an id
 */
export function remembered<Row extends object>(
  db: Database,
  tables: readonly string[],
  read: (id: string) => Promise<Row | undefined>,
): Rows<Row> {
  const mark = changeNotes.of(db)?.mark
  // `schema.table` is in another file, which has its own marks.
  if (mark === undefined || tables.some((table) => table.includes('.'))) {
    return { known: () => undefined, find: read }
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

  /** The current mark. The rows in memory are right for it. */
  function current(): object | undefined {
    const now = mark?.()
    if (now !== undefined && now !== rowsMark) {
      rows.clear()
      rowsMark = now
    }
    return now
  }

  return {
    known: (id) => (current() === undefined ? undefined : rows.get(id)),

    async find(id) {
      const before = current()
      const row = await read(id)
      if (before === undefined) return row
      areInMain ||= await checkMain()
      // The row already includes what was written meanwhile, and the next mark differs.
      if (row !== undefined && areInMain && before === rowsMark) {
        if (rows.size >= maxRows) rows.clear()
        rows.set(id, row)
      }
      return row
    },
  }
}
