import { closeSync, existsSync, openSync } from 'node:fs'
import { fromNodeSqlite, type NodeSqlite } from './node-sqlite.js'
import type { OpenSqlite } from './sqlite-statement.js'

/** The packages that open SQLite. */
export type SqliteDriverName = 'better-sqlite3' | 'libsql'

type Open = (file: string) => OpenSqlite

/** Fastest first, as docs/adapters/kysely.md says; libsql is last because Node.js includes a faster one. */
const drivers = ['better-sqlite3', 'node:sqlite', 'libsql'] as const

/**
 * Opens a SQLite file with the first driver that works here, and creates a missing file, for its owner alone.
 * @param file its path, or `:memory:`
 * @param load loads a package from where it is installed, like `require`; throws if it is missing
 * @param create whether to create a missing file
 * @throws Error of one line if no driver works or the file is missing
 */
export function openSqliteFile(
  file: string,
  load: (driver: SqliteDriverName) => unknown,
  create = true,
): OpenSqlite {
  const open = openerOf(load)
  if (file !== ':memory:') ensureFile(file, create)
  return open(file)
}

function openerOf(load: (driver: SqliteDriverName) => unknown): Open {
  const causes: unknown[] = []
  for (const driver of drivers) {
    try {
      const open = driver === 'node:sqlite' ? nodeOpener() : packageOpener(load(driver))
      // better-sqlite3 loads its native part when it opens its first database.
      open(':memory:').close()
      return open
    } catch (error) {
      causes.push(error)
    }
  }
  throw new Error('no driver for SQLite works here: npm install libsql', { cause: causes.at(-1) })
}

function packageOpener(Database: unknown): Open {
  return (file) => new (Database as new (file: string) => OpenSqlite)(file)
}

/** @throws Error before Node.js 22.16, whose version lacks transactions and rows as arrays */
function nodeOpener(): Open {
  const sqlite = process.getBuiltinModule('node:sqlite') as
    | { DatabaseSync: new (file: string) => NodeSqlite; StatementSync: { prototype: object } }
    | undefined
  if (sqlite === undefined || !('setReturnArrays' in sqlite.StatementSync.prototype)) {
    throw new Error('node:sqlite needs Node.js 22.16 or later')
  }
  return (file) => fromNodeSqlite(new sqlite.DatabaseSync(file))
}

/** SQLite would create it readable by everyone; the files it puts beside it get the same mode. */
function ensureFile(file: string, create: boolean): void {
  if (existsSync(file)) return
  if (!create) throw new Error(`${file} does not exist`)
  closeSync(openSync(file, 'a', 0o600))
}
