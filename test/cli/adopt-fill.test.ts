import { setImmediate } from 'node:timers/promises'
import type { Engine } from '@fastify-accounts/kysely'
import { adopt as adoptOn, urlOf } from '@fastify-accounts/test-support/adopt'
import { makeProject, runProcess } from '@fastify-accounts/test-support/cli'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { expect, onTestFinished, test, vi } from 'vitest'

const users = 20_000
/** In the middle of a batch. */
const locked = 'user-10050'
const neighbor = 'user-10049'

const engines: Record<Engine, { id: string; rows: string; patience: string | undefined }> = {
  postgres: {
    id: 'text collate "C"',
    rows: `select n from generate_series(10001, ${10_000 + users}) n`,
    patience: "set lock_timeout = '2s'",
  },
  mysql: {
    id: 'varbinary(255)',
    rows: `select seq as n from seq_10001_to_${10_000 + users}`,
    patience: 'set innodb_lock_wait_timeout = 2',
  },
  sqlite: {
    id: 'text',
    rows: `with recursive s (n) as (select 10001 union all select n + 1 from s where n < ${10_000 + users}) select n from s`,
    patience: undefined,
  },
}

test.each(await driversHere(['pg', 'mysql2', 'libsql']))(
  'while keys are filled, the app changes any row, and has a transaction of its own open: $title',
  async ({ name, engine }) => {
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const { id, rows, patience } = engines[engine]
    const text = engine === 'mysql' ? "concat('user-', n)" : "'user-' || n"
    const address =
      engine === 'mysql' ? "concat('user-', n, '@example.org')" : "'user-' || n || '@example.org'"
    await runSql(
      place,
      `create table customers (id ${id} not null primary key, email varchar(255), password varchar(255), seen int default 0)`,
      `insert into customers (id, email, password) select ${text}, ${address}, '$2b$04$' from (${rows}) as numbers`,
    )
    const { data } = await adoptOn(place, '--json')
    await runSql(place, ...data.statements)
    const pool = await connect(place, 2, patience)
    onTestFinished(() => pool.destroy())
    const app = pool.withTables<{ customers: { id: string; seen: number; email_key: unknown } }>()
    const see = (of: string, on: Pick<typeof app, 'updateTable'> = app) =>
      on
        .updateTable('customers')
        .set(({ eb }) => ({ seen: eb('seen', '+', 1) }))
        .where('id', '=', of)
        .execute()
    /** Throws if it has to wait for long. On SQLite a statement doesn't wait, so the app repeats it. */
    const seeSoon = (of: string) =>
      engine === 'sqlite' ? vi.waitFor(() => see(of), { timeout: 60_000, interval: 5 }) : see(of)
    const keyOf = async (of: string) => {
      const row = await app
        .selectFrom('customers')
        .select('email_key')
        .where('id', '=', of)
        .executeTakeFirst()
      return row?.email_key ?? null
    }

    const transaction = engine === 'sqlite' ? null : await app.startTransaction().execute()
    if (transaction) await see(locked, transaction)
    let isEnded = false
    const filling = runProcess(
      makeProject(),
      ['adopt', 'users', '--table', 'customers', '--fill', '--json'],
      { env: { DATABASE_URL: urlOf(place) } },
    ).finally(() => {
      isEnded = true
    })
    // The rest of the batch is done, and not locked.
    await vi.waitFor(async () => expect(await keyOf(neighbor)).not.toBeNull(), {
      timeout: 120_000,
      interval: 5,
    })
    if (transaction) expect(await keyOf(locked)).toBeNull()
    await seeSoon(neighbor)
    await transaction?.commit().execute()
    let seen = 0
    while (!isEnded) {
      await seeSoon(`user-${10_001 + ((seen * 37) % users)}`)
      seen += 1
      // The driver of SQLite leaves no turn to the end of the other process.
      await setImmediate()
    }
    const { code, stdout } = await filling
    expect(JSON.parse(stdout)).toMatchObject({ filled: users, left: [], locked: [] })
    expect(code).toBe(0)
    expect(await keyOf(locked)).not.toBeNull()
    const [sum] = await runSql(place, 'select sum(seen) as seen, count(email_key) as filled from customers')
    expect([Number(sum?.filled), Number(sum?.seen)]).toEqual([users, 1 + seen + (transaction ? 1 : 0)])
    expect(seen).toBeGreaterThan(0)
  },
  240_000,
)

test.each(await driversHere(['pg', 'mysql2']))(
  'rows that the app has locked hold up nobody else, come when they are free, and are waited for together: $title',
  async ({ name, engine }) => {
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const key = `${engines[engine].id} not null primary key`
    await runSql(place, `create table customers (id ${key}, email varchar(255), password varchar(255))`)
    const count = 500
    const numbers = Array.from({ length: count }, (_, n) => 1000 + n)
    const rows = numbers.map((n) => `('user-${n}', 'user-${n}@example.org', '!')`)
    await runSql(place, `insert into customers (id, email, password) values ${rows}`)
    const { data } = await adoptOn(place, '--json')
    await runSql(place, ...data.statements)
    const pool = await connect(place, 3)
    onTestFinished(() => pool.destroy())
    const app = pool.withTables<{ customers: { id: string; password: string; email_key: unknown } }>()
    const lock = async (ids: string[]) => {
      const transaction = await app.startTransaction().execute()
      // A server ends a transaction that is idle.
      const own = () =>
        transaction.updateTable('customers').set({ password: '!!' }).where('id', 'in', ids).execute()
      await own()
      const beat = setInterval(() => void own(), 2000)
      const end = async () => {
        clearInterval(beat)
        if (!transaction.isRolledBack) await transaction.rollback().execute()
      }
      onTestFinished(end)
      return end
    }
    const unfilled = async () => {
      const left = app.selectFrom('customers').select('id').where('email_key', 'is', null)
      return (await left.orderBy('id').execute()).map(({ id }) => String(id))
    }
    const idsOf = (from: number, to: number) =>
      numbers.filter((n) => n >= from && n < to).map((n) => `user-${n}`)
    const [stuckIds, slowIds] = [idsOf(1000, 1030), idsOf(1040, 1050)]
    const endStuck = await lock(stuckIds)
    const endSlow = await lock(slowIds)
    const filling = adoptOn(place, '--fill')
    // Those of later batches have their keys.
    await vi.waitFor(async () => expect(await unfilled()).toEqual([...stuckIds, ...slowIds]), {
      timeout: 60_000,
      interval: 20,
    })
    await endSlow()
    const { code, stdout } = await filling
    expect(code).toBe(1)
    expect(stdout).toContain(`filled: ${count - 30}\nleft: 30 users (user-1000, user-1001, `)
    expect(stdout).toContain('locked; once it has ended, run this again')
    expect(await unfilled()).toEqual(stuckIds)
    await endStuck()
    expect(await adoptOn(place, '--fill')).toMatchObject({ code: 0, stdout: 'filled: 30\n' })
    expect(await unfilled()).toEqual([])
  },
  100_000,
)
