import { createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  connect,
  dialectFor,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import {
  ContendedError,
  callBefore,
  type ListingUserStore,
  UnavailableError,
  type User,
} from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newUser } from './support/users.js'

// Real locks, on servers. SQLite's are in faults.test.ts; PGlite has one connection, so nothing ever waits.
const drivers = await driversHere(['pg', 'mysql2'])
// A file without tests would fail.
if (drivers.length === 0) test.todo('needs a server: PostgreSQL or MariaDB')
describe.each(drivers)('another transaction of the host: $title', ({ name, engine }) => {
  let database: TestDatabase
  let host: Kysely<unknown>
  let db: Kysely<unknown>
  let store: ListingUserStore
  let ada: User
  /** The error codes that the store got from the engine. */
  let refused: unknown[]
  /** Resolves on the first of them. */
  let refusal: Promise<void>

  beforeEach(async () => {
    database = await makeDatabase(name)
    host = await connect(database.place)
    await migrate(host)
    await use(isolated)
    ada = await store.create(newUser('ada'))
  })
  afterEach(async () => {
    await db.destroy()
    await host.destroy()
    await database.drop()
  })

  /** The engine's shortest lock timeout. */
  const impatient =
    engine === 'mysql' ? 'set session innodb_lock_wait_timeout = 1' : "set lock_timeout = '50ms'"
  const isolated =
    engine === 'mysql'
      ? 'set session transaction isolation level serializable'
      : "set default_transaction_isolation = 'serializable'; set deadlock_timeout = '1500ms'; set lock_timeout = '1min'; set statement_timeout = '1min'"

  /** The store, on its own connections, which run this SQL first. */
  async function use(setUp: string) {
    await db?.destroy()
    refused = []
    let tell = () => {}
    refusal = new Promise((resolve) => {
      tell = resolve
    })
    db = new Kysely({
      dialect: await dialectFor(database.place, 2, setUp),
      log(event) {
        if (event.level !== 'error') return
        refused.push((event.error as { code: unknown }).code)
        tell()
      },
    })
    store = createKyselyUserStore({ db })
  }

  /** Resolves once a statement is waiting for a lock. */
  async function somebodyWaits() {
    const waiting =
      engine === 'mysql'
        ? sql`select 1 from information_schema.innodb_trx join information_schema.processlist on id = trx_mysql_thread_id
            where trx_state = 'LOCK WAIT' and db = database()`
        : sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect((await waiting.execute(host)).rows).toHaveLength(1), {
      timeout: 60_000,
      // MariaDB serves stale data if you look again within a tenth of a second.
      interval: 200,
    })
  }

  test('that locks a row briefly: the update is retried, and applied once', async () => {
    await use(impatient)
    const transaction = await host.startTransaction().execute()
    await sql`select id from accounts_users for update`.execute(transaction)
    const update = store.update(ada.id, { resetEpoch: 1 }, 1)
    await refusal
    await transaction.rollback().execute()
    expect(await update).toEqual({ ...ada, resetEpoch: 1, version: 2 })
    expect(refused[0]).toBe(engine === 'mysql' ? 'ER_LOCK_WAIT_TIMEOUT' : '55P03')
  })

  test('that keeps a row locked: given up after five attempts or more, as contention, and nothing is applied', async () => {
    await use(impatient)
    const transaction = await host.startTransaction().execute()
    await sql`select id from accounts_users for update`.execute(transaction)
    const error = await store.update(ada.id, { resetEpoch: 1 }, 1).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ContendedError)
    expect(refused.length).toBeGreaterThanOrEqual(5)
    await transaction.rollback().execute()
    expect(await store.findById(ada.id)).toEqual(ada)
    expect(await store.update(ada.id, { resetEpoch: 1 }, 1)).toMatchObject({ version: 2 })
  })

  // Only PostgreSQL runs code at the commit.
  if (engine === 'postgres')
    test('FLT-34 after which the commit outlasts the deadline: the outcome is unknown, and close waits for it', async () => {
      await use(impatient)
      await sql`create function hold_commit() returns trigger language plpgsql as $$
        begin
          perform set_config('lock_timeout', '1min', true), set_config('statement_timeout', '1min', true);
          perform pg_advisory_xact_lock(7);
          return null;
        end $$`.execute(host)
      await sql`create constraint trigger hold_commit after update on accounts_users
        deferrable initially deferred for each row execute function hold_commit()`.execute(host)
      const row = await host.startTransaction().execute()
      await sql`select id from accounts_users for update`.execute(row)
      const gate = await host.startTransaction().execute()
      await sql`select pg_advisory_xact_lock(7)`.execute(gate)
      const update = callBefore(performance.now() + 3000, () => store.update(ada.id, { resetEpoch: 1 }, 1))
      const failure = update.catch((thrown: unknown) => thrown)
      await refusal
      await row.rollback().execute()
      const error = await failure
      expect(error).toBeInstanceOf(UnavailableError)
      expect(error).not.toBeInstanceOf(ContendedError)
      let isClosed = false
      const closed = store.close?.().then(() => {
        isClosed = true
      })
      // A round trip, longer than closing takes if nothing is under way.
      expect(await createKyselyUserStore({ db: host }).findById(ada.id)).toEqual(ada)
      expect(isClosed).toBe(false)
      await gate.rollback().execute()
      await closed
      expect(await createKyselyUserStore({ db: host }).findById(ada.id)).toMatchObject({ version: 2 })
    })

  test('that commits first under serializable isolation: the update detects the conflict', async () => {
    const transaction = await host.startTransaction().execute()
    await createKyselyUserStore({ db: transaction }).update(ada.id, { isStaff: true }, 1)
    const late = store.update(ada.id, { isStaff: false }, 1)
    await somebodyWaits()
    await transaction.commit().execute()
    expect(await late).toBeNull()
    if (engine === 'postgres') expect(refused).toEqual(['40001'])
    expect(await store.findById(ada.id)).toEqual({ ...ada, isStaff: true, version: 2 })
  })

  test('FLT-34 over a row that every creation changes: all are made within their deadline', async () => {
    await sql`create table tally (n integer not null)`.execute(host)
    await sql`insert into tally values (0)`.execute(host)
    const ownDb = new Kysely<{ tally: { n: number } }>({
      dialect: await dialectFor(database.place, 10, isolated),
    })
    const busy = createKyselyUserStore({
      db: ownDb,
      alongside: {
        async created(tx) {
          const { n } = await tx.selectFrom('tally').select('n').executeTakeFirstOrThrow()
          await tx
            .updateTable('tally')
            .set({ n: n + 1 })
            .execute()
        },
      },
    })
    const deadline = performance.now() + 30_000
    const names = Array.from({ length: 24 }, (_, n) => `busy-${n}`)
    await Promise.all(names.map((name) => callBefore(deadline, () => busy.create(newUser(name)))))
    const { rows } = await sql<{ n: number }>`select n from tally`.execute(host)
    expect(rows[0]?.n).toBe(24)
    await ownDb.destroy()
  })

  test('in a deadlock with a creation: the creation is retried, and made once', async () => {
    const transaction = await host.startTransaction().execute()
    const inside = createKyselyUserStore({ db: transaction })
    const shared = { email: 'shared@example.com', emailKey: 'shared@example.com' }
    // MySQL rolls back the one that wrote less; PostgreSQL the one that checks first.
    // The store checks once, in the middle of the time in which its statement may wait; this one waits for it.
    if (engine === 'postgres') {
      await sql`set local deadlock_timeout = '1min'`.execute(transaction)
      await sql`set local statement_timeout = '1min'`.execute(transaction)
    }
    for (let n = 0; n < 20; n++) await inside.create(newUser(`weight-${n}`))
    await inside.create(newUser('eve', shared))
    const creation = store.create(newUser('bob', shared))
    await somebodyWaits()
    await inside.create(newUser('bob'))
    await transaction.rollback().execute()
    const bob = await creation
    expect(refused).toContain(engine === 'mysql' ? 'ER_LOCK_DEADLOCK' : '40P01')
    expect(await store.list({ limit: 100 })).toEqual([ada, bob].sort((a, b) => +a.createdAt - +b.createdAt))
  })
})
