import { fileURLToPath } from 'node:url'
import type { Database } from '../base/database.js'
import { openMysql, openPostgres, openSqlite } from './open.js'
import { openSqliteFile, type SqliteDriverName } from './sqlite-drivers.js'

/** The packages that connect to a database. */
export type DriverName = SqliteDriverName | 'pg' | 'mysql2'

/** Milliseconds. */
const connectTimeout = 3000

/** Milliseconds that a tool's statement may take: it handles many rows, and nobody waits for a response. */
const queryTimeout = 60_000

/**
 * Opens a database by its URL, for tools that know only that: `file:accounts.db`, `postgres://…`, `mysql://…`.
 * @param load loads a driver from where it is installed, like `require`; throws if it is missing
 * @param options.create whether to create a missing file, readable only by its owner; `true` by default
 * @throws Error of one line if the URL is of no database, there is no driver for it, or no such file
 */
export function openDatabase(
  url: string,
  load: (driver: DriverName) => unknown,
  { create = true }: { create?: boolean | undefined } = {},
): Database {
  const protocol = /^([a-z]+):/.exec(url)?.[1]
  switch (protocol) {
    case 'file': {
      const file = url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length)
      return openSqlite(openSqliteFile(file, load, create))
    }
    case 'postgres':
    case 'postgresql': {
      const { Pool } = driverOf('pg', load) as { Pool: new (options: object) => never }
      const pool = new Pool({ connectionString: url, connectionTimeoutMillis: connectTimeout })
      return openPostgres(pool, { statementTimeout: queryTimeout })
    }
    case 'mysql':
    case 'mariadb': {
      const { createPool } = driverOf('mysql2', load) as { createPool(options: object): never }
      const uri = url.replace(/^mariadb:/, 'mysql:')
      return openMysql(createPool({ uri, connectTimeout }), { queryTimeout })
    }
    default:
      throw new Error('the database URL must begin with file:, postgres:// or mysql://')
  }
}

function driverOf(name: DriverName, load: (driver: DriverName) => unknown): unknown {
  try {
    return load(name)
  } catch (cause) {
    throw new Error(`no driver for this database is installed: npm install ${name}`, { cause })
  }
}
