import { type AdapterNotes, createAdapterNotes } from './adapter-notes.js'
import {
  type ArrayStatement,
  isArrayStatement,
  type OpenSqlite,
  type SqliteStatement,
} from './sqlite-handle.js'

/** What tells a connection of SQLite of changes. */
export interface SqliteChanges {
  /**
   * Another text after each change: what was read while it was this one is still right while it is this one.
   * `undefined` where that can't be told, because a transaction or a stream keeps to what it saw at first.
   */
  mark(): string | undefined

  /** The statement, noticed while it streams. */
  noticing(statement: SqliteStatement): SqliteStatement

  /** From now on there is no mark. */
  stop(): void
}

/**
 * Others' commits, by whatever process; tables that this connection made or dropped; its rows written, by whoever has
 * the handle. The first is also what SQLite drops its own pages by, the last never falls, not even in a rollback.
 */
const questions = ['PRAGMA data_version', 'PRAGMA schema_version', 'SELECT total_changes()']

export function sqliteChanges(database: OpenSqlite): SqliteChanges {
  let asked: ArrayStatement[] | undefined
  let streams = 0
  let isOver = false

  function prepare(): ArrayStatement[] {
    const statements = questions.map((question) => database.prepare(question)).filter(isArrayStatement)
    for (const statement of statements) statement.raw()
    // A handle that is not quite a driver's tells nothing.
    isOver = statements.length < questions.length
    return statements
  }

  return {
    mark() {
      if (isOver || streams > 0 || database.inTransaction) return undefined
      asked ??= prepare()
      return isOver ? undefined : asked.map((statement) => statement.get([])?.[0]).join()
    },

    noticing: (statement) => ({
      reader: statement.reader,
      all: (parameters) => statement.all(parameters),
      run: (parameters) => statement.run(parameters),
      *iterate(parameters) {
        streams += 1
        try {
          yield* { [Symbol.iterator]: () => statement.iterate(parameters) }
        } finally {
          streams -= 1
        }
      },
    }),

    stop() {
      isOver = true
    },
  }
}

/** Of the databases whose files we prepared. */
export const changeNotes: AdapterNotes<SqliteChanges> = createAdapterNotes<SqliteChanges>()
