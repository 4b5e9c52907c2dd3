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
   * Another object after each change: what was read while it was this one is still right while it is this one.
   * `undefined` where that can't be told, because a transaction or a stream keeps to what it saw at first.
   */
  mark(): object | undefined

  /** The statement, noticed while it streams, and where it may write. */
  noticing(sql: string, statement: SqliteStatement): SqliteStatement

  /** From now on there is no mark. */
  stop(): void
}

/** Others' commits, by whatever process: what SQLite drops its own pages by, too. */
const byOthers = ['PRAGMA data_version']

/**
 * Tables that this connection made or dropped, and rows that it wrote, by whoever has the handle. The last never falls,
 * not even in a rollback.
 */
const byConnection = ['PRAGMA schema_version', 'SELECT total_changes()']

/** All that only reads. */
const reads = /^\s*select\b/i

/**
 * @param isShared whether somebody else has the handle too, who may write with it. If not, each write passes `noticing`,
 * and the connection isn't asked, whose answers cost several times as much
 */
export function sqliteChanges(database: OpenSqlite, isShared: boolean): SqliteChanges {
  const questions = isShared ? [...byOthers, ...byConnection] : byOthers
  let asked: ArrayStatement[] | undefined
  const answers: unknown[] = []
  let written = 0
  let writtenThen = 0
  let mark = {}
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
      if (isOver) return undefined
      let isOther = writtenThen !== written
      writtenThen = written
      asked.forEach((statement, at) => {
        const answer = statement.get([])?.[0]
        if (answer !== answers[at]) isOther = true
        answers[at] = answer
      })
      if (isOther) mark = {}
      return mark
    },

    noticing(sql, statement) {
      const weight = reads.test(sql) ? 0 : 1
      return {
        reader: statement.reader,
        all(parameters) {
          written += weight
          return statement.all(parameters)
        },
        run(parameters) {
          written += weight
          return statement.run(parameters)
        },
        *iterate(parameters) {
          written += weight
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

/** Of the databases whose files we prepared. */
export const changeNotes: AdapterNotes<SqliteChanges> = createAdapterNotes<SqliteChanges>()
