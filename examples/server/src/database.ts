import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  mysqlDialect,
  postgresDialect,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import type { SessionStore, UserStore } from 'fastify-accounts'
import { type Dialect, Kysely } from 'kysely'
import { type DatabasePlace, SettingError } from './config.js'

export interface Stores {
  userStore: UserStore
  sessionStore: SessionStore
  close(): Promise<void>
}

/**
 * Opens the database, and brings its tables up to date. A SQLite file is made where there is none.
 * @throws SettingError
 */
export async function openDatabase(place: DatabasePlace): Promise<Stores> {
  try {
    const db = new Kysely<unknown>({ dialect: await dialectFor(place) })
    await migrate(db)
    const userStore = createKyselyUserStore({ db })
    return {
      userStore,
      sessionStore: createKyselySessionStore({ db, userStore }),
      close: () => db.destroy(),
    }
  } catch (error) {
    throw new SettingError('DATABASE_URL', `names ${nameOf(place)}, which cannot be used: ${reason(error)}`)
  }
}

/** The database without its password. */
export function nameOf(place: DatabasePlace): string {
  if (place.engine === 'sqlite') return place.file
  const { protocol, host, pathname } = new URL(place.url)
  return `${protocol}//${host}${pathname}`
}

/** Milliseconds; the plugin gives up a call after five seconds. */
const connectTimeout = 3000

/** Only the driver that is used is loaded. */
async function dialectFor(place: DatabasePlace): Promise<Dialect> {
  switch (place.engine) {
    case 'sqlite': {
      mkdirSync(dirname(place.file), { recursive: true, mode: 0o700 })
      return sqliteDialect(place.file)
    }
    case 'postgres': {
      const { default: pg } = await import('pg')
      const options = { connectionTimeoutMillis: connectTimeout, query_timeout: 4000 }
      return postgresDialect(new pg.Pool({ connectionString: place.url, ...options }))
    }
    case 'mysql': {
      const { createPool } = await import('mysql2')
      const uri = place.url.replace(/^mariadb:/, 'mysql:')
      return mysqlDialect(createPool({ uri, connectTimeout }))
    }
  }
}

/** The stores say only that they are unavailable; the driver, beneath, says why. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reason(error.cause)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
