import { createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { connect, dialectFor, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { UnavailableError } from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { steps } from '../src/migrate/migrations.js'
import { columnStep, indexStep, useSteps } from './support/later-steps.js'
import { newUser } from './support/users.js'

const drivers = await driversHere(['pg', 'mysql2'])
// A file without tests would fail.
if (drivers.length === 0) test.todo('needs a server: PostgreSQL or MariaDB')

// Each waits 15 seconds, on its own database.
describe.concurrent.each(drivers)('a migration, on $title', ({ name, engine }) => {
  test("waits for a locked table a few times, gives up, and restores the connection's settings", async () => {
    const database = await makeDatabase(name)
    const host = await connect(database.place, 1)
    await sql`create table accounts_users (id integer)`.execute(host)
    const refused: unknown[] = []
    const db = new Kysely<unknown>({
      dialect: await dialectFor(database.place, 1),
      log(event) {
        if (event.level === 'error') refused.push((event.error as { code?: unknown }).code)
      },
    })
    const settings =
      engine === 'mysql'
        ? sql<{ value: unknown }>`select concat(@@lock_wait_timeout, ' ', @@max_statement_time) as value`
        : sql<{
            value: unknown
          }>`select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout') as value`
    const before = (await settings.execute(db)).rows
    await host.connection().execute(async (holder) => {
      if (engine === 'mysql') await sql`lock tables accounts_users write`.execute(holder)
      else {
        await sql`set idle_in_transaction_session_timeout = 0`.execute(holder)
        await sql`begin`.execute(holder)
        await sql`lock table accounts_users in access exclusive mode`.execute(holder)
      }
      // It looks up the columns of the existing table.
      expect(await migrate(db).catch((error: unknown) => error)).toBeInstanceOf(UnavailableError)
      const [missing, locked] =
        engine === 'mysql' ? ['ER_NO_SUCH_TABLE', 'ER_LOCK_WAIT_TIMEOUT'] : ['42P01', '55P03']
      // It first looks up which migrations have run; on PostgreSQL once more when its turn has come.
      const lookups = engine === 'mysql' ? [missing] : [missing, missing]
      expect(refused).toEqual([...lookups, ...Array.from({ length: 5 }, () => locked)])
      await sql.raw(engine === 'mysql' ? 'unlock tables' : 'rollback').execute(holder)
    })
    expect((await settings.execute(db)).rows).toEqual(before)
    await sql`drop table accounts_users`.execute(host)
    expect((await migrate(db)).length).toBeGreaterThan(0)
    await db.destroy()
    await host.destroy()
    await database.drop()
  })
})

describe.skipIf(!drivers.some(({ name }) => name === 'pg'))('indexes on a table with users', () => {
  /** The first only adds indexes; what comes after it adds a column and another index. */
  const later = [
    indexStep('0002_times', ['last_login_at', 'email_changed_at']),
    columnStep('0003_more', 'users', { more: null }),
    indexStep('0004_origins', ['origin']),
  ]
  const left = later.map(({ name }) => name)

  /** A database before those steps, with a user, and a transaction that any concurrent build waits for. */
  async function setUp() {
    const database = await makeDatabase('pg')
    const db = await connect(database.place, 2)
    const host = await connect(database.place, 3)
    await migrate(db)
    await createKyselyUserStore({ db }).create(newUser('ada'))
    useSteps([...steps, ...later])
    const old = await host.startTransaction().setIsolationLevel('repeatable read').execute()
    await sql`set idle_in_transaction_session_timeout = 0`.execute(old)
    await sql`select * from accounts_users`.execute(old)
    return {
      ...{ db, host, old },
      /** The process that builds, once it waits for the transaction. */
      building: () =>
        vi.waitFor(async () => {
          const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
            where datname = current_database() and query like 'create index concurrently%'
              and wait_event_type = 'Lock'`.execute(host)
          expect(rows).toHaveLength(1)
          return rows[0]?.pid
        }, 60_000),
      /** By their names, whether they are valid. */
      async indexes() {
        const { rows } = await sql<{
          name: string
          valid: boolean
        }>`select relname as name, indisvalid as valid
          from pg_index join pg_class on pg_class.oid = indexrelid where relname ~ '_(last_login_at|email_changed_at|origin)$'
          order by 1`.execute(host)
        return rows.map(({ name, valid }) => `${name.replace('accounts_users_', '')} ${valid}`)
      },
      async drop() {
        await db.destroy()
        await host.destroy()
        await database.drop()
      },
    }
  }
  const whole = ['email_changed_at true', 'last_login_at true', 'origin true']

  test('FLT-31 are built while others read and write it, and two processes take turns', async () => {
    const { db, host, old, building, indexes, drop } = await setUp()
    const first = migrate(db)
    await building()
    const second = migrate(host)
    const users = createKyselyUserStore({ db })
    const ada = await users.findByUsername('ada')
    expect(ada && (await users.update(ada.id, { isStaff: true }, ada.version))).toMatchObject({
      isStaff: true,
    })
    await old.commit().execute()
    expect(await first).toEqual(left)
    expect(await second).toEqual([])
    expect(await indexes()).toEqual(whole)
    await drop()
  })

  test('FLT-31 are built anew if a build was interrupted', async () => {
    const { db, host, old, building, indexes, drop } = await setUp()
    const interrupted = migrate(db).catch((error: unknown) => error)
    await sql`select pg_terminate_backend(${await building()})`.execute(host)
    expect(await interrupted).toBeInstanceOf(UnavailableError)
    expect(await indexes()).toEqual(['last_login_at false'])
    await old.commit().execute()
    expect(await migrate(db)).toEqual(left)
    expect(await indexes()).toEqual(whole)
    await drop()
  })
})
