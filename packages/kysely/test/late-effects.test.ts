import { setTimeout as sleep } from 'node:timers/promises'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  migrate,
  mysqlDialect,
  postgresDialect,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import {
  connect,
  driversHere,
  makeDatabase,
  openSqlite,
  type Place,
  sqliteDrivers,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { openLine } from '@fastify-accounts/test-support/redis/proxy'
import { newPendingMail } from '@fastify-accounts/testing'
import type { InjectOptions } from 'fastify'
import { callBefore, createMemoryThrottleStore, UnavailableError } from 'fastify-accounts'
import { type Dialect, Kysely, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const engines = await driversHere([...sqliteDrivers, 'pg', 'mysql2'])

/** Milliseconds: longer than a healthy call takes, even on a busy machine. */
const adapterTimeout = 2000

/** What prevents a late effect after a 503: only the deadline, if the server is patient; otherwise the server. */
const watches = [
  ...engines.map((driver) => ({ ...driver, patience: 60_000 })),
  // Single statements, without a transaction.
  ...engines
    .filter(({ name }) => name === 'pg')
    .map((driver) => ({ ...driver, title: `${driver.title} that gives up first`, patience: 1000 })),
]

async function patientDialect({ driver, url }: Place, patience: number): Promise<Dialect> {
  switch (driver) {
    case 'pg':
      return postgresDialect(new pg.Pool({ connectionString: url, max: 10 }), { statementTimeout: patience })
    case 'mysql2':
      return mysqlDialect(createPool({ uri: url }), { queryTimeout: patience })
    default:
      return sqliteDialect(await openSqlite(driver, url))
  }
}

const tables = [
  'accounts_users',
  'accounts_identities',
  'accounts_sessions',
  'accounts_invitations',
  'accounts_activity',
  'accounts_organizations',
  'accounts_organization_members',
  'accounts_outbox',
]

const locks: Record<Engine, { take: string; free: string; busy: string | null }> = {
  sqlite: { take: 'begin immediate', free: 'rollback', busy: null },
  postgres: {
    take: `begin; lock table ${tables.join(', ')} in share row exclusive mode`,
    free: 'rollback',
    busy: `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and state <> 'idle'`,
  },
  mysql: {
    take: `lock tables ${tables.map((table) => `${table} read`).join(', ')}`,
    free: 'unlock tables',
    busy: `select id from information_schema.processlist where db = database() and id <> connection_id()
      and command <> 'Sleep'`,
  },
}

describe.each(watches)('a request that got a 503, on $title', ({ name, engine, patience }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let other: Kysely<unknown>
  beforeEach(async () => {
    database = await makeDatabase(name)
    db = new Kysely({ dialect: await patientDialect(database.place, patience) })
    other = await connect(database.place, 1)
    await migrate(db)
  })
  afterEach(async () => {
    await db.destroy()
    await other.destroy()
    await database.drop()
  })

  /** Resolves once the server runs nothing for any other connection. */
  async function atRest() {
    const { busy } = locks[engine]
    if (busy === null) return
    // MariaDB serves stale data if you look again within a tenth of a second.
    const pause = { timeout: 60_000, interval: 200 }
    await vi.waitFor(async () => expect((await sql.raw(busy).execute(other)).rows).toEqual([]), pause)
  }

  async function rows() {
    const all = []
    for (const table of tables)
      all.push((await sql`select * from ${sql.table(table)} order by 1`.execute(other)).rows)
    return all
  }

  test('FLT-18 a request that waited for a lock until its deadline has no effect, not even later', async () => {
    const userStore = createKyselyUserStore({ db })
    const sessionStore = createKyselySessionStore({ db, userStore })
    const stores = { users: userStore, sessions: sessionStore, throttle: createMemoryThrottleStore() }
    const service = await startService(stores, { adapterTimeout })
    const people = []
    for (let n = 0; n < 4; n += 1) people.push(await setScene(service))
    const [changing, renaming, leaving, idle] = people as [
      (typeof people)[0],
      (typeof people)[0],
      (typeof people)[0],
      (typeof people)[0],
    ]
    const before = await rows()

    await other.connection().execute(async (holder) => {
      for (const each of locks[engine].take.split('; ')) await sql.raw(each).execute(holder)
      const payload = {
        old_password: goodPassword,
        new_password: otherPassword,
        confirm_password: otherPassword,
      }
      const responses = await Promise.all([
        changing.send({
          method: 'POST',
          url: '/change-password/',
          headers: { cookie: changing.cookie },
          payload,
        }),
        renaming.send({
          method: 'PATCH',
          url: '/me/',
          headers: { cookie: renaming.cookie },
          payload: { username: 'renamed' },
        }),
        leaving.send({ method: 'DELETE', url: '/me/', headers: { cookie: leaving.cookie } }),
        idle.send({
          method: 'POST',
          url: '/user/',
          payload: { ...idle.fresh, password: goodPassword, confirm_password: goodPassword },
        }),
        idle.logIn(goodPassword),
      ])
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503, 503])
      // Requests that only read are served all along.
      expect(await idle.whoIs(idle.cookie)).toBe(idle.name)
      await sql.raw(locks[engine].free).execute(holder)
    })

    // After this, nothing is in flight on either side.
    await service.app.close()
    await Promise.all([userStore.close?.(), sessionStore.close?.()])
    await atRest()
    expect(await rows()).toEqual(before)
  })

  test('a claim of messages that waited for a lock until its deadline takes none, not even later', async () => {
    const { outbox, close } = createKyselyUserStore({ db })
    if (outbox === undefined) throw new Error('there is no outbox')
    await outbox.add([newPendingMail({ to: 'a@example.org' })])
    const before = await rows()
    await other.connection().execute(async (holder) => {
      for (const each of locks[engine].take.split('; ')) await sql.raw(each).execute(holder)
      const at = { realms: ['accounts'], now: new Date(), until: new Date(Date.now() + 60_000), limit: 5 }
      const deadline = performance.now() + adapterTimeout
      const claim = callBefore(deadline, () => outbox.claim(at))
      const refused = expect(claim).rejects.toThrow(UnavailableError)
      await sleep(adapterTimeout)
      await vi.waitFor(() => expect(performance.now()).toBeGreaterThan(deadline), 60_000)
      await sql.raw(locks[engine].free).execute(holder)
      await refused
    })
    await close?.()
    await atRest()
    expect(await rows()).toEqual(before)
  })
})

const servers = engines.filter(({ engine }) => engine !== 'sqlite')

describe.each(servers)('$title that stands still', ({ name }) => {
  test('FLT-18 a request that it found too late has no effect', async () => {
    const database = await makeDatabase(name)
    const line = await openLine(database.place.url)
    const db = new Kysely<unknown>({
      dialect: await patientDialect({ ...database.place, url: line.url }, 1000),
    })
    // Making a table on a busy machine can take longer than the service's connections wait.
    const owner = await connect(database.place, 1)
    await migrate(owner)
    await owner.destroy()
    const userStore = createKyselyUserStore({ db })
    const sessionStore = createKyselySessionStore({ db, userStore })
    const stores = { users: userStore, sessions: sessionStore, throttle: createMemoryThrottleStore() }
    const service = await startService(stores, { adapterTimeout })
    const scene = await setScene(service)
    const { cookie, fresh } = scene
    const password = { new_password: otherPassword, confirm_password: otherPassword }
    const requests: InjectOptions[] = [
      { url: '/change-password/', payload: { old_password: goodPassword, ...password } },
      { method: 'PATCH', url: '/me/', payload: { username: 'renamed' } },
      { url: '/user/', payload: { ...fresh, password: goodPassword, confirm_password: goodPassword } },
      { method: 'DELETE', url: '/me/' },
    ]
    for (const request of requests) {
      const before = await service.stores.users.findById(scene.user.id)
      const rows = await scene.rows()
      // The write finds the server standing still, which responded a moment ago.
      const response = await watch(
        (method, inner) => {
          if (/\.(create|update|delete)$/.test(method)) line.stall()
          return inner()
        },
        () =>
          service.send({
            method: 'POST',
            ...request,
            headers: { cookie },
            remoteAddress: scene.remoteAddress,
          }),
      )
      expect([request.url, response.statusCode]).toEqual([request.url, 503])
      await line.mend()
      // The next write of the same rows waits for those that came before.
      await vi.waitFor(() => service.stores.users.update(scene.user.id, { isActive: true }, 0), 60_000)
      await sleep(200)
      expect(await service.stores.users.findById(scene.user.id)).toEqual(before)
      expect(await scene.rows()).toEqual(rows)
      expect(await service.stores.users.findByUsername(fresh.username)).toBeNull()
    }
    await service.app.close()
    await db.destroy()
    await line.close()
    await database.drop()
  })
})

describe.each(engines.filter(({ name }) => name === 'pg'))('a lock on $title', ({ name }) => {
  test("FLT-18 a lock leaves no abandoned statement waiting in the server, and the pool doesn't grow", async () => {
    const database = await makeDatabase(name)
    const max = 4
    const pool = new pg.Pool({ connectionString: database.place.url, max, query_timeout: 700 })
    const db = new Kysely<unknown>({ dialect: postgresDialect(pool, { statementTimeout: 400 }) })
    const other = await connect(database.place, 2)
    await migrate(db)
    const users = createKyselyUserStore({ db })
    await other.transaction().execute(async (holder) => {
      await sql`lock table accounts_users in access exclusive mode`.execute(holder)
      for (let round = 0; round < 3; round += 1) {
        const calls = Array.from({ length: max }, () => users.findById('nobody'))
        for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected')
        const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
          and backend_type = 'client backend'`.execute(other)
        // Plus two: one holds the lock, one runs this query.
        expect(rows.length).toBeLessThanOrEqual(max + 2)
      }
    })
    expect(await users.findById('nobody')).toBeNull()
    await db.destroy()
    await other.destroy()
    await database.drop()
  })
})

const files = engines.filter(({ engine }) => engine === 'sqlite')

describe.each(files)('a file locked by another process, on $title', ({ name }) => {
  test('FLT-18 a locked file is waited for once, however many calls there are, and then again next time', async () => {
    const database = await makeDatabase(name)
    const file = await openSqlite(name, database.place.url)
    const other = await openSqlite(name, database.place.url)
    const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    await migrate(db)
    const sessions = createKyselySessionStore({ db })
    let waits = true
    const met: boolean[] = []
    const enough = 41
    const exec = file.exec.bind(file)
    Object.assign(file, {
      exec(text: string) {
        const timeout = /busy_timeout = (\d+)/.exec(text)?.[1]
        if (timeout !== undefined) waits = timeout !== '0'
        try {
          return exec(text)
        } catch (error) {
          met.push(waits)
          // At once: those who wait give up after a while.
          if (met.length === enough) other.exec('rollback')
          throw error
        }
      },
    })
    for (let turn = 0; turn < 2; turn += 1) {
      met.length = 0
      other.exec('begin immediate')
      const calls = Array.from({ length: 20 }, (_, n) => sessions.delete(`session-${n}`))
      expect(await Promise.all(calls)).not.toContain(true)
      expect(met.length).toBeGreaterThanOrEqual(enough)
      expect(met.filter(Boolean)).toHaveLength(1)
      expect(waits).toBe(true)
    }
    other.close()
    await db.destroy()
    await database.drop()
  })
})
