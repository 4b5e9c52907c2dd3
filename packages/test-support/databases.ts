import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { type Engine, type OpenSqlite, postgresDialect, sqliteDialect } from '@fastify-accounts/kysely'
import { type Dialect, Kysely, MysqlDialect, sql } from 'kysely'
import { PGliteDialect } from 'kysely-pglite-dialect'
import Libsql from 'libsql'
import { createPool } from 'mysql2'
import pg from 'pg'
import { isFull, isQuick } from './depth.js'

/** The three that open a SQLite file. */
export const sqliteDrivers = ['libsql', 'better-sqlite3', 'node:sqlite'] as const

export type SqliteDriver = (typeof sqliteDrivers)[number]
export type DriverName = SqliteDriver | 'pg' | 'pglite' | 'mysql2'

export interface Driver {
  name: DriverName
  engine: Engine
  /** With the version of the engine, so that a report says what was run on. */
  title: string
}

/** A database of a test's own. Plain data, so that another process can be told where it is. */
export interface Place {
  driver: DriverName
  url: string
}

export interface TestDatabase {
  place: Place
  drop(): Promise<void>
}

/** Other versions of Node.js differ in this one alone. */
const only = process.env.ACCOUNTS_TEST_DRIVER

const engines: Record<DriverName, Engine> = {
  libsql: 'sqlite',
  'better-sqlite3': 'sqlite',
  'node:sqlite': 'sqlite',
  pg: 'postgres',
  pglite: 'postgres',
  mysql2: 'mysql',
}

const servers = {
  pg: process.env.ACCOUNTS_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  mysql2: process.env.ACCOUNTS_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql',
}

/** Opens a SQLite database with one of the three libraries, which for the tests are one type. */
export async function openSqlite(driver: DriverName, url: string): Promise<OpenSqlite> {
  switch (driver) {
    case 'better-sqlite3':
      // Loaded on use: its native part may be missing.
      return new (await import('better-sqlite3')).default(url)
    case 'node:sqlite':
      return new (nodeSqlite())(url)
    default:
      return new Libsql(url)
  }
}

/** Copies a backup over a file that may be open, as SQLite's own tools do, page by page. */
export async function restoreSqlite(backup: string, url: string): Promise<void> {
  if (hasNodeSqlite) {
    const { backup: copy } = process.getBuiltinModule('node:sqlite') as unknown as {
      backup(from: OpenSqlite, to: string): Promise<number>
    }
    const from = await openSqlite('node:sqlite', backup)
    await copy(from, url)
    from.close()
    return
  }
  const from = new (await import('better-sqlite3')).default(backup)
  await from.backup(url)
  from.close()
}

/** Older versions of Node.js have none, or less than is needed of it. */
const hasNodeSqlite = !/^(?:20|22\.(?:\d|1[0-5]))\./.test(process.versions.node)

function nodeSqlite(): new (url: string) => OpenSqlite {
  if (!hasNodeSqlite) throw new Error('Node.js has it from 22.16 on')
  return Reflect.get(process.getBuiltinModule('node:sqlite') ?? {}, 'DatabaseSync')
}

/** The PGlites in use, by URL, and those that can be reused. */
const pglites = new Map<string, PGlite>()
const emptyPglites: PGlite[] = []

/** Starting one takes seconds, emptying one does not. */
async function makePglite(): Promise<TestDatabase> {
  const { PGlite } = await import('@electric-sql/pglite')
  const pglite = emptyPglites.pop() ?? new PGlite()
  const url = randomUUID()
  pglites.set(url, pglite)
  return {
    place: { driver: 'pglite', url },
    async drop() {
      pglites.delete(url)
      const { rows } = await pglite.query<{ name: string }>(
        "select quote_ident(nspname) as name from pg_namespace where nspname !~ '^(pg_|information_schema)'",
      )
      for (const { name } of rows) await pglite.exec(`drop schema ${name} cascade`)
      await pglite.exec('create schema public')
      await pglite.exec('discard all')
      emptyPglites.push(pglite)
    },
  }
}

/** Leaves its PGlite open at the end: that is used again. */
class SharedPGliteDialect extends PGliteDialect {
  override createDriver(): ReturnType<PGliteDialect['createDriver']> {
    const driver = super.createDriver()
    driver.destroy = async () => {}
    return driver
  }
}

/** A new connection, or pool of connections, to the same place. */
export async function connect(...place: Parameters<typeof dialectFor>): Promise<Kysely<unknown>> {
  return new Kysely({ dialect: await dialectFor(...place) })
}

/** A connection that tells each statement, also those that begin and end transactions. */
export async function connectWatched(
  place: Place,
  onStatement: (sql: string) => void,
): Promise<Kysely<unknown>> {
  return new Kysely({ dialect: await dialectFor(place), log: ({ query }) => onStatement(query.sql) })
}

/** @param setUp SQL that each new connection to a server begins with */
export async function dialectFor({ driver, url }: Place, connections = 10, setUp?: string): Promise<Dialect> {
  switch (driver) {
    case 'libsql':
    case 'better-sqlite3':
    case 'node:sqlite':
      return sqliteDialect(await openSqlite(driver, url))
    case 'pg': {
      const config = setUp === undefined ? {} : { onConnect: (client: pg.ClientBase) => client.query(setUp) }
      return postgresDialect(new pg.Pool({ connectionString: url, max: connections, ...config }))
    }
    case 'pglite': {
      const pglite = pglites.get(url)
      if (!pglite) throw new Error('a PGlite is in the process that made it, until it is dropped')
      if (setUp !== undefined) await pglite.exec(setUp)
      return new SharedPGliteDialect(pglite)
    }
    case 'mysql2': {
      const pool = createPool({ uri: url, connectionLimit: connections })
      if (setUp !== undefined) pool.on('connection', (connection) => void connection.query(setUp))
      return new MysqlDialect({ pool })
    }
  }
}

/** Deletes all rows from the stores’ tables. */
export async function empty(db: Kysely<unknown>): Promise<void> {
  await sql`delete from accounts_users`.execute(db)
  await sql`delete from accounts_identities`.execute(db)
  await sql`delete from accounts_sessions`.execute(db)
  await sql`delete from accounts_invitations`.execute(db)
  await sql`delete from accounts_activity`.execute(db)
  await sql`delete from accounts_organizations`.execute(db)
  await sql`delete from accounts_organization_members`.execute(db)
  await sql`delete from accounts_outbox`.execute(db)
}

/** The number of stored sessions, including expired ones. */
export async function countSessions(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ kept: unknown }>`select count(*) as kept from accounts_sessions`.execute(db)
  return Number(rows[0]?.kept)
}

/** The result of the last of these statements. */
export async function runSql(place: Place, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const db = await connect(place, 1)
  try {
    let rows: Record<string, unknown>[] = []
    for (const text of statements) rows = (await sql.raw<Record<string, unknown>>(text).execute(db)).rows
    return rows
  } finally {
    await db.destroy()
  }
}

/** A new, empty database. Rejects if none can be created. */
export async function makeDatabase(driver: DriverName): Promise<TestDatabase> {
  switch (driver) {
    case 'libsql':
    case 'better-sqlite3':
    case 'node:sqlite': {
      const folder = await mkdtemp(join(tmpdir(), 'accounts-kysely-'))
      return {
        place: { driver, url: join(folder, 'accounts.db') },
        drop: () => rm(folder, { recursive: true }),
      }
    }
    case 'pglite':
      return makePglite()
    case 'pg':
    case 'mysql2':
      return makeOnServer(driver)
  }
}

async function makeOnServer(driver: 'pg' | 'mysql2'): Promise<TestDatabase> {
  const name = `accounts_test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(servers[driver])
  const administer = async (command: ReturnType<typeof sql>): Promise<void> => {
    const db = await connect({ driver, url: url.href }, 1)
    try {
      // On a busy machine, copying the template may take longer than any statement of a store should.
      if (driver === 'pg') await sql`set statement_timeout = 0`.execute(db)
      await command.execute(db)
    } finally {
      await db.destroy()
    }
  }
  await administer(sql`create database ${sql.id(name)}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    place: { driver, url: own.href },
    // Also where another process of the test still has a connection, which MariaDB does not mind.
    drop: () =>
      administer(sql`drop database ${sql.id(name)}${sql.raw(driver === 'pg' ? ' with (force)' : '')}`),
  }
}

/** One for each engine. */
const oneOfEach = ['libsql', 'pg', 'mysql2'] as const satisfies DriverName[]
const all = Object.keys(engines) as DriverName[]
/** For the laws of stores: more than one for an engine only take more time where each law runs on all. */
export const driversOfLaws: readonly DriverName[] = isQuick && !only ? oneOfEach : all

/**
 * Which of the drivers work here; below full depth, unless others are wanted, one for each engine. If a server does not
 * respond, or better-sqlite3 could not be built, its tests are skipped with one line, except in CI, where nothing may
 * pass by being skipped. node:sqlite is in later versions of Node.js only, on which `npm run test:nodes` runs its tests.
 */
export async function driversHere(
  wanted: readonly DriverName[] = isFull || only ? all : oneOfEach,
): Promise<Driver[]> {
  const here: Driver[] = []
  for (const name of wanted) {
    if (only !== undefined && name !== only) continue
    try {
      here.push({ name, engine: engines[name], title: `${name} (${await versionOf(name)})` })
    } catch (error) {
      const at = name === 'pg' || name === 'mysql2' ? ` at ${new URL(servers[name]).host}` : ''
      const line = `${name} cannot be used${at}: ${String(error).split('\n')[0]}`
      if (process.env.CI && (name !== 'node:sqlite' || hasNodeSqlite)) throw new Error(line, { cause: error })
      console.warn(`skipped: ${line}`)
    }
  }
  return here
}

/** What is asked once in a process. */
const versions = new Map<DriverName, Promise<string>>()

function versionOf(name: DriverName): Promise<string> {
  const version = versions.get(name) ?? askVersion(name)
  versions.set(name, version)
  return version
}

async function askVersion(name: DriverName): Promise<string> {
  const database = await makeDatabase(name)
  try {
    const db = await connect(database.place, 1)
    const version = engines[name] === 'sqlite' ? sql`sqlite_version()` : sql`version()`
    const { rows } = await sql<{ v: string }>`select ${version} as v`.execute(db)
    await db.destroy()
    const [{ v } = { v: '' }] = rows
    if (engines[name] === 'sqlite') return `SQLite ${v}`
    if (engines[name] === 'postgres') return v.split(' ').slice(0, 2).join(' ')
    return v.includes('MariaDB') ? `MariaDB ${v.split('-')[0]}` : `MySQL ${v}`
  } finally {
    await database.drop()
  }
}
