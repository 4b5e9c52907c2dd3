import { type OpenSqlite, type SqliteOptions, sqliteDialect } from '@fastify-accounts/kysely'
import { Kysely, sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { driversHere, makeDatabase, openSqlite, type TestDatabase } from './support/databases.js'

describe.each(await driversHere(['libsql', 'better-sqlite3']))('sqliteDialect: $title', ({ name }) => {
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

  test('sets what keeps data safe and processes apart', async () => {
    const { db, pragma } = await open()
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('busy_timeout')).toBe(100)
    expect(await pragma('foreign_keys')).toBe(1)
    await db.destroy()
  })

  test('takes the options', async () => {
    const { db, pragma } = await open({ busyTimeout: 20, synchronous: 'NORMAL' })
    expect(await pragma('synchronous')).toBe(1)
    expect(await pragma('busy_timeout')).toBe(20)
    await db.destroy()
  })

  test('prepares a statement once, and keeps a bounded number of them', async () => {
    const { file, db } = await open()
    const prepare = vi.spyOn(file, 'prepare')
    const ask = (n: number) => sql`select ${sql.lit(n)} as n`.execute(db)
    await ask(1)
    await ask(1)
    expect(prepare).toHaveBeenCalledTimes(1)
    for (let n = 2; n <= 201; n++) await ask(n)
    expect(prepare).toHaveBeenCalledTimes(201)
    // The table was emptied on the way: the first one is prepared again, and still right.
    expect((await ask(1)).rows).toEqual([{ n: 1 }])
    expect(prepare).toHaveBeenCalledTimes(202)
    await db.destroy()
  })

  test('a prepared statement sees a changed table', async () => {
    const { db } = await open()
    await sql`create table t (a)`.execute(db)
    await sql`insert into t values (1)`.execute(db)
    const ask = async () => (await sql`select * from t`.execute(db)).rows
    expect(await ask()).toEqual([{ a: 1 }])
    await sql`alter table t add column b`.execute(db)
    expect(await ask()).toEqual([{ a: 1, b: null }])
    await db.destroy()
  })

  test('rows are objects, however they are asked for', async () => {
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

  test('closes the database with the Kysely', async () => {
    const { file, db } = await open()
    await sql`select 1`.execute(db)
    await db.destroy()
    expect(file.open).toBe(false)
  })
})

test.each([
  [{ busyTimeout: -1 }, 'busyTimeout must be a whole number of milliseconds'],
  [{ busyTimeout: 0.5 }, 'busyTimeout must be a whole number of milliseconds'],
  [{ synchronous: 'OFF' }, "synchronous must be 'FULL' or 'NORMAL'"],
])('refuses %o before it touches the database', (options, line) => {
  const untouched: OpenSqlite = {
    inTransaction: false,
    exec: () => expect.fail('touched'),
    prepare: () => expect.fail('touched'),
    close: () => expect.fail('touched'),
  }
  expect(() => sqliteDialect(untouched, options as SqliteOptions)).toThrow(new TypeError(line))
})
