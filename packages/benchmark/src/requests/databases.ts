import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Dialect, Kysely } from 'kysely'
import type Database from 'libsql'
import type pg from 'pg'
import type { Place } from './service.js'

// Each service loads only its own drivers: startup is measured too.

export function sqliteFileOf({ folder }: Place): string {
  return join(folder, 'accounts.db')
}

/** A bare database in the place's folder. */
export const openSqliteDatabase = (place: Place): Promise<Database.Database> =>
  openSqliteFile(sqliteFileOf(place))

export async function openSqliteFile(file: string): Promise<Database.Database> {
  const { default: Driver } = (await import(sqliteDriver())) as { default: typeof Database }
  return new Driver(file)
}

/**
 * The SQLite driver of the other services: better-sqlite3 if its native part is there, which ours uses then, too;
 * otherwise libsql, to which ours prefers node:sqlite.
 */
export function sqliteDriver(): 'better-sqlite3' | 'libsql' {
  try {
    const Driver = createRequire(import.meta.url)('better-sqlite3') as typeof Database
    new Driver(':memory:').close()
    return 'better-sqlite3'
  } catch {
    return 'libsql'
  }
}

/** That database under Kysely, opened as ours is: prepared statements, write-ahead log, a disk flush per write if durable. */
export async function openSqlite(place: Place): Promise<{ dialect: Dialect; db: Kysely<Tables> }> {
  const { sqliteDialect } = await import('@fastify-accounts/kysely')
  const { Kysely } = await import('kysely')
  const dialect = sqliteDialect(await openSqliteDatabase(place), { synchronous: synchronousOf(place) })
  return { dialect, db: new Kysely<Tables>({ dialect }) }
}

export function synchronousOf({ durable }: Place): 'FULL' | 'NORMAL' {
  return durable ? 'FULL' : 'NORMAL'
}

export async function openPool({ postgresUrl }: Place): Promise<pg.Pool> {
  const { default: pg } = await import('pg')
  return new pg.Pool({ connectionString: postgresUrl, connectionTimeoutMillis: 3000, query_timeout: 4000 })
}

export async function openPostgres(place: Place): Promise<{ dialect: Dialect; db: Kysely<Tables> }> {
  const { postgresDialect } = await import('@fastify-accounts/kysely')
  const { Kysely } = await import('kysely')
  const dialect = postgresDialect(await openPool(place), { prepare: true })
  return { dialect, db: new Kysely<Tables>({ dialect }) }
}

export async function openRedis({ redisUrl }: Place): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    socketTimeout: 4000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
  })
  redis.on('error', (error) => console.error(error))
  await redis.connect()
  return redis
}

/** Any table: the code that fills it knows its columns. */
export type Tables = Record<string, Record<string, string | number | boolean | null | Date>>

/** Fills a table, a few hundred rows at a time. */
export async function fill(
  db: Kysely<Tables>,
  table: string,
  count: number,
  row: (at: number) => Tables[string],
): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, at) => row(from + at))
    await db.insertInto(table).values(rows).execute()
  }
}
