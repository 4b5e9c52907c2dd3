import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  type OpenSqlite,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import {
  driversHere,
  makeDatabase,
  openSqlite,
  sqliteDrivers,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { callBefore, UnavailableError } from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { faultySqlite } from './support/faulty.js'
import { newSession, newUser } from './support/users.js'

/** As the plugin calls a store. */
const timely = <T>(work: () => Promise<T>): Promise<T> => callBefore(performance.now() + 60_000, work)

describe.each(await driversHere(sqliteDrivers))('simultaneous writes on $title', ({ name }) => {
  let database: TestDatabase
  let file: OpenSqlite
  let db: Kysely<unknown>
  beforeEach(async () => {
    database = await makeDatabase(name)
    file = await openSqlite(name, database.place.url)
    db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
    await migrate(db)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await db.destroy()
    await database.drop()
  })

  const sessionsOf = () => createKyselySessionStore({ db })

  async function kept(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from accounts_sessions order by id`.execute(db)
    return rows.map(({ id }) => id)
  }

  /** The outcome of each. */
  async function outcomes(work: readonly Promise<unknown>[]): Promise<string[]> {
    const settled = await Promise.allSettled(work)
    return settled.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.constructor.name))
  }

  test("fail individually: a rejected write doesn't affect the others", async () => {
    const [users, sessions] = [createKyselyUserStore({ db }), sessionsOf()]
    expect(
      await outcomes([
        timely(() => sessions.create(newSession('s1'))),
        timely(() => sessions.create(newSession('s1'))),
        timely(() => users.create(newUser('ada'))),
        timely(() => users.create(newUser('ada', { email: null, emailKey: null }))),
        timely(() => sessions.create(newSession('s2'))),
      ]),
    ).toEqual(['done', 'InvalidArgumentError', 'done', 'DuplicateError', 'done'])
    expect(await kept()).toEqual(['s1', 's2'])
    expect(await users.list({ limit: 10 })).toHaveLength(1)
  })

  test('fail alone when a trigger ends the transaction', async () => {
    const sessions = sessionsOf()
    await sql`create trigger ending before insert on accounts_sessions when new.id = 'end'
      begin select raise(rollback, 'ended'); end`.execute(db)
    const writing = ['s1', 'end', 's2'].map((id) => timely(() => sessions.create(newSession(id))))
    const [, ended] = await Promise.allSettled(writing)
    expect(await outcomes(writing)).toEqual(['done', 'RefusedError', 'done'])
    expect(ended).toMatchObject({ reason: { cause: { message: 'ended' } } })
    expect(await kept()).toEqual(['s1', 's2'])
  })

  test('that are late by the commit have no effect', async () => {
    const sessions = sessionsOf()
    vi.useFakeTimers({ toFake: ['performance'] })
    const prepare = file.prepare.bind(file)
    // Written in time, but then the process stands still for a second.
    const spy = vi.spyOn(file, 'prepare').mockImplementation((text: string) => {
      const statement = prepare(text)
      if (!text.startsWith('insert')) return statement
      vi.advanceTimersByTime(1000)
      return statement
    })
    const at = performance.now()
    const soon = callBefore(at + 500, () => sessions.create(newSession('s1')))
    await expect(soon).rejects.toThrow('the database did not respond in time')
    await expect(soon).rejects.toBeInstanceOf(UnavailableError)
    await timely(() => sessions.create(newSession('s2')))
    expect(await kept()).toEqual(['s2'])
    spy.mockRestore()
  })

  test("on a transaction of the app are part of it, and don't block others", async () => {
    const undone = db.transaction().execute(async (on) => {
      await createKyselyUserStore({ db: on }).create(newUser('ada'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    const sessions = sessionsOf()
    await db.connection().execute(async (on) => {
      const other = sessions.create(newSession('s1'))
      await createKyselySessionStore({ db: on }).create(newSession('s2'))
      return { other }
    })
    await expect.poll(kept).toEqual(['s1', 's2'])
    expect(await createKyselyUserStore({ db }).list({ limit: 10 })).toEqual([])
  })

  test('without a deadline join a transaction that the app began on the handle', async () => {
    const users = createKyselyUserStore({ db })
    file.exec('begin')
    await users.create(newUser('ada'))
    file.exec('rollback')
    expect(await users.list({ limit: 10 })).toEqual([])
    await users.create(newUser('ada'))
    expect(await users.list({ limit: 10 })).toHaveLength(1)
  })

  test('wait for an open transaction of the host, and are not part of it', async () => {
    const sessions = sessionsOf()
    let writing: Promise<unknown> | undefined
    const undone = db.transaction().execute(async (on) => {
      writing = Promise.all(['s1', 's2'].map((id) => timely(() => sessions.create(newSession(id)))))
      await new Promise(setImmediate)
      await sql`delete from accounts_users`.execute(on)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await writing
    expect(await kept()).toEqual(['s1', 's2'])
  })
})

test('simultaneous writes fail if their commits fail, and leave nothing behind', async () => {
  const { db, failOn } = faultySqlite()
  await migrate(db)
  const sessions = createKyselySessionStore({ db })
  const create = (...ids: string[]) =>
    Promise.allSettled(ids.map((id) => timely(() => sessions.create(newSession(id)))))
  failOn(/^commit/)
  for (const each of await create('s1', 's2')) {
    expect(each).toMatchObject({ status: 'rejected', reason: { cause: { code: 'SQLITE_IOERR' } } })
  }
  failOn(/^never/)
  expect([await sessions.find('s1'), await sessions.find('s2')]).toEqual([null, null])
  await create('s3')
  expect(await sessions.find('s3')).toMatchObject({ id: 's3' })
})
