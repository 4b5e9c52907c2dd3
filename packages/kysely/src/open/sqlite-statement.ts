/** A prepared statement, as libsql, better-sqlite3 and Kysely know it. */
export interface SqliteStatement {
  readonly reader: boolean
  all(parameters: readonly unknown[]): unknown[]
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>
}

/** What Kysely needs from a database. */
export interface SqliteDatabase {
  close(): void
  prepare(sql: string): SqliteStatement
}

/** What handles of libsql and better-sqlite3 have in common. */
export interface OpenSqlite extends SqliteDatabase {
  readonly inTransaction: boolean
  exec(sql: string): unknown
}

export type Values = readonly unknown[]

/** What both drivers' statements have beyond what Kysely needs. */
export interface ArrayStatement extends SqliteStatement {
  /** From now on a row is an array. */
  raw(): unknown
  columns(): { name: string }[]
  get(parameters: Values): Values | undefined
  all(parameters: Values): Values[]
  iterate(parameters: Values): IterableIterator<Values>
}

export function isArrayStatement(statement: SqliteStatement): statement is ArrayStatement {
  return ['raw', 'columns', 'get'].every((method) => method in statement)
}
