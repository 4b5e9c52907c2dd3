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

describe.each(await driversHere(sqliteDrivers))('simultaneous writes on $title', ({ name }) => {
  let database: TestDatabase
  let file: OpenSqlite
  let db: Kysely<unknown>
  let statements: string[]
  beforeEach(async () => {
    database = await makeDatabase(name)
    file = await openSqlite(name, database.place.url)
    statements = []
    db = new Kysely<unknown>({
      dialect: sqliteDialect(file),
      log: ({ query }) => void statements.push(query.sql),
    })
    await migrate(db)
    statements.length = 0
  })
  afterEach(async () => {
    vi.useRealTimers()
    await db.destroy()
    await database.drop()
  })

  const sessionsOf = () => createKyselySessionStore({ db })
  const count = (text: string) => statements.filter((each) => each === text).length
  const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `s${from + n}`)

  async function kept(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from accounts_sessions order by id`.execute(db)
    return rows.map(({ id }) => id)
  }

  /** The outcome of each. */
  async function outcomes(work: readonly Promise<unknown>[]): Promise<string[]> {
    const settled = await Promise.allSettled(work)
    return settled.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.constructor.name))
  }

  test('share one transaction, for users and sessions alike; a single write needs no savepoint', async () => {
    const [users, sessions] = [createKyselyUserStore({ db }), sessionsOf()]
    await Promise.all([
      ...ids(10, 40).map((id) => sessions.create(newSession(id))),
      users.create(newUser('ada')),
    ])
    expect([count('begin'), count('commit'), count('savepoint one'), count('release one')]).toEqual([
      ...[1, 1, 31, 31],
    ])
    expect(await kept()).toEqual(ids(10, 40))
    statements.length = 0
    await sessions.create(newSession('alone'))
    expect(statements.map((text) => text.split(' ')[0])).toEqual(['begin', 'insert', 'commit'])
  })

  test('are limited to 64 per transaction', async () => {
    const sessions = sessionsOf()
    await Promise.all(ids(100, 164).map((id) => sessions.create(newSession(id))))
    expect(count('commit')).toBe(1)
    await Promise.all(ids(200, 265).map((id) => sessions.create(newSession(id))))
    expect(count('commit')).toBe(3)
    expect(await kept()).toEqual([...ids(100, 164), ...ids(200, 265)])
  })

  test.each([
    ['while each turn brings more', 0, 1],
    ['for two milliseconds at most', 3, 2],
  ])('are gathered %s', async (_, milliseconds, commits) => {
    const sessions = sessionsOf()
    vi.useFakeTimers({ toFake: ['performance'] })
    const writing: Promise<unknown>[] = []
    await new Promise<void>((resolve) => {
      const next = (n: number) => {
        // Before the turn that the group waits for.
        setImmediate(() => (n < 3 ? next(n + 1) : resolve()))
        writing.push(sessions.create(newSession(`s${n}`)))
        vi.advanceTimersByTime(milliseconds)
      }
      next(1)
    })
    await Promise.all(writing)
    expect(count('commit')).toBe(commits)
    expect(await kept()).toEqual(ids(1, 4))
  })

  test("fail individually: a rejected write doesn't affect the others", async () => {
    const [users, sessions] = [createKyselyUserStore({ db }), sessionsOf()]
    expect(
      await outcomes([
        sessions.create(newSession('s1')),
        sessions.create(newSession('s1')),
        users.create(newUser('ada')),
        users.create(newUser('ada', { email: null, emailKey: null })),
        sessions.create(newSession('s2')),
      ]),
    ).toEqual(['done', 'InvalidArgumentError', 'done', 'DuplicateError', 'done'])
    expect(count('rollback to one')).toBe(2)
    expect(await kept()).toEqual(['s1', 's2'])
    expect(await users.list({ limit: 10 })).toHaveLength(1)
  })

  test('are written one by one if one ends the transaction, so only that one fails', async () => {
    const sessions = sessionsOf()
    await sql`create trigger ending before insert on accounts_sessions when new.id = 'end'
      begin select raise(rollback, 'ended'); end`.execute(db)
    const writing = ['s1', 'end', 's2'].map((id) => sessions.create(newSession(id)))
    const [, ended] = await Promise.allSettled(writing)
    expect(await outcomes(writing)).toEqual(['done', 'RefusedError', 'done'])
    expect(ended).toMatchObject({ reason: { cause: { message: 'ended' } } })
    expect(await kept()).toEqual(['s1', 's2'])
  })

  test('are written one by one if one prevents the commit', async () => {
    const [users, sessions] = [createKyselyUserStore({ db }), sessionsOf()]
    const { id } = await users.create(newUser('ada'))
    await sql`create table orders (user_id text references accounts_users (id) deferrable initially deferred)`.execute(
      db,
    )
    await sql`insert into orders values (${id})`.execute(db)
    expect(
      await outcomes([
        sessions.create(newSession('s1')),
        users.delete(id),
        sessions.create(newSession('s2')),
      ]),
    ).toEqual(['done', 'RefusedError', 'done'])
    expect(await kept()).toEqual(['s1', 's2'])
    expect(await users.findById(id)).toMatchObject({ id })
  })

  test('resolve only once each outcome is certain', async () => {
    const sessions = sessionsOf()
    vi.useFakeTimers({ toFake: ['performance'] })
    const prepare = file.prepare.bind(file)
    const spy = vi.spyOn(file, 'prepare').mockImplementation((text: string) => {
      if (text === 'rollback to one') vi.advanceTimersByTime(1000)
      return prepare(text)
    })
    const at = performance.now()
    // Its id is taken by a write that turns out to be late: the conflict is rolled back.
    const late = callBefore(at + 500, () => sessions.create(newSession('s1')))
    const later = callBefore(at + 60_000, () => sessions.create(newSession('s1')))
    expect(await outcomes([late, later])).toEqual(['UnavailableError', 'done'])
    expect(await kept()).toEqual(['s1'])
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

  test('that are late by the commit have no effect; the others do', async () => {
    const sessions = sessionsOf()
    vi.useFakeTimers({ toFake: ['performance'] })
    const prepare = file.prepare.bind(file)
    // The first is written in time, but then takes a second.
    const spy = vi.spyOn(file, 'prepare').mockImplementation((text: string) => {
      if (text === 'release one') vi.advanceTimersByTime(1000)
      return prepare(text)
    })
    const at = performance.now()
    const soon = callBefore(at + 500, () => sessions.create(newSession('s1')))
    const later = callBefore(at + 60_000, () => sessions.create(newSession('s2')))
    expect(await outcomes([soon, later])).toEqual(['UnavailableError', 'done'])
    await expect(soon).rejects.toThrow('the database did not respond in time')
    await expect(soon).rejects.toBeInstanceOf(UnavailableError)
    expect(await kept()).toEqual(['s2'])
    spy.mockRestore()
  })

  test('that run again report the outcome of the second run', async () => {
    const users = createKyselyUserStore({ db })
    const sessions = createKyselySessionStore({ db, userStore: users })
    const { id } = await users.create(newUser('ada'))
    await sessions.create(newSession('old', { userId: id }))
    const other = await openSqlite(name, database.place.url)
    vi.useFakeTimers({ toFake: ['performance'] })
    const prepare = file.prepare.bind(file)
    const spy = vi.spyOn(file, 'prepare').mockImplementation((text: string) => {
      if (text === 'release one') vi.advanceTimersByTime(1000)
      return prepare(text)
    })
    const exec = file.exec.bind(file)
    let begun = 0
    vi.spyOn(file, 'exec').mockImplementation((text: string) => {
      // Another process ends the session before the second attempt.
      if (text === 'begin immediate' && ++begun === 2) other.exec('delete from accounts_sessions')
      return exec(text)
    })
    const at = performance.now()
    const soon = callBefore(at + 500, () => sessions.create(newSession('late')))
    const create = newSession('new', { userId: id })
    const later = callBefore(at + 60_000, () =>
      sessions.withUsers?.update?.(id, { sessionEpoch: 1 }, 1, [], {
        create,
        replaces: 'old',
        deleteOthers: true,
      }),
    )
    expect(await outcomes([soon, Promise.resolve(later)])).toEqual(['UnavailableError', 'done'])
    expect(begun).toBe(2)
    expect(await later).toMatchObject({ isCreated: false, count: undefined, user: { sessionEpoch: 1 } })
    expect(await kept()).toEqual([])
    spy.mockRestore()
    other.close()
  })

  test('wait for an open transaction of the host, and are not part of it', async () => {
    const sessions = sessionsOf()
    let writing: Promise<unknown> | undefined
    const undone = db.transaction().execute(async (on) => {
      writing = Promise.all(['s1', 's2'].map((id) => sessions.create(newSession(id))))
      await new Promise(setImmediate)
      await sql`delete from accounts_users`.execute(on)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await writing
    expect(await kept()).toEqual(['s1', 's2'])
  })
})

test('simultaneous writes all fail if their commit fails, and leave nothing behind', async () => {
  const { db, failOn } = faultySqlite()
  await migrate(db)
  const sessions = createKyselySessionStore({ db })
  const create = (...ids: string[]) => Promise.allSettled(ids.map((id) => sessions.create(newSession(id))))
  failOn(/^commit/)
  for (const each of await create('s1', 's2')) {
    expect(each).toMatchObject({ status: 'rejected', reason: { cause: { code: 'SQLITE_IOERR' } } })
  }
  failOn(/^never/)
  expect([await sessions.find('s1'), await sessions.find('s2')]).toEqual([null, null])
  await create('s3')
  expect(await sessions.find('s3')).toMatchObject({ id: 's3' })
})
