import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createKyselyUserStore,
  migrate,
  type OpenSqlite,
  openDatabase,
  type SqliteOptions,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import {
  driversHere,
  makeDatabase,
  openSqlite,
  type SqliteDriver,
  sqliteDrivers,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { Kysely, sql } from 'kysely'
import Libsql from 'libsql'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { accountsDb } from '../src/base/accounts-db.js'
import { newUser } from './support/users.js'

const here = await driversHere(sqliteDrivers)

describe.each(here)('sqliteDialect: $title', ({ name }) => {
  let database: TestDatabase | undefined
  afterEach(async () => {
    await database?.drop()
    database = undefined
  })

  async function open(options?: SqliteOptions) {
    database = await makeDatabase(name)
    const file = await openSqlite(name, database.place.url)
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file, options) })
    const pragma = async (name: string): Promise<unknown> => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)
      return Object.values(rows[0] ?? {})[0]
    }
    return { file, db, pragma }
  }

  test('sets pragmas for durability and concurrent processes', async () => {
    const { db, pragma } = await open()
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('busy_timeout')).toBe(100)
    expect(await pragma('foreign_keys')).toBe(1)
    await db.destroy()
  })

  test('applies the options', async () => {
    const { db, pragma } = await open({ busyTimeout: 20, synchronous: 'NORMAL' })
    expect(await pragma('synchronous')).toBe(1)
    expect(await pragma('busy_timeout')).toBe(20)
    await db.destroy()
  })

  test('prepares a statement once, and caches a bounded number', async () => {
    const { file, db } = await open()
    const prepare = vi.spyOn(file, 'prepare')
    const ask = (n: number) => sql`select ${sql.lit(n)} as n`.execute(db)
    await ask(1)
    await ask(1)
    expect(prepare).toHaveBeenCalledTimes(1)
    for (let n = 2; n <= 201; n++) await ask(n)
    expect(prepare).toHaveBeenCalledTimes(201)
    // The cache was cleared meanwhile: the first one is prepared again, and still correct.
    expect((await ask(1)).rows).toEqual([{ n: 1 }])
    expect(prepare).toHaveBeenCalledTimes(202)
    await db.destroy()
  })

  test.each(['', '-- by the app\n', '-- by the app\r\n', '/* by */ /** the app **/ ', '/* by the app */;'])(
    'takes the write lock before a write, also after a comment: "%s"',
    async (comment) => {
      const { file, db } = await open()
      await sql`create table t (a)`.execute(db)
      const exec = vi.spyOn(file, 'exec')
      const run = (text: string) => sql.raw(comment + text).execute(db)
      await run('select a from t')
      await run('pragma user_version')
      expect(exec.mock.calls).toEqual([])
      await run('insert into t select 1 /* by the app */')
      expect(exec.mock.calls).toEqual([['begin immediate'], ['commit']])
      await db.destroy()
    },
  )

  test('a prepared statement sees an altered table', async () => {
    const { db } = await open()
    await sql`create table t (a)`.execute(db)
    await sql`insert into t values (1)`.execute(db)
    const ask = async () => (await sql`select * from t`.execute(db)).rows
    expect(await ask()).toEqual([{ a: 1 }])
    await sql`alter table t add column b`.execute(db)
    expect(await ask()).toEqual([{ a: 1, b: null }])
    await db.destroy()
  })

  test('rows are objects, whichever way they are queried', async () => {
    const { db } = await open()
    await sql`create table t (a, b)`.execute(db)
    await sql`insert into t values (1, null), (2, 'x')`.execute(db)
    const t = db.withTables<{ t: { a: number; b: string | null } }>().selectFrom('t').select(['a', 'b'])
    const [one, two] = [
      { a: 1, b: null },
      { a: 2, b: 'x' },
    ]
    expect(await t.execute()).toEqual([one, two])
    expect(await t.limit(sql.lit(1)).execute()).toEqual([one])
    expect(await t.where('a', '=', 3).limit(sql.lit(1)).execute()).toEqual([])
    const streamed: unknown[] = []
    for await (const row of t.stream()) streamed.push(row)
    expect(streamed).toEqual([one, two])
    expect((await sql`insert into t values (3, 'y') returning b as c, a`.execute(db)).rows).toEqual([
      { c: 'y', a: 3 },
    ])
    await db.destroy()
  })

  test('reports which rows a unique index rejected', async () => {
    const { db } = await open()
    await migrate(db)
    const users = createKyselyUserStore({ db })
    await users.create(newUser('ada'))
    await expect(users.create(newUser('ada'))).rejects.toMatchObject({ name: 'DuplicateError' })
    await db.destroy()
  })

  test('closes the database along with the Kysely', async () => {
    const { file, db } = await open()
    await sql`select 1`.execute(db)
    await db.destroy()
    expect(() => file.exec('select 1')).toThrow(/open/)
  })
})

test.each([
  [{ busyTimeout: -1 }, 'busyTimeout must be a whole number of milliseconds'],
  [{ busyTimeout: 0.5 }, 'busyTimeout must be a whole number of milliseconds'],
  [{ synchronous: 'OFF' }, "synchronous must be 'FULL' or 'NORMAL'"],
])('rejects %o before it touches the database', (options, line) => {
  const untouched: OpenSqlite = {
    inTransaction: false,
    exec: () => expect.fail('touched'),
    prepare: () => expect.fail('touched'),
    close: () => expect.fail('touched'),
  }
  expect(() => sqliteDialect(untouched, options as SqliteOptions)).toThrow(new TypeError(line))
})

test('opens a file by its path, and creates it for its owner only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-dialect-'))
  const db = new Kysely<unknown>({ dialect: sqliteDialect(join(folder, 'accounts.db')) })
  expect(await migrate(db)).not.toEqual([])
  for (const name of await readdir(folder)) {
    expect([name, (await stat(join(folder, name))).mode & 0o077]).toEqual([name, 0])
  }
  expect(await readdir(folder)).toContain('accounts.db')
  await db.destroy()
  await rm(folder, { recursive: true })
})

describe('the driver that opens a file', () => {
  /** Identifies the driver by the SQLite version it bundles. */
  async function versionWith(installed: readonly SqliteDriver[]) {
    const modules = new Map<string, unknown>()
    for (const name of installed) {
      if (name !== 'node:sqlite') modules.set(name, (await import(name)).default)
    }
    const db = openDatabase('file::memory:', (name) => {
      if (!modules.has(name)) throw new Error(`Cannot find module '${name}'`)
      return modules.get(name)
    })
    const { rows } = await sql`select sqlite_version() as version, sqlite_source_id() as source`.execute(
      accountsDb(db),
    )
    await db.destroy()
    return rows[0]
  }

  async function versionOf(name: SqliteDriver) {
    const file = await openSqlite(name, ':memory:')
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    const { rows } = await sql`select sqlite_version() as version, sqlite_source_id() as source`.execute(db)
    await db.destroy()
    return rows[0]
  }

  const names = here.map(({ name }) => name as SqliteDriver)
  test.skipIf(!names.includes('better-sqlite3'))('is better-sqlite3 if it is installed', async () => {
    expect(await versionWith(['better-sqlite3', 'libsql'])).toEqual(await versionOf('better-sqlite3'))
  })
  test.skipIf(!names.includes('node:sqlite'))('is node:sqlite without it', async () => {
    expect(await versionWith(['libsql'])).toEqual(await versionOf('node:sqlite'))
    expect(await versionWith([])).toEqual(await versionOf('node:sqlite'))
  })
  test.skipIf(names.includes('node:sqlite'))('is libsql if there is nothing else', async () => {
    expect(await versionWith(['libsql'])).toEqual(await versionOf('libsql'))
  })
  test('is the next one if one is installed but broken', () => {
    const load = (name: string) => {
      if (name === 'libsql') return Libsql
      return class {
        constructor() {
          throw new Error('its native part is missing')
        }
      }
    }
    expect(() => openDatabase('file::memory:', load)).not.toThrow()
  })
})

describe('databases on a server, and their replicas, are rejected', () => {
  const line = /^SQLite needs the path of a file, .* not a URL or a replica$/

  test.each(['libsql://a.example', 'http://a.example', 'file:accounts.db', 'postgres://a.example/b'])(
    'as %s',
    (url) => {
      expect(() => sqliteDialect(url)).toThrow(line)
    },
  )

  test('as a connection to a server, which is never contacted', () => {
    expect(() => sqliteDialect(new Libsql('http://127.0.0.1:1'))).toThrow(line)
  })

  test('as a replica, a file that syncs', () => {
    const replica = Object.assign(new Libsql(':memory:'), { sync: () => ({ frames_synced: 0 }) })
    expect(() => sqliteDialect(replica)).toThrow(line)
    const unreachable = Object.assign(new Libsql(':memory:'), {
      sync: () => {
        throw new Error('sync error: error trying to connect')
      },
    })
    expect(() => sqliteDialect(unreachable)).toThrow(line)
  })
})
