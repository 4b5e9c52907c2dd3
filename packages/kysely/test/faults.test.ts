import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
  mysqlDialect,
  postgresDialect,
} from '@fastify-accounts/kysely'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import {
  connect,
  driversHere,
  makeDatabase,
  openSqlite,
  type Place,
  runSql,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { newPendingMail } from '@fastify-accounts/testing'
import {
  ContendedError,
  callBefore,
  createMemoryThrottleStore,
  RefusedError,
  UnavailableError,
  type User,
} from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { PGliteDialect } from 'kysely-pglite-dialect'
import SqliteFile from 'libsql'
import { createPool } from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { driverError, faultySqlite } from './support/faulty.js'
import { newSession, newUser } from './support/users.js'

const contended = [
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  '40001',
  '40P01',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
]
const broken: unknown[] = [
  driverError('ECONNREFUSED'),
  driverError('57P01'),
  driverError('PROTOCOL_CONNECTION_LOST'),
  new Error('no code'),
  'not even an error',
]

async function faultyStores() {
  const faulty = faultySqlite()
  await migrate(faulty.db)
  const users = createKyselyUserStore({ db: faulty.db })
  const sessions = createKyselySessionStore({ db: faulty.db, userStore: users })
  return { ...faulty, users, sessions, update: sessions.withUsers?.update ?? expect.fail() }
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => expect.fail(`returned ${String(value)}`),
    (error: unknown) => error,
  )
}

describe('a statement that the engine rolled back', () => {
  test.each(contended)('is retried: %s', async (code) => {
    const { users, failNext, tried } = await faultyStores()
    failNext(driverError(code), driverError(code))
    const user = await users.create(newUser('ada'))
    expect(tried()).toBe(3)
    expect(await users.list({ limit: 10 })).toEqual([user])

    failNext(driverError(code))
    expect(await users.update(user.id, { resetEpoch: 1 }, 1)).toMatchObject({ version: 2 })
  })

  test('is given up at the deadline, as contention, and the store works again afterwards', async () => {
    const { sessions, failNext, tried } = await faultyStores()
    failNext(...Array.from({ length: 10_000 }, () => driverError('40001')))
    const creation = callBefore(performance.now() + 3000, () => sessions.create(newSession('s1')))
    expect(await failure(creation)).toBeInstanceOf(ContendedError)
    expect(tried()).toBeGreaterThan(5)
    failNext()
    expect(await sessions.find('s1')).toBeNull()
    await sessions.create(newSession('s1'))
  })

  test('may still meet a key that is free by now, or a unique index of the app, however often it collided', async () => {
    const collisions = Array.from({ length: 7 }, () => driverError('40001'))
    async function createAfter(username: string, duplicates: number): Promise<unknown> {
      const { users, failNext } = await faultyStores()
      failNext(
        ...collisions,
        ...Array.from({ length: duplicates }, () => driverError('SQLITE_CONSTRAINT_UNIQUE')),
      )
      return users.create(newUser(username)).catch((error: unknown) => error)
    }
    expect(await createAfter('ada', 1)).toMatchObject({ username: 'ada' })
    expect(await createAfter('ada', 100)).toBeInstanceOf(RefusedError)
  })
})

describe('a statement with an unknown outcome', () => {
  test.each(broken)('is not retried, and the error text is not exposed: %s', async (thrown) => {
    const { users, failNext, tried } = await faultyStores()
    failNext(thrown)
    const error = await failure(users.create(newUser('ada')))
    expect(error).toBeInstanceOf(UnavailableError)
    expect(String(error)).toBe('UnavailableError: the database failed')
    expect(error).toHaveProperty('cause', thrown)
    expect(tried()).toBe(1)
    await users.create(newUser('ada'))
  })
})

describe('a migration', () => {
  test("that can't be rolled back either reports the original error", async () => {
    const { db, failOn } = faultySqlite()
    failOn(/^create table if not exists "accounts_users"|^rollback/)
    const error = await failure(migrate(db))
    expect(error).toBeInstanceOf(UnavailableError)
    expect(error).toMatchObject({ cause: { code: 'SQLITE_IOERR' } })
  })

  test('that fails leaves nothing behind on SQLite', async () => {
    const { db, failOn } = faultySqlite()
    failOn(/^create table if not exists "accounts_sessions"/)
    expect(await failure(migrate(db))).toBeInstanceOf(UnavailableError)
    expect(await db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([])
  })
})

describe('a change of a user and their sessions', () => {
  test('is retried as a whole', async () => {
    const { users, sessions, update, failNext } = await faultyStores()
    const { id } = await users.create(newUser('ada'))
    const create = newSession('s1', { userId: id })
    failNext(driverError('SQLITE_BUSY'))
    const written = await update(id, { lastLoginAt: new Date(0) }, 1, [], { create })
    expect(written).toEqual({ user: await users.findById(id), isChanged: false, count: 1 })
    expect(written?.user).toMatchObject({ version: 2, lastLoginAt: new Date(0) })
    expect(await sessions.listByUser(id)).toEqual([create])
  })

  test('is not applied at all if a session can be changed but the new one not created', async () => {
    const { db, users, sessions, update, failNext } = await faultyStores()
    const ada = await users.create(newUser('ada'))
    const [own, create] = [newSession('own', { userId: ada.id }), newSession('new', { userId: ada.id })]
    await sessions.create(own)
    await sql
      .raw(`create trigger full before insert on accounts_sessions begin select raise(abort, 'no room'); end`)
      .execute(db)
    const change = { id: 'own', from: own, changes: { generation: 1 } }
    const both = () => update(ada.id, { passwordHash: 'new' }, 1, [], { create, change })
    expect(await failure(both())).toBeInstanceOf(RefusedError)
    expect(await users.findById(ada.id)).toEqual(ada)
    expect(await sessions.listByUser(ada.id)).toEqual([own])
    await sql`drop trigger full`.execute(db)
    // Run again from the start, it changes the session once.
    failNext(driverError('SQLITE_BUSY'))
    expect(await both()).toMatchObject({ isChanged: true, count: 2 })
    expect(await sessions.find('own')).toEqual({ ...own, generation: 1 })
  })

  test.each(['insert on', 'delete on'])(
    'is not applied at all if it fails before %s a row',
    async (event) => {
      const { db, users, sessions, update } = await faultyStores()
      const ada = await users.create(newUser('ada'))
      const [old, create] = [newSession('old', { userId: ada.id }), newSession('new', { userId: ada.id })]
      await sessions.create(old)
      await sql
        .raw(
          `create trigger full before ${event} accounts_sessions begin select raise(abort, 'no room'); end`,
        )
        .execute(db)
      const change = () => update(ada.id, { passwordHash: 'new' }, 1, [], { create, deleteOthers: true })
      expect(await failure(change())).toBeInstanceOf(RefusedError)
      expect(await users.findById(ada.id)).toEqual(ada)
      expect(await sessions.listByUser(ada.id)).toEqual([old])
      await sql`drop trigger full`.execute(db)
      expect(await change()).toMatchObject({ count: 1 })
      expect(await sessions.listByUser(ada.id)).toEqual([create])
    },
  )
})

describe('a unique key conflict', () => {
  test('with a user deleted a moment later is resolved: the creation is retried', async () => {
    const { users, failNext } = await faultyStores()
    failNext(driverError('SQLITE_CONSTRAINT_UNIQUE'))
    const user = await users.create(newUser('ada', { email: null, emailKey: null }))
    expect(await users.list({ limit: 10 })).toEqual([user])
  })

  test('is unavailable if looking up the conflicting user fails', async () => {
    const { users, failNext } = await faultyStores()
    failNext(driverError('SQLITE_CONSTRAINT_UNIQUE'), driverError('ECONNRESET'))
    expect(await failure(users.create(newUser('ada')))).toBeInstanceOf(UnavailableError)
  })
})

describe('every method throws "unavailable" and reveals nothing else', () => {
  const session = newSession('s1')
  const times = { lastSeenAt: session.lastSeenAt, expiresAt: session.expiresAt }
  const claim = { now: new Date(), until: new Date(Date.now() + 1000), limit: 5 }
  type Stores = Awaited<ReturnType<typeof faultyStores>>
  const calls: Record<string, (stores: Stores) => Promise<unknown>> = {
    'users.create': ({ users }) => users.create(newUser('ada')),
    'users.findById': ({ users }) => users.findById('id'),
    'users.findByUsername': ({ users }) => users.findByUsername('ada'),
    'users.findByEmail': ({ users }) => users.findByEmail('ada'),
    'users.list, first page': ({ users }) => users.list({ limit: 1 }),
    'users.list, next page': ({ users }) =>
      users.list({ limit: 1, after: { createdAt: new Date(), id: 'id', usernameKey: 'ada' } }),
    'users.list, searched': ({ users }) =>
      users.list({ limit: 1, search: { text: 'ada', fields: ['name'] } }),
    'users.update': ({ users }) => users.update('id', {}, 1),
    'users.delete': ({ users }) => users.delete('id'),
    'outbox.claim': async ({ users }) => users.outbox?.claim({ ...claim, realms: ['accounts'] }),
    'outbox.claim of two realms': async ({ users }) =>
      users.outbox?.claim({ ...claim, realms: ['accounts', 'staff'] }),
    'outbox.split': async ({ users }) => users.outbox?.split({ id: 'm1', claim: 'c1' }, [newPendingMail()]),
    'outbox.count': async ({ users }) => users.outbox?.count('accounts'),
    'outbox.realms': async ({ users }) => users.outbox?.realms?.(),
    'outbox.oldestDue': async ({ users }) => users.outbox?.oldestDue?.('accounts'),
    'sessions.withUsers.update': ({ update }) => update('id', {}, 1, [], { create: session }),
    'sessions.create': ({ sessions }) => sessions.create(session),
    'sessions.find': ({ sessions }) => sessions.find('s1'),
    'sessions.touch': ({ sessions }) => sessions.touch('s1', times),
    'sessions.change': ({ sessions }) => sessions.change('s1', session, { generation: 1 }),
    'sessions.now': async ({ sessions }) => sessions.now?.(),
    'sessions.delete': ({ sessions }) => sessions.delete('s1'),
    'sessions.listByUser': ({ sessions }) => sessions.listByUser('ada'),
    'sessions.deleteByUser': ({ sessions }) => sessions.deleteByUser('ada'),
    'sessions.deleteByUser but one': ({ sessions }) => sessions.deleteByUser('ada', 's1'),
    'sessions.deleteExpired': ({ sessions }) => sessions.deleteExpired(new Date()),
  }
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const stores = await faultyStores()
    stores.failNext(driverError('ECONNRESET'))
    const error = await failure(call(stores))
    expect(error).toBeInstanceOf(UnavailableError)
    expect(String(error)).not.toMatch(/insert|10\.0|s3cret/)
    await call(stores)
  })
})

const drivers = await driversHere()
const sqlites = drivers.filter(({ engine }) => engine === 'sqlite')

describe.each(sqlites)('a SQLite file locked by another process: $title', ({ name }) => {
  test('can still be read; writes are unavailable until the lock is released', async () => {
    const database = await makeDatabase(name)
    const db = await connect(database.place)
    await migrate(db)
    await sql`pragma busy_timeout = 10`.execute(db)
    const store = createKyselyUserStore({ db, destroyOnClose: true })
    const ada = await store.create(newUser('ada'))

    const other = await openSqlite(name, database.place.url)
    other.exec('begin immediate')
    expect(await store.findById(ada.id)).toEqual(ada)
    const refusal = await failure(store.create(newUser('bob')))
    expect(refusal).toBeInstanceOf(UnavailableError)
    expect(refusal).toMatchObject({ cause: { code: expect.stringMatching(/^SQLITE_BUSY/) } })
    // With nothing to do, it only reads; under another name it would have to create tables.
    expect(await migrate(db)).toEqual([])
    const elsewhere = { tables: { migrations: 'others' } }
    expect(await failure(migrate(db, elsewhere))).toBeInstanceOf(UnavailableError)
    other.exec('rollback')

    await store.create(newUser('bob'))
    other.close()
    await store.close?.()
    await database.drop()
  })
})

test('a closed PGlite is unavailable', async () => {
  const pglite = new PGlite()
  const db = new Kysely<unknown>({ dialect: new PGliteDialect(pglite) })
  await migrate(db)
  await pglite.close()
  expect(await failure(createKyselyUserStore({ db }).create(newUser('ada')))).toBeInstanceOf(UnavailableError)
  expect(await failure(migrate(db))).toBeInstanceOf(UnavailableError)
})

describe('a write that hit a lock on a SQLite file', () => {
  test.each(['a statement', 'a transaction'])(
    'leaves nothing that rolls back later writes: %s',
    async (unit) => {
      const database = await makeDatabase('libsql')
      const db = await connect(database.place)
      await migrate(db)
      await sql`pragma busy_timeout = 10`.execute(db)
      const other = new SqliteFile(database.place.url)
      const store = createKyselyUserStore({ db })
      const ada = await store.create(newUser('ada'))
      const write = sql`update accounts_users set fields = '{}' where id = ${ada.id} returning id`

      other.exec('begin immediate')
      const locked =
        unit === 'a statement' ? write.execute(db) : db.transaction().execute((tx) => write.execute(tx))
      await expect(locked).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
      other.exec('rollback')

      const bob = await store.create(newUser('bob'))
      const seen = createKyselyUserStore({ db: await connect(database.place), destroyOnClose: true })
      expect(await seen.findById(bob.id)).toEqual(bob)
      await write.execute(db)
      expect(await store.findById(bob.id)).toEqual(bob)
      other.close()
      await seen.close?.()
      await db.destroy()
      await database.drop()
    },
  )
})

const servers = drivers.filter(({ name }) => name === 'pg' || name === 'mysql2')

test.each([0, -1, 1.5, Number.NaN])('a queryTimeout of %s is rejected', (queryTimeout) => {
  const pool = createPool({})
  expect(() => mysqlDialect(pool, { queryTimeout })).toThrow(TypeError)
  pool.end()
})

describe('a server', () => {
  test("that isn't listening is unavailable", async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1, password: 's3cret' })
    const db = new Kysely<unknown>({ dialect: postgresDialect(pool) })
    for (const call of [() => migrate(db), () => createKyselyUserStore({ db }).findById('id')]) {
      const error = await failure(call())
      expect(error).toBeInstanceOf(UnavailableError)
      expect(String(error)).toBe('UnavailableError: the database failed')
    }
    await db.destroy()
  })

  test.each(servers)(
    'that drops its connections is available again without a restart: $title',
    async ({ name, engine }) => {
      const database = await makeDatabase(name)
      const db = await connect(database.place, 2)
      await migrate(db)
      const store = createKyselyUserStore({ db, destroyOnClose: true })
      const ada = await store.create(newUser('ada'))
      await Promise.all([store.findById(ada.id), store.findById(ada.id)])

      await cutOthers(engine, database.place)
      // How many calls hit a dead connection depends on the driver; each reports it, then it's over.
      const find = () => store.findById(ada.id).catch((error: unknown) => error)
      await vi.waitFor(async () => {
        const found = await find()
        if (found instanceof Error) expect(found).toBeInstanceOf(UnavailableError)
        expect(found).toEqual(ada)
      }, 60_000)
      await store.close?.()
      await database.drop()
    },
  )
})

// As docs/guides/failover.md tries it.
test.skipIf(!servers.some(({ name }) => name === 'pg'))(
  'FLT-32 a PostgreSQL that was read-only for a while is written to again without a restart',
  async () => {
    const connections = 4
    const database = await makeDatabase('pg')
    const db = await connect(database.place, connections)
    await migrate(db)
    const users = createKyselyUserStore({ db, destroyOnClose: true })
    const sessions = createKyselySessionStore({ db, userStore: users })
    const ada = await users.create(newUser('ada'))
    const readOnly = (state: string) =>
      runSql(
        database.place,
        'set default_transaction_read_only = off',
        `do $$ begin execute format('alter database %I ${state}', current_database()); end $$`,
      )
    const read = () => users.findById(ada.id).catch((error: unknown) => error)
    const write = async () => {
      const at = new Date()
      return sessions.touch('of nobody', { lastSeenAt: at, expiresAt: at }).catch((error: unknown) => error)
    }
    /** As many at a time as there are connections, so each of them is used. */
    const all = <T>(call: () => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: connections }, call))

    await readOnly('set default_transaction_read_only = on')
    await cutOthers('postgres', database.place)
    await vi.waitFor(async () => expect(await all(read)).toEqual(Array(connections).fill(ada)), 60_000)
    for (const failed of await all(write)) expect(failed).toBeInstanceOf(UnavailableError)
    expect(await all(read)).toEqual(Array(connections).fill(ada))

    await readOnly('reset default_transaction_read_only')
    // A connection from before is closed at its first write, which fails; the one in its place can write.
    await all(write)
    for (let turn = 0; turn < 3; turn += 1) expect(await all(write)).toEqual(Array(connections).fill(false))
    await users.close?.()
    await database.drop()
  },
)

const readOnlyErrors = [
  { errno: 1290, name: 'ER_OPTION_PREVENTS_STATEMENT' },
  { errno: 1792, name: 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION' },
  { errno: 1836, name: 'ER_READ_ONLY_MODE' },
]

describe.skipIf(!servers.some(({ name }) => name === 'mysql2'))('after a failover of MariaDB', () => {
  test.each(readOnlyErrors)(
    'FLT-32 connections to a server that became read-only are replaced: $name',
    async ({ errno }) => {
      const connections = 4
      const database = await makeDatabase('mysql2')
      const pool = createPool({ uri: database.place.url, connectionLimit: connections })
      const db = new Kysely<unknown>({ dialect: mysqlDialect(pool) })
      await migrate(db)
      const users = createKyselyUserStore({ db, destroyOnClose: true })
      const ada = await users.create(newUser('ada'))
      const read = () => users.findById(ada.id)
      const all = <T>(call: () => Promise<T>): Promise<T[]> =>
        Promise.all(Array.from({ length: connections }, call))
      const write = async () =>
        (await users.findById(ada.id).then((user) => user && users.update(user.id, {}, user.version))) !==
        undefined
      await all(read)
      const { rows } = await sql<{ id: number }>`select max(id) as id from information_schema.processlist
        where db = database()`.execute(db)
      // As if the connections until now were to the old server.
      await runSql(
        database.place,
        `create trigger old_server before update on accounts_users for each row
         begin if connection_id() <= ${rows[0]?.id} then
           signal sqlstate 'HY000' set mysql_errno = ${errno}, message_text = 'read-only';
         end if; end`,
      )
      expect(await failure(write())).toBeInstanceOf(UnavailableError)
      // Those that only read are closed after it as well.
      expect(await all(read)).toEqual(Array(connections).fill(ada))
      for (let turn = 0; turn < 8; turn += 1) expect(await write()).toBe(true)
      await users.close?.()
      await database.drop()
    },
  )
})

async function cutOthers(engine: Engine, place: Place): Promise<void> {
  const admin = await connect(place, 1)
  if (engine === 'postgres') {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(admin)
  } else {
    const { rows } = await sql<{ id: number }>`select id from information_schema.processlist
      where db = database() and id <> connection_id()`.execute(admin)
    for (const { id } of rows) await sql`kill ${sql.lit(id)}`.execute(admin)
  }
  await admin.destroy()
}

/** A service on these stores, with a user who can log in. */
async function serviceOn(db: Kysely<unknown>) {
  const users = createKyselyUserStore({ db })
  const stores = {
    users,
    sessions: createKyselySessionStore({ db, userStore: users }),
    throttle: createMemoryThrottleStore(),
  }
  const service = await startService(stores)
  const scene = await setScene(service)
  const { send, cookie, fresh } = scene
  const form = { new_password: otherPassword, confirm_password: otherPassword }
  return {
    ...scene,
    close: () => service.app.close(),
    me: () => scene.whoIs(cookie),
    change: () =>
      send({
        method: 'POST',
        url: '/change-password/',
        headers: { cookie },
        payload: { old_password: goodPassword, ...form },
      }),
    signUp: () =>
      send({
        method: 'POST',
        url: '/user/',
        payload: { ...fresh, password: goodPassword, confirm_password: goodPassword },
      }),
  }
}
type TestService = Awaited<ReturnType<typeof serviceOn>>

/** While nothing can be written: sessions stay valid, and every change returns 503. */
async function expectReadable({ name, me, change, signUp, logIn }: TestService): Promise<void> {
  for (const response of [await logIn(goodPassword), await change(), await signUp()]) {
    expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    expect(response.cookies).toEqual([])
  }
  expect((await logIn(otherPassword)).json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  expect(await me()).toBe(name)
}

/** Afterwards: the last acknowledged password is the password, and every change works. */
async function expectWell({ me, change, signUp, logIn, fresh }: TestService): Promise<void> {
  expect((await logIn(goodPassword)).statusCode).toBe(200)
  expect((await signUp()).statusCode).toBe(201)
  expect((await change()).statusCode).toBe(204)
  expect(await me()).toBeNull()
  expect((await logIn(goodPassword)).statusCode).toBe(401)
  expect((await logIn(otherPassword)).statusCode).toBe(200)
  expect((await logIn(goodPassword, fresh.username)).statusCode).toBe(200)
}

describe('a service on a SQLite file', () => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let service: TestService
  beforeEach(async () => {
    database = await makeDatabase('libsql')
    db = await connect(database.place)
    await migrate(db)
    service = await serviceOn(db)
  })
  afterEach(async () => {
    await service.close()
    await db.destroy()
    await database.drop()
  })
  const pragma = (text: string) => sql.raw<Record<string, number>>(`pragma ${text}`).execute(db)

  test('FLT-13 a file that another process locks for longer than the busy timeout', async () => {
    await pragma('busy_timeout = 10')
    const holder = fork(fileURLToPath(new URL('support/hold-sqlite.mjs', import.meta.url)), [
      database.place.url,
    ])
    await once(holder, 'message')
    await expectReadable(service)
    holder.kill()
    await once(holder, 'exit')
    await expectWell(service)
  })

  test('FLT-13 a file that became read-only', async () => {
    const { accounts } = service.service.app
    await pragma('query_only = on')
    await expectReadable(service)
    expect(await accounts.check()).toMatchObject({
      ok: false,
      users: { state: 'unavailable' },
      sessions: { state: 'unavailable' },
    })
    await pragma('query_only = off')
    await expectWell(service)
    // A result is reused for a second.
    await vi.waitFor(async () => expect(await accounts.check()).toMatchObject({ ok: true }), 60_000)
  })

  test('FLT-13 a file on a full disk', async () => {
    const { users } = service.service.stores
    const [pages] = (await pragma('page_count')).rows
    await pragma(`max_page_count = ${pages?.page_count}`)
    const made: User[] = []
    const fill = (length: number) =>
      failure(
        (async () => {
          for (;;)
            made.push(
              await users.create(newUser(`user-${made.length}`, { fields: { bulk: 'x'.repeat(length) } })),
            )
        })(),
      )
    // Free space in the last page is used first: by long rows, then by the shortest.
    await fill(500)
    const full = await fill(0)
    expect(full).toMatchObject({ name: 'UnavailableError', cause: { code: 'SQLITE_FULL' } })
    expect((await service.signUp()).json().code).toBe('ACCOUNTS_UNAVAILABLE')
    expect(await service.me()).toBe(service.name)
    for (const user of made) expect(await users.findById(user.id)).toEqual(user)

    await pragma('max_page_count = 1000000')
    await expectWell(service)
  })
})

const contentions = [
  { driver: 'pg', error: '40001', raise: `raise exception 'no' using errcode = '40001'` },
  { driver: 'mysql2', error: '1213', raise: `signal sqlstate '40001' set mysql_errno = 1213` },
  { driver: 'mysql2', error: '1205', raise: `signal sqlstate 'HY000' set mysql_errno = 1205` },
] as const

describe.each(contentions.filter(({ driver }) => servers.some(({ name }) => name === driver)))(
  'a service on $driver whose updates fail with error $error',
  ({ driver, raise }) => {
    let database: TestDatabase
    let db: Kysely<unknown>
    let service: TestService
    beforeEach(async () => {
      database = await makeDatabase(driver)
      // One connection: on MySQL it keeps the count of remaining failures.
      db = await connect(database.place, 1)
      await migrate(db)
      service = await serviceOn(db)
    })
    afterEach(async () => {
      await service.close()
      await db.destroy()
      await database.drop()
    })

    const run = (text: string) => sql.raw(text).execute(db)

    /** Makes this many updates fail in the engine; the counter survives the rollback. */
    async function failNext(count: number): Promise<void> {
      if (driver === 'mysql2') {
        await run(`set @failures = ${count}`)
        await run(`create trigger failing before update on accounts_users for each row begin
          if @failures > 0 then set @failures = @failures - 1; ${raise}; end if; end`)
      } else {
        await run('create sequence tries')
        await run(`create function fail() returns trigger language plpgsql as $$ begin
          if nextval('tries') <= ${count} then ${raise}; end if; return new; end $$`)
        await run(`create trigger failing before update on accounts_users
          for each row execute function fail()`)
      }
    }

    test('FLT-13 an update that fails a few times is retried and succeeds', async () => {
      await failNext(3)
      await expectWell(service)
    })

    test('FLT-13 an update that always collides: 503 at the deadline, and nothing is half-applied', async () => {
      await failNext(1_000_000)
      for (const response of [await service.logIn(goodPassword), await service.change()]) {
        expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
        expect(response.cookies).toEqual([])
      }
      expect(await service.me()).toBe(service.name)
      await run(driver === 'mysql2' ? 'drop trigger failing' : 'drop trigger failing on accounts_users')
      await expectWell(service)
    })
  },
)
