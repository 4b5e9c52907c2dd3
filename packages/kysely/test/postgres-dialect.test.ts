import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  type PostgresOptions,
  postgresDialect,
} from '@fastify-accounts/kysely'
import { goodPassword, testAppOn } from '@fastify-accounts/test-support/app'
import { driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newUser } from './support/users.js'

/** Rows returned as JSON come from a statement nested in another one. */
const verbOf = (text: string) => /^(?:with found\(.*?\) as \()?(\w+)/.exec(text)?.[1]

const isHere = (await driversHere()).some(({ name }) => name === 'pg')

describe.skipIf(!isHere)('postgresDialect', () => {
  async function open(options?: PostgresOptions) {
    const { place, drop } = await makeDatabase('pg')
    const pool = new pg.Pool({ connectionString: place.url, max: 1 })
    const db = new Kysely<unknown>({ dialect: postgresDialect(pool, options) })
    onTestFinished(async () => {
      await db.destroy()
      await drop()
    })
    await migrate(db)
    /** Statements that the single connection has prepared. */
    async function prepared(): Promise<{ name: string; statement: string }[]> {
      const { rows } = await sql<{
        name: string
        statement: string
      }>`select name, statement from pg_prepared_statements`.execute(db)
      return rows
    }
    return { db, prepared, users: createKyselyUserStore({ db }) }
  }

  const ask = async (db: Kysely<unknown>, n: number) => {
    const { rows } = await sql<{ n: string }>`select ${n}::text as n, ${sql.lit(n)} as place`.execute(db)
    expect(rows[0]?.n).toBe(String(n))
  }

  test.each<PostgresOptions>([{}, { prepare: true }])(
    'prepares each statement of the stores once, given %o',
    async (options) => {
      const { prepared, users } = await open(options)
      const { id } = await users.create(newUser('ada'))
      for (let turn = 0; turn < 3; turn++) expect((await users.findById(id))?.username).toBe('ada')
      const lookUps = (await prepared()).filter(({ statement }) =>
        /\(select .*from "accounts_users".* where "id" = \$1/.test(statement),
      )
      expect(lookUps).toHaveLength(1)
    },
  )

  test("prepares an app's own statements only with `prepare: true`, and a few hundred at most", async () => {
    for (const [options, least, most] of [
      [{ prepare: true }, 150, 200],
      [{}, 0, 0],
    ] as const) {
      const { db, prepared } = await open(options)
      for (let n = 0; n < 300; n++) await ask(db, n)
      const own = (await prepared()).filter(({ statement }) => statement.includes('as place'))
      expect(own.length).toBeGreaterThanOrEqual(least)
      expect(own.length).toBeLessThanOrEqual(most)
    }
  })

  test('prepares nothing with `prepare: false`', async () => {
    const { prepared, users } = await open({ prepare: false })
    const { id } = await users.create(newUser('ada'))
    await users.findById(id)
    expect(await prepared()).toEqual([])
  })

  test("stops preparing if a pooler's connection lacks a prepared statement", async () => {
    const { db, prepared, users } = await open()
    const { id } = await users.create(newUser('ada'))
    await users.findById(id)
    // Changing identities takes a transaction.
    await users.update(id, { resetEpoch: 1, identityKeys: [] }, 1)
    await sql`deallocate all`.execute(db)
    expect((await users.update(id, { resetEpoch: 2, identityKeys: [] }, 2))?.version).toBe(3)
    expect((await users.findById(id))?.resetEpoch).toBe(2)
    expect(await prepared()).toEqual([])
  })

  test('stops preparing if another client of a pooler prepared the same statement name', async () => {
    const first = await open()
    const { id } = await first.users.create(newUser('ada'))
    await first.users.findById(id)
    const taken = await first.prepared()
    const { db, prepared, users } = await open()
    for (const { name } of taken) await sql`prepare ${sql.id(name)} as select 1`.execute(db)
    const bob = await users.create(newUser('bob'))
    expect((await users.findById(bob.id))?.username).toBe('bob')
    expect((await prepared()).map(({ name }) => name).toSorted()).toEqual(
      taken.map(({ name }) => name).toSorted(),
    )
  })

  test("stops preparing if a column's type has changed", async () => {
    const { db, users } = await open()
    await users.create(newUser('ada'))
    expect(await users.list({ limit: 10 })).toHaveLength(1)
    await sql`alter table accounts_users alter column email type varchar(500)`.execute(db)
    expect(await users.list({ limit: 10 })).toHaveLength(1)
    expect(await users.list({ limit: 10 })).toHaveLength(1)
  })

  test('FLT-36 rejects a pool that has connections already, which have no limits', async () => {
    const { place, drop } = await makeDatabase('pg')
    const pool = new pg.Pool({ connectionString: place.url })
    await pool.query('select 1')
    expect(() => postgresDialect(pool)).toThrow(
      'pool must be new, but it already has connections (1): pass it to openPostgres before you use it',
    )
    await pool.end()
    await drop()
  })

  test('rejects other values', () => {
    const pool = new pg.Pool()
    expect(() => postgresDialect(pool, { prepare: 'yes' as never })).toThrow(
      "prepare must be true, false or 'stores'",
    )
  })
})

/** A migrated database, and each statement that it receives. */
async function recorded(options: PostgresOptions = {}, config: pg.PoolConfig = {}) {
  const { place, drop } = await makeDatabase('pg')
  const asked: string[] = []
  const pool = new pg.Pool({ connectionString: place.url, max: 1, ...config })
  // Before the dialect's own listener, so this records what goes over the wire.
  pool.on('connect', (client) => {
    const query = client.query as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(...args: [string | { text: string }, ...unknown[]]) {
        asked.push(typeof args[0] === 'string' ? args[0] : args[0].text)
        return query.apply(client, args)
      },
    })
  })
  const db = new Kysely<unknown>({ dialect: postgresDialect(pool, options) })
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  await migrate(db)
  return { db, asked }
}

describe.skipIf(!isHere)('a write in a request is a transaction, which ends before its deadline', () => {
  /** Logs a user in, and returns the statements that change something, and those around them. */
  async function login(isTogether: boolean): Promise<unknown[]> {
    const { db, asked } = await recorded()
    const users = createKyselyUserStore({ db })
    const beside = isTogether ? { userStore: users } : {}
    const { app, send } = await testAppOn({ users, sessions: createKyselySessionStore({ db, ...beside }) })
    onTestFinished(() => app.close())
    const password = { password: goodPassword, confirm_password: goodPassword }
    await send('POST', '/user/', { username: 'ada', email: 'ada@example.com', ...password })
    asked.length = 0
    const { statusCode } = await send('POST', '/login/', { username: 'ada', password: goodPassword })
    expect(statusCode).toBe(200)
    return asked.map(verbOf).filter((verb) => verb !== 'select')
  }

  test('one for a login, if one store has users and sessions', async () => {
    expect(await login(true)).toEqual(['begin', 'update', 'insert', 'commit'])
  })

  test('two, if not', async () => {
    expect(await login(false)).toEqual(['begin', 'update', 'commit', 'begin', 'insert', 'commit'])
  })
})

describe.skipIf(!isHere)('connection timeouts', () => {
  /** The settings of a new connection, and what `inspect` reports. */
  async function limitsOf(
    options: PostgresOptions,
    { setUp, config }: { setUp?: (name: string) => string; config?: pg.PoolConfig } = {},
  ) {
    const { place, drop } = await makeDatabase('pg')
    const admin = new pg.Client(place.url)
    await admin.connect()
    if (setUp) await admin.query(setUp(new URL(place.url).pathname.slice(1)))
    await admin.end()
    const db = new Kysely<unknown>({
      dialect: postgresDialect(new pg.Pool({ connectionString: place.url, max: 1, ...config }), options),
    })
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    const values: string[] = []
    for (const name of names) {
      const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
      values.push(rows[0]?.value ?? '')
    }
    await migrate(db)
    const found = await createKyselyUserStore({ db }).inspect?.(5000)
    await db.destroy()
    await drop()
    return { values, found: found?.map((line) => line.split(':')[0]) }
  }

  test("are below the client's deadlines", async () => {
    expect(await limitsOf({})).toEqual({ values: ['3500ms', '3s', '10s'], found: [] })
    expect(await limitsOf({ statementTimeout: 600 })).toEqual({
      values: ['600ms', '300ms', '10s'],
      found: [],
    })
  })

  test('already set by the database or the pool are kept', async () => {
    const setUp = (name: string) => `alter database ${name} set lock_timeout = '1s'`
    expect(await limitsOf({}, { setUp, config: { statement_timeout: 2000 } })).toEqual({
      values: ['2s', '1s', '10s'],
      found: [],
    })
  })

  test('are reported missing or too long', async () => {
    const off = 'is off'
    expect(await limitsOf({ statementTimeout: false })).toEqual({
      values: ['0', '0', '0'],
      found: [
        `idle_in_transaction_session_timeout ${off}`,
        `lock_timeout ${off}`,
        `statement_timeout ${off}`,
      ].sort(),
    })
    const long = 'ms, not below the 5000 ms of adapterTimeout'
    expect((await limitsOf({ statementTimeout: 6000 })).found).toEqual([
      `lock_timeout is 5500 ${long}`,
      `statement_timeout is 6000 ${long}`,
    ])
  })

  test('that are not numbers are rejected', () => {
    for (const statementTimeout of [0, 0.5, true as never]) {
      expect(() => postgresDialect(new pg.Pool(), { statementTimeout })).toThrow(
        'statementTimeout must be a whole number of milliseconds, at least 1, or false',
      )
    }
  })
})
