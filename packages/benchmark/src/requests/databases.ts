import { join } from 'node:path'
import { postgresDialect, sqliteDialect } from '@fastify-accounts/kysely'
import { Redis } from 'ioredis'
import { type Dialect, Kysely } from 'kysely'
import Database from 'libsql'
import pg from 'pg'
import type { Place } from './service.js'

interface Sqlite {
  database: Database.Database
  dialect: Dialect
  db: Kysely<Tables>
}

/** The drivers that all services share, with the same settings for each. */
export function openSqlite({ folder }: Place): Sqlite {
  const database: Database.Database = new Database(join(folder, 'accounts.db'))
  // Also sets the write-ahead log and one disk flush a write, whoever uses the database.
  const dialect = sqliteDialect(database)
  return { database, dialect, db: new Kysely<Tables>({ dialect }) }
}

export function openPostgres({ postgresUrl }: Place) {
  const pool = new pg.Pool({
    connectionString: postgresUrl,
    connectionTimeoutMillis: 3000,
    query_timeout: 4000,
  })
  const dialect = postgresDialect(pool)
  return { pool, dialect, db: new Kysely<Tables>({ dialect }) }
}

export async function openRedis({ redisUrl }: Place): Promise<Redis> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    socketTimeout: 4000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  })
  redis.on('error', (error) => console.error(error))
  await redis.connect()
  return redis
}

/** Any table: who fills it knows its columns. */
type Tables = Record<string, Record<string, string | number | boolean | null | Date>>

/** Fills a table, some hundred rows at a time. */
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
