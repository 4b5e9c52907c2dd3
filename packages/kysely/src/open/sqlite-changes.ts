import { type AdapterNotes, createAdapterNotes } from '../base/adapter-notes.js'
import { oncePerTurn } from '../base/turn.js'
import { kindOf } from './sqlite-kind.js'
import {
  type ArrayStatement,
  isArrayStatement,
  type OpenSqlite,
  type SqliteStatement,
} from './sqlite-statement.js'

/** Tells whether what was read through a SQLite connection is still right. */
export interface SqliteChanges {
  /**
   * A new object after each change: what was read under a mark is valid as long as the mark is the same.
   * `undefined` if that is unknown, because a transaction or a stream keeps its first snapshot.
   *
   * Checked at the end of the event loop's turn: one check serves all calls of the turn, and sees everything written
   * before them. It takes two file locks, on some machines longer than the rest of a request.
   */
  mark(): Promise<object | undefined>

  /** Wraps the statement to notice when it may write and while it streams. */
  noticing(sql: string, statement: SqliteStatement): SqliteStatement

  /** Stops issuing marks. */
  stop(): void
}

/** Changes with the commits of other connections, in any process. SQLite drops its own pages by it. */
const byOthers = ['PRAGMA data_version']

/**
 * Changes with tables that this connection created or dropped, and with rows that it wrote through any user of the
 * handle. The count of rows never falls, not even after a rollback.
 */
const byConnection = ['PRAGMA schema_version', 'SELECT total_changes()']

/**
 * @param isShared whether others have the handle, and may write with it. If not, every write passes `noticing`, which
 * saves the two slow queries about the connection itself
 */
export function sqliteChanges(database: OpenSqlite, isShared: boolean): SqliteChanges {
  const questions = isShared ? [...byOthers, ...byConnection] : byOthers
  let checks: ArrayStatement[] | undefined
  const seen: unknown[] = []
  let written = 0
  let writtenBefore = 0
  let mark = {}
  let streams = 0
  let isOver = false

  function prepare(): ArrayStatement[] {
    const statements = questions.map((question) => database.prepare(question)).filter(isArrayStatement)
    for (const statement of statements) statement.raw()
    // The handle doesn't quite match a driver's.
    isOver = statements.length < questions.length
    return statements
  }

  function currentMark(): object | undefined {
    if (isOver || streams > 0 || database.inTransaction) return undefined
    checks ??= prepare()
    if (isOver) return undefined
    // At once: a noticed change must not be lost if the next query fails.
    if (writtenBefore !== written) {
      writtenBefore = written
      mark = {}
    }
    checks.forEach((statement, at) => {
      const value = statement.get([])?.[0]
      if (value === seen[at]) return
      seen[at] = value
      mark = {}
    })
    return mark
  }

  return {
    mark: oncePerTurn(currentMark),

    noticing(sql, statement) {
      const writes = kindOf(sql) === 'read' ? 0 : 1
      return {
        reader: statement.reader,
        all(parameters) {
          written += writes
          return statement.all(parameters)
        },
        run(parameters) {
          written += writes
          return statement.run(parameters)
        },
        *iterate(parameters) {
          written += writes
          streams += 1
          try {
            yield* { [Symbol.iterator]: () => statement.iterate(parameters) }
          } finally {
            streams -= 1
          }
        },
      }
    },

    stop() {
      isOver = true
    },
  }
}

/** For the databases whose files this package prepared. */
export const changeNotes: AdapterNotes<SqliteChanges> = createAdapterNotes<SqliteChanges>()
