import type { ArrayStatement, OpenSqlite } from './sqlite-statement.js'

type Value = null | number | bigint | string | Uint8Array

/** The parts of node:sqlite's `DatabaseSync` in use; by hand, because older Node.js types lack it. */
export interface NodeSqlite {
  readonly isTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): NodeStatement
  close(): void
}

/** The parts of node:sqlite's `StatementSync` in use. */
export interface NodeStatement {
  all(...parameters: Value[]): unknown[]
  get(...parameters: Value[]): unknown
  run(...parameters: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...parameters: Value[]): IterableIterator<unknown>
  columns(): { name: string }[]
  setReturnArrays(enabled: boolean): void
}

export function isNodeSqlite(database: OpenSqlite | NodeSqlite): database is NodeSqlite {
  return 'isTransaction' in database
}

const natives = new WeakMap<object, NodeSqlite>()

/** The driver's own object for a database. */
export function nativeOf(database: OpenSqlite): object {
  return natives.get(database) ?? database
}

/** The database with the interface that libsql and better-sqlite3 share. */
export function fromNodeSqlite(database: NodeSqlite): OpenSqlite {
  const shared = sharedInterface(database)
  natives.set(shared, database)
  return shared
}

function sharedInterface(database: NodeSqlite): OpenSqlite {
  return {
    get inTransaction() {
      return database.isTransaction
    },
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = fromNodeStatement(database.prepare(sql))
      // Node.js 22 counts the columns before SQLite notices that the table's columns have changed.
      if (!sql.includes('*')) return statement
      return { ...statement, all: (parameters) => fromNodeStatement(database.prepare(sql)).all(parameters) }
    },
    close: () => database.close(),
  }
}

function fromNodeStatement(statement: NodeStatement): ArrayStatement {
  return {
    reader: statement.columns().length > 0,
    raw: () => statement.setReturnArrays(true),
    columns: () => statement.columns(),
    get: (parameters) => statement.get(...(parameters as Value[])) as unknown[] | undefined,
    all: (parameters) => statement.all(...(parameters as Value[])) as unknown[][],
    run: (parameters) => statement.run(...(parameters as Value[])),
    iterate: (parameters) => statement.iterate(...(parameters as Value[])) as IterableIterator<unknown[]>,
  }
}
