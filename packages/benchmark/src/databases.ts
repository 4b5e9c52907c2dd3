import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Redis } from 'ioredis'
import type { Kysely } from 'kysely'
import type Database from 'libsql'
import type pg from 'pg'

// Each service loads only its own drivers: startup is measured as well. Servers are found as in the tests.

export const redisUrl = process.env.ACCOUNTS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
const postgresUrl = process.env.ACCOUNTS_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const mysqlUrl = process.env.ACCOUNTS_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'

/** A database of the benchmark's own. */
export interface OwnDatabase {
  url: string
  drop(): Promise<void>
}

export async function createPostgresDatabase(): Promise<OwnDatabase> {
  const { default: pg } = await import('pg')
  return create(postgresUrl, ' WITH (FORCE)', async (command) => {
    const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 })
    await client.connect()
    await client.query(command).finally(() => client.end())
  })
}

export async function createMysqlDatabase(): Promise<OwnDatabase> {
  const { createConnection } = await import('mysql2/promise')
  return create(mysqlUrl, '', async (command) => {
    const connection = await createConnection({ uri: mysqlUrl, connectTimeout: 3000 })
    await connection.query(command).finally(() => connection.end())
  })
}

async function create(
  server: string,
  force: string,
  ask: (command: string) => Promise<void>,
): Promise<OwnDatabase> {
  const name = `accounts_benchmark_${randomUUID().replaceAll('-', '')}`
  await ask(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => ask(`DROP DATABASE ${name}${force}`) }
}

/** @param timeout the most milliseconds of a query; 0: no limit */
export async function openPool(connectionString: string, timeout = 4000): Promise<pg.Pool> {
  const { default: pg } = await import('pg')
  return new pg.Pool({ connectionString, connectionTimeoutMillis: 3000, query_timeout: timeout })
}

export async function openRedis(): Promise<Redis> {
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

/** With the driver of the services that aren't ours. */
export async function openSqliteFile(file: string): Promise<Database.Database> {
  const { default: Driver } = (await import(sqliteDriver())) as { default: typeof Database }
  return new Driver(file)
}

/**
 * better-sqlite3 if its native part is there, which ours then also uses; otherwise libsql, to which ours prefers
 * node:sqlite.
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
