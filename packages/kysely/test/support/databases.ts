import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresDialect, sqliteDialect } from '@fastify-accounts/kysely'
import { Kysely, MysqlDialect, sql } from 'kysely'
import SqliteFile from 'libsql'
import { createPool } from 'mysql2'
import pg from 'pg'

/** A database of a test's own. Plain data, so that another process can be told where it is. */
export interface Place {
  engine: 'sqlite' | 'postgres' | 'mysql'
  url: string
}

export interface TestDatabase {
  place: Place
  drop(): Promise<void>
}

const services = {
  postgres: process.env.ACCOUNTS_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  mysql: process.env.ACCOUNTS_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql',
}

/** A new connection, or pool of connections, to the same place. */
export function connect({ engine, url }: Place, connections = 10): Kysely<unknown> {
  switch (engine) {
    case 'sqlite':
      return new Kysely({ dialect: sqliteDialect(new SqliteFile(url)) })
    case 'postgres':
      return new Kysely({
        dialect: postgresDialect(new pg.Pool({ connectionString: url, max: connections })),
      })
    case 'mysql':
      return new Kysely({
        dialect: new MysqlDialect({ pool: createPool({ uri: url, connectionLimit: connections }) }),
      })
  }
}

/** Takes every user and every session out of the stores' tables. */
export async function empty(db: Kysely<unknown>): Promise<void> {
  await sql`delete from accounts_users`.execute(db)
  await sql`delete from accounts_sessions`.execute(db)
}

/** How many sessions are kept, those that have expired too. */
export async function countSessions(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ kept: unknown }>`select count(*) as kept from accounts_sessions`.execute(db)
  return Number(rows[0]?.kept)
}

/** A new, empty database. Rejects where the service cannot be reached. */
export async function makeDatabase(engine: Place['engine']): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'accounts-kysely-'))
    return {
      place: { engine, url: join(folder, 'accounts.db') },
      drop: () => rm(folder, { recursive: true }),
    }
  }
  const name = `accounts_test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(services[engine])
  const administer = async (command: ReturnType<typeof sql>): Promise<void> => {
    const db = connect({ engine, url: url.href }, 1)
    try {
      await command.execute(db)
    } finally {
      await db.destroy()
    }
  }
  await administer(sql`create database ${sql.id(name)}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    place: { engine, url: own.href },
    drop: () => administer(sql`drop database ${sql.id(name)}`),
  }
}

/**
 * The engines that answer here. SQLite always does; where a server does not, its tests are skipped with one line,
 * except in CI, where nothing may pass by being skipped.
 */
export async function enginesHere(): Promise<Place['engine'][]> {
  const here: Place['engine'][] = ['sqlite']
  for (const engine of ['postgres', 'mysql'] as const) {
    try {
      const probe = await makeDatabase(engine)
      await probe.drop()
      here.push(engine)
    } catch (error) {
      const line = `${engine} cannot be reached at ${new URL(services[engine]).host}`
      if (process.env.CI) throw new Error(line, { cause: error })
      console.warn(`skipped: ${line}`)
    }
  }
  return here
}
