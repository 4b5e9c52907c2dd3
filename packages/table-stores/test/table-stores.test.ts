import { driversHere, runSql, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { makeTables, openSql, storesOn } from '@fastify-accounts/test-support/tables/open-tables'
import { type Sql, sqlTables, type Tables } from '@fastify-accounts/test-support/tables/sql-tables'
import { newPendingMail, newSession, newUser } from '@fastify-accounts/testing'
import {
  ContendedError,
  callBefore,
  createMemoryUserStore,
  RefusedError,
  UnavailableError,
} from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInvitationStore, createTableSessionStore, createTableUserStore } from '../src/index.js'

const drivers = await driversHere(['libsql', 'pg', 'mysql2'])

describe.each(drivers)('stores on tables: $title', ({ name: driver, engine }) => {
  let database: TestDatabase
  let sql: Sql
  let tables: Tables

  beforeEach(async () => {
    database = await makeTables(driver)
    sql = await openSql(database.place)
    tables = sqlTables(sql)
  })
  afterEach(async () => {
    await sql.close()
    await database.drop()
  })

  const run = (...statements: string[]) => runSql(database.place, ...statements)
  /** The stores with some functions of the user table replaced. */
  const storeWith = (users: Partial<Tables['users']>) => createTableUserStore({ ...tables.users, ...users })

  test('a commit that would come after the deadline is rolled back', async () => {
    const deadline = performance.now() + 200
    const store = storeWith({
      async insert(tx, row) {
        await tables.users.insert(tx, row)
        while (performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
      },
    })
    const late = newUser()
    const call = callBefore(deadline, () => store.create(late, [newPendingMail()]))
    await expect(call).rejects.toThrow(new UnavailableError('the database did not respond in time'))
    expect(await store.findByUsername(`${late.usernameKey}`)).toBeNull()
    expect(await store.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test.skipIf(engine === 'sqlite')('a connection that is lost within a change leaves nothing', async () => {
    const lose = {
      postgres: 'SELECT pg_terminate_backend(pg_backend_pid())',
      mysql: 'KILL CONNECTION_ID()',
      sqlite: '',
    }[engine]
    let losses = 0
    const store = storeWith({
      async insert(tx, row) {
        await tables.users.insert(tx, row)
        losses += 1
        if (losses === 1) await tx.rows(lose, [])
      },
    })
    const user = newUser()
    await expect(store.create(user, [newPendingMail()])).rejects.toThrow(UnavailableError)
    expect([losses, await store.findByUsername(`${user.usernameKey}`)]).toEqual([1, null])
    expect(await store.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
    await store.create(user, [newPendingMail()])
    expect(await store.outbox?.count()).toEqual({ waiting: 1, dead: 0 })
  })

  test('what the author calls retryable is tried again, and nothing else', async () => {
    let calls = 0
    const failing = (error: Error, isRetryable?: (error: unknown) => boolean) =>
      storeWith({
        isRetryable,
        async insert(tx, row) {
          calls += 1
          await tables.users.insert(tx, row)
          if (calls < 3) throw error
        },
      })
    const busy = new Error('busy: INSERT … VALUES (secret)')
    const refused = await failing(busy)
      .create(newUser())
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'UnavailableError', message: 'the database failed', cause: busy })
    calls = 0
    await failing(busy, (error) => error === busy).create(newUser())
    expect(calls).toBe(3)
    calls = 0
    // An ORM wraps what the driver throws.
    await failing(new Error('failed', { cause: Object.assign(new Error(), { code: '40P01' }) })).create(
      newUser(),
    )
    expect(calls).toBe(3)
  })

  test('a conflict that never ends is contention once the deadline comes', async () => {
    const attempts: number[] = []
    const store = storeWith({
      insert() {
        attempts.push(performance.now())
        return Promise.reject(Object.assign(new Error('busy'), { code: '40001' }))
      },
    })
    const deadline = performance.now() + 300
    await expect(callBefore(deadline, () => store.create(newUser()))).rejects.toThrow(ContendedError)
    expect(attempts.length).toBeGreaterThan(1)
    expect(attempts.at(-1)).toBeLessThan(deadline)
  })

  test('a unique index of the app is a rule that refuses, not a taken key', async () => {
    await run(
      `CREATE UNIQUE INDEX one_epoch ON users (${engine === 'mysql' ? '`resetEpoch`' : '"resetEpoch"'})`,
    )
    const store = storeWith({})
    await store.create(newUser())
    await expect(store.create(newUser())).rejects.toThrow(RefusedError)
    await expect(store.createMany?.([newUser()])).rejects.toThrow(RefusedError)
  })

  test('an import finds who was faster', async () => {
    const faster = newUser({ identityKeys: ['oidc:a'] })
    let isFirst = true
    const store = storeWith({
      async insert(tx, row) {
        if (isFirst) {
          isFirst = false
          throw Object.assign(new Error('a deadlock'), { code: 'ER_LOCK_DEADLOCK' })
        }
        await tables.users.insert(tx, row)
      },
    })
    const holder = await storeWith({}).create(faster)
    const outcomes = await store.createMany?.([faster, newUser({ identityKeys: ['oidc:a'] })])
    expect(outcomes).toEqual([
      { taken: 'username', holder },
      { taken: 'identity', holder },
    ])
  })

  test('a row that somebody has damaged is an error that doesn’t quote it', async () => {
    const { users, sessions, invitations } = storesOn(tables)
    // The plugin compares them.
    expect(invitations.outbox).toBe(users.outbox)
    const { id } = await users.create(newUser())
    const session = newSession({ userId: id })
    await sessions.create(session)
    await run(`UPDATE users SET fields = '{secret'`)
    const text = 'the column fields of a row is unreadable'
    await expect(users.findById(id)).rejects.toThrow(new UnavailableError(text))
    await expect(sessions.withUsers?.find(session.id)).rejects.toThrow(text)
    await run(`UPDATE users SET fields = '{}', kind = 'secret'`)
    await expect(users.findById(id)).rejects.toThrow('the column kind of a row is unreadable')
    await run(`UPDATE sessions SET methods = '{}'`)
    await expect(sessions.find(session.id)).rejects.toThrow('the column methods of a row is unreadable')
  })

  test('a database that takes two spellings for one finds only the exact one', async () => {
    const find: Tables['users']['find'] = (by, key, tx) => tables.users.find(by, key.toLowerCase(), tx)
    const store = storeWith({
      find,
      compareAndSwap: (tx, { id, version }, changes) =>
        tables.users.compareAndSwap(tx, { id: id.toLowerCase(), version }, changes),
      remove: (tx, id) => tables.users.remove(tx, id.toLowerCase()),
    })
    const user = await store.create(newUser({ identityKeys: ['oidc:a'] }))
    const other = user.id.toUpperCase()
    expect([
      await store.findById(other),
      await store.findByIdentity?.('OIDC:A'),
      await store.update(other, { isStaff: true }, 1),
      await store.delete(other),
    ]).toEqual([null, null, null, false])
    expect(await store.findById(user.id)).toEqual(user)
  })

  test('a session is found with its user in one query, if the author has one', async () => {
    const { users, sessions } = tables
    const userStore = createTableUserStore(users)
    let queries = 0
    const store = createTableSessionStore({
      ...sessions,
      userStore,
      async findWithUser(id) {
        queries += 1
        const session = await sessions.find(id)
        return session && { session, user: await users.find('id', `${session.userId}`) }
      },
    })
    const { credentials: _, identityKeys: _keys, notes: _notes, ...user } = await userStore.create(newUser())
    const session = newSession({ userId: user.id })
    await store.create(session)
    expect(await store.withUsers?.find(session.id)).toEqual({ session, user })
    expect(await store.withUsers?.find('nobody')).toBeNull()
    expect(queries).toBe(2)
  })

  test('expired sessions go in portions', async () => {
    const limits: number[] = []
    const store = createTableSessionStore({
      ...tables.sessions,
      async removeExpired(tx, before, limit) {
        limits.push(limit)
        return tables.sessions.removeExpired(tx, before, limit)
      },
    })
    const expired = { expiresAt: new Date(Date.now() - 1000) }
    await sql.transaction(async (tx) => {
      for (let count = 0; count < 501; count += 1) {
        const { details, methods, ...session } = newSession(expired)
        await tables.sessions.insert(tx, { ...session, details: null, methods: '[]' })
      }
    })
    expect([await store.deleteExpired(new Date()), limits]).toEqual([501, [500, 500]])
  })
})

describe('tables that are wrong stop the start', () => {
  const none = async () => null
  const table = {
    transaction: <Result>(work: (tx: null) => Promise<Result>) => work(null),
    find: none,
    insert: none,
    compareAndSwap: none,
    replaceIdentities: none,
    remove: none,
  }
  const invitations = { ...table, listByEmail: async () => [], page: async () => [], removeExpired: none }
  const sessions = { ...table, listByUser: async () => [], removeByUser: none, removeExpired: none }

  test.each<[object, string]>([
    [{ remove: undefined }, 'createTableUserStore: remove must be a function, got undefined'],
    [{ page: [] }, 'createTableUserStore: page must be a function, got object'],
    [{ now: null }, 'createTableUserStore: now must be a function, got null'],
    [{ outbox: {} }, 'createTableUserStore, outbox: insert must be a function, got undefined'],
  ])('%o', (wrong, text) => {
    expect(() => createTableUserStore({ ...table, ...wrong })).toThrow(new TypeError(text))
  })

  test('sessions', () => {
    const wrong: object = { find: 'no' }
    expect(() => createTableSessionStore({ ...sessions, ...wrong })).toThrow(
      new TypeError('createTableSessionStore: find must be a function, got string'),
    )
  })

  test('invitations', () => {
    const wrong: object = { page: undefined }
    expect(() => createTableInvitationStore({ ...invitations, ...wrong })).toThrow(
      new TypeError('createTableInvitationStore: page must be a function, got undefined'),
    )
  })

  test('users of another database', () => {
    const text = 'userStore must be a store of createTableUserStore with the same transaction function'
    for (const userStore of [
      createMemoryUserStore(),
      createTableUserStore({ ...table, transaction: (work) => work(null) }),
    ])
      for (const make of [
        () => createTableSessionStore({ ...sessions, userStore }),
        () => createTableInvitationStore({ ...invitations, userStore }),
      ])
        expect(make).toThrow(new TypeError(text))
    createTableSessionStore({ ...sessions, userStore: createTableUserStore(table) })
  })
})
