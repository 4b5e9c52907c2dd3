import { migrate } from '@fastify-accounts/kysely'
import { connect, dialectFor, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { UnavailableError } from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'

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
      // It first looks up which migrations have run.
      expect(refused).toEqual([missing, ...Array.from({ length: 5 }, () => locked)])
      await sql.raw(engine === 'mysql' ? 'unlock tables' : 'rollback').execute(holder)
    })
    expect((await settings.execute(db)).rows).toEqual(before)
    await sql`drop table accounts_users`.execute(host)
    expect((await migrate(db)).length).toBeGreaterThan(0)
    await db.destroy()
    await host.destroy()
    await database.drop()
  }, 60_000)
})
