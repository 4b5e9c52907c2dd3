import { createKyselyUserStore, migrate, mysqlDialect } from '@fastify-accounts/kysely'
import { connect, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { Kysely, sql } from 'kysely'
import { createPool } from 'mysql2'
import { describe, expect, test } from 'vitest'
import { newUser } from './support/users.js'

const [server] = await driversHere(['mysql2'])
const isMariaDb = server?.title.includes('MariaDB') === true

describe.skipIf(server === undefined)('connection timeouts: mysqlDialect', () => {
  async function limitsOf(queryTimeout?: number) {
    const { place, drop } = await makeDatabase('mysql2')
    const db = new Kysely<unknown>({ dialect: mysqlDialect(createPool(place.url), { queryTimeout }) })
    const { rows } = await sql<{ Variable_name: string; Value: string }>`show session variables
      where Variable_name in ('innodb_lock_wait_timeout', 'lock_wait_timeout', 'max_statement_time',
        'idle_transaction_timeout', 'max_execution_time')`.execute(db)
    await migrate(db)
    const found = await createKyselyUserStore({ db }).inspect?.(5000)
    await db.destroy()
    await drop()
    return { values: Object.fromEntries(rows.map((row) => [row.Variable_name, Number(row.Value)])), found }
  }

  const ofEngine = (milliseconds: number) =>
    isMariaDb
      ? { max_statement_time: milliseconds / 1000, idle_transaction_timeout: 10 }
      : { max_execution_time: milliseconds }

  test('FLT-36 rejects a pool that has connections already, which have no limits', async () => {
    const { place, drop } = await makeDatabase('mysql2')
    const pool = createPool(place.url)
    await pool.promise().query('select 1')
    expect(() => mysqlDialect(pool)).toThrow(
      'pool must be new, but it already has connections (1): pass it to openMysql before you use it',
    )
    await pool.promise().end()
    await drop()
  })

  test("are below the client's deadline, locks in whole seconds", async () => {
    const locks = (seconds: number) => ({ innodb_lock_wait_timeout: seconds, lock_wait_timeout: seconds })
    expect(await limitsOf()).toEqual({ values: { ...locks(3), ...ofEngine(3500) }, found: [] })
    expect((await limitsOf(800)).values).toEqual({ ...locks(1), ...ofEngine(700) })
  })

  test("are reported missing on connections that don't set them", async () => {
    const { place, drop } = await makeDatabase('mysql2')
    const db = await connect(place, 1)
    const found = (await createKyselyUserStore({ db }).inspect?.(5000)) ?? []
    await db.destroy()
    await drop()
    const [time] = Object.keys(ofEngine(1))
    expect(found.find((line) => line.startsWith(`${time} `))).toMatch(
      /is off: the server goes on waiting after the 503; openMysql sets it/,
    )
    expect(found.join()).toMatch(
      /innodb_lock_wait_timeout is 50000 ms, not below the 5000 ms of adapterTimeout/,
    )
  })
})

describe.skipIf(server === undefined)('a typeCast of the pool', () => {
  type Field = { type: string; length: number; string(): string | null; buffer(): Buffer | null }
  const asText = ({ type }: Field) => ['VAR_STRING', 'STRING', 'BLOB'].includes(type)

  /** What the store reports, and whether it finds a user whose name isn't ASCII. */
  async function storeWith(typeCast: (field: Field, next: () => unknown) => unknown) {
    const { place, drop } = await makeDatabase('mysql2')
    const pool = createPool({ uri: place.url, typeCast: typeCast as never })
    const db = new Kysely<unknown>({ dialect: mysqlDialect(pool) })
    await migrate(db)
    const store = createKyselyUserStore({ db })
    await store.create(newUser('jürgen'))
    const found = await store.findByUsername('jürgen')
    const lines = await store.inspect?.(5000)
    await db.destroy()
    await drop()
    return { key: found?.usernameKey, lines }
  }

  test('that reads VARBINARY as text is reported, since names would be changed', async () => {
    const { key, lines } = await storeWith((field, next) => (asText(field) ? field.string() : next()))
    expect(key).not.toBe('jürgen')
    expect(lines).toEqual([
      expect.stringMatching(/^the driver changes the bytes of VARBINARY columns: .*typeCast/),
    ])
  })

  test.each<[string, (field: Field, next: () => unknown) => unknown]>([
    ['leaves it alone', (_field, next) => next()],
    [
      'makes booleans',
      (field, next) => (field.type === 'TINY' && field.length === 1 ? field.string() === '1' : next()),
    ],
    ['reads it as UTF-8', (field, next) => (asText(field) ? (field.buffer()?.toString() ?? null) : next())],
  ])('that %s is not', async (_, typeCast) => {
    expect(await storeWith(typeCast)).toEqual({ key: 'jürgen', lines: [] })
  })
})
