import { fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  type OpenSqlite,
  openSqlite as openByPath,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import {
  driversHere,
  makeDatabase,
  openSqlite,
  restoreSqlite,
  sqliteDrivers,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { times } from '@fastify-accounts/test-support/depth'
import { Kysely, sql } from 'kysely'
import Libsql from 'libsql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newSession, newUser } from './support/users.js'

/** How many changes are allowed before the reader moves on. */
const portion = 20
/** How many changes another process makes in a race. */
const steps = times({ quick: 2000, full: 10_000 })

const require = createRequire(import.meta.url)

/** Undefined if its native module is missing. */
const BetterSqlite3 = await import('better-sqlite3').then(
  (module) => module.default,
  () => undefined,
)

/** The stores on a database with its tables. */
async function storesOn(db: Kysely<unknown>) {
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const sessions = createKyselySessionStore({ db, userStore: users })
  const { withUsers } = sessions
  if (withUsers === undefined) throw new Error('there is no withUsers')
  return {
    ...{ db, users, sessions },
    visit: (id: string) => withUsers.find(id),
    async loggedIn() {
      const user = await users.create(newUser('ada'))
      await sessions.create(newSession('s', { userId: user.id, details: { userAgent: 'x' } as never }))
      await withUsers.find('s')
      return user
    },
  }
}

/**
 * Reads without pause while another process ends sessions, and disables, renames and deletes users. Returns how many
 * reads were stale: older than a change acknowledged before the read.
 * @param driver the driver of the other process
 * @param count how many changes it makes
 */
async function raceOf(
  { db, users, sessions, visit }: Awaited<ReturnType<typeof storesOn>>,
  { url, driver }: { url: string; driver: string },
  count: number,
) {
  if (users.createMany === undefined) throw new Error('there is no createMany')
  const each = Array.from({ length: count }, (_, n) => n)
  await users.createMany(each.map((n) => ({ ...newUser(`n${n}`), id: `n${n}` })))
  const now = Date.now()
  const rows = each.map((n) => `('n${n}', 'n${n}', 0, ${now}, ${now}, ${now + 600_000}, '[]')`)
  await sql
    .raw(
      `insert into accounts_sessions (id, user_id, epoch, created_at, last_seen_at, expires_at, methods)
        values ${rows}`,
    )
    .execute(db)

  // How many changes are acknowledged, and how many are allowed.
  const words = `${url}.words`
  writeFileSync(words, Buffer.alloc(8))
  const said = openSync(words, 'r+')
  const word = Buffer.alloc(4)
  const acknowledged = (): number => {
    readSync(said, word, 0, 4, 0)
    return word.readUInt32LE()
  }
  const allow = (count: number): void => {
    word.writeUInt32LE(count)
    writeSync(said, word, 0, 4, 4)
  }
  const child = fork(fileURLToPath(new URL('support/exactness.mjs', import.meta.url)), [
    driver === 'node:sqlite' ? driver : require.resolve(driver),
    url,
    words,
    String(count),
  ])
  const ended = once(child, 'exit')
  let [stale, early] = [0, 0]
  const isChanged = [
    async (id: string) => (await sessions.find(id)) === null && (await visit(id)) === null,
    async (id: string) => (await visit(id))?.user?.isActive === false,
    async (id: string) => (await visit(id))?.user?.username === 'renamed',
    async (id: string) => (await visit(id))?.user === null && (await users.findById(id)) === null,
  ]
  const isChangedNow = async (n: number) => (await isChanged[n % 4]?.(`n${n}`)) ?? false
  for (let first = 0; first < count && child.exitCode === null; first += portion) {
    const those = each.slice(first, first + portion)
    // Each is cached before it changes, and is read without pause while they change.
    for (const n of those) if (await isChangedNow(n)) early += 1
    allow(first + portion)
    for (let made = first; made < first + portion && child.exitCode === null; ) {
      made = acknowledged()
      for (const n of those) {
        const before = acknowledged()
        if (!(await isChangedNow(n)) && n < before) stale += 1
      }
      // The other process's exit arrives through the event loop.
      await new Promise(setImmediate)
    }
  }
  closeSync(said)
  const [code] = await ended
  await db.destroy()
  return { code, stale, early }
}

describe.each(await driversHere(sqliteDrivers))('row cache: $title', ({ name }) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase(name)
  })
  afterEach(() => database.drop())

  /** @param forging the statement to replace with `SELECT 1` permanently */
  async function open(forging?: string) {
    const file: OpenSqlite = await openSqlite(name, database.place.url)
    let asked = 0
    const watch = { afterCheck: () => {} }
    const prepare = file.prepare.bind(file)
    vi.spyOn(file, 'prepare').mockImplementation((text: string) => {
      const statement: object = prepare(text === forging ? 'SELECT 1' : text)
      // Queries that check for changes don't read rows.
      if (/^(?:PRAGMA|SELECT total_changes)/.test(text)) {
        const get = Reflect.get(statement, 'get').bind(statement)
        const lastCheck = (...values: unknown[]) => {
          queueMicrotask(watch.afterCheck)
          return get(...values)
        }
        if (text.startsWith('SELECT')) Reflect.set(statement, 'get', lastCheck)
        return statement as never
      }
      for (const method of ['get', 'all']) {
        const ask = Reflect.get(statement, method).bind(statement)
        Reflect.set(statement, method, (...values: unknown[]) => {
          asked += 1
          return ask(...values)
        })
      }
      return statement as never
    })
    return {
      file,
      watch,
      ...(await storesOn(new Kysely<unknown>({ dialect: sqliteDialect(file) }))),
      /** How many statements `work` runs. */
      async asking(work: () => Promise<unknown>) {
        asked = 0
        await work()
        return asked
      },
    }
  }

  const race = async (count: number, forging?: string) =>
    raceOf(await open(forging), { url: database.place.url, driver: name }, count)

  test('no read is older than what another process has acknowledged', async () => {
    expect(await race(steps)).toEqual({ code: 0, stale: 0, early: 0 })
  })

  test('without the check for other connections, reads are stale', async () => {
    const { code, stale } = await race(steps / 5, 'PRAGMA data_version')
    expect(code).toBe(0)
    expect(stale).toBeGreaterThanOrEqual(steps / 5)
  })

  test("while nothing changes, nothing is queried twice, and callers don't share objects", async () => {
    const { visit, sessions, users, asking, loggedIn, db } = await open()
    const { id } = await loggedIn()
    await sessions.find('s')
    await users.findById(id)
    const [first, session, user] = [await visit('s'), await sessions.find('s'), await users.findById(id)]
    for (const given of [first?.user?.fields, first?.session.details, user?.fields, session?.details]) {
      Object.assign(given ?? {}, { spoiled: true })
    }
    first?.session.expiresAt.setTime(0)
    const spoiled = JSON.stringify([first, session, user])
    expect(
      await asking(async () => {
        const again = JSON.stringify([await visit('s'), await sessions.find('s'), await users.findById(id)])
        expect(again).not.toBe(spoiled)
        expect(again).not.toContain('spoiled')
      }),
    ).toBe(0)
    await db.destroy()
  })

  test.each<[string, (at: Awaited<ReturnType<typeof open>>) => Promise<unknown>]>([
    ['the store', ({ sessions }) => sessions.delete('s')],
    ['the host, through the same Kysely', ({ db }) => sql`delete from accounts_sessions`.execute(db)],
    ['the host, through the same handle', async ({ file }) => file.exec('delete from accounts_sessions')],
    [
      'the host, in a transaction',
      ({ db }) => db.transaction().execute((on) => sql`delete from accounts_sessions`.execute(on)),
    ],
    [
      'the host, replacing the table',
      async ({ file }) => {
        file.exec('create table other as select * from accounts_sessions limit 0')
        file.exec(
          'alter table accounts_sessions rename to old; alter table other rename to accounts_sessions',
        )
      },
    ],
  ])('what is written by %s is seen', async (_, write) => {
    const at = await open()
    await at.loggedIn()
    await write(at)
    expect(await at.visit('s')).toBeNull()
    expect(await at.sessions.find('s')).toBeNull()
    await at.db.destroy()
  })

  test('an open transaction of the host on the handle is seen, and so is its end', async () => {
    const { file, visit, loggedIn, db } = await open()
    await loggedIn()
    const name = async () => (await visit('s'))?.user?.username
    file.exec(`begin; update accounts_users set username = 'uncommitted'`)
    expect(await name()).toBe('uncommitted')
    file.exec('rollback')
    expect(await name()).toBe('ada')
    expect(await name()).toBe('ada')
    await db.destroy()
  })

  test('what was read as a transaction began is not kept after its rollback', async () => {
    const { file, watch, visit, loggedIn, db } = await open()
    await loggedIn()
    await sql`update accounts_users set email = null, email_key = null`.execute(db)
    // Begins between the check and the read.
    watch.afterCheck = () => {
      watch.afterCheck = () => {}
      file.exec(`begin; update accounts_users set username = 'uncommitted'`)
    }
    expect((await visit('s'))?.user?.username).toBe('uncommitted')
    file.exec('rollback')
    expect((await visit('s'))?.user?.username).toBe('ada')
    await db.destroy()
  })

  test("a change by the app's own SQL is seen, whatever comments are in it", async () => {
    const { visit, loggedIn, db } = await open()
    const { id } = await loggedIn()
    const text = `/* Disables users. */\r\n-- By hand.\r\nupdate accounts_users set is_active = 0 where id in (/* one */ select '${id}')`
    await sql.raw(text).execute(db)
    expect((await visit('s'))?.user?.isActive).toBe(false)
    await db.destroy()
  })

  test('a cached session expires', async () => {
    const { visit, sessions, loggedIn, db } = await open()
    await loggedIn()
    await sessions.find('s')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    try {
      expect(await visit('s')).toBeNull()
      expect(await sessions.find('s')).toBeNull()
    } finally {
      vi.useRealTimers()
    }
    await db.destroy()
  })

  test('while a stream keeps its snapshot, reads wait for it and are correct', async () => {
    const { visit, loggedIn, db } = await open()
    await loggedIn()
    const other = await openSqlite(name, database.place.url)
    await sql`insert into accounts_identities values ('a', 'ada'), ('b', 'ada')`.execute(db)
    await visit('s')
    const identities = db.withTables<{ accounts_identities: { user_id: string } }>()
    const stream = identities.selectFrom('accounts_identities').select('user_id').stream()
    await stream.next()
    other.exec('delete from accounts_sessions')
    const reading = visit('s')
    await stream.return?.(undefined)
    expect(await reading).toBeNull()
    other.close()
    await db.destroy()
  })

  test('tables in an attached file are not cached', async () => {
    await (await open()).db.destroy()
    const main = await openSqlite(name, ':memory:')
    main.exec(`attach '${database.place.url}' as apart`)
    const attached = new Kysely<unknown>({ dialect: sqliteDialect(main) })
    const userStore = createKyselyUserStore({ db: attached })
    const { id } = await userStore.create(newUser('ada'))
    await userStore.findById(id)
    const other = await openSqlite(name, database.place.url)
    other.exec('delete from accounts_users')
    expect(await userStore.findById(id)).toBeNull()
    other.close()
    await attached.destroy()
  })

  test('at most 5,000 rows are kept', async () => {
    const { users, asking, db } = await open()
    if (users.createMany === undefined) throw new Error('there is no createMany')
    const ids = Array.from({ length: 5001 }, (_, n) => `n${n}`)
    await users.createMany(ids.map((id) => ({ ...newUser(id), id })))
    const readAll = async (those: readonly string[]) => {
      for (const id of those) expect(await users.findById(id)).toMatchObject({ id })
    }
    await readAll(ids.slice(0, 5000))
    expect(await asking(() => readAll(ids.slice(0, 5000)))).toBe(0)
    // One more clears the cache: the others are queried again.
    await readAll(ids.slice(5000))
    expect(await asking(() => readAll(ids.slice(0, 10)))).toBe(10)
    await db.destroy()
  })

  test('a backup restored into the open file is seen immediately', async () => {
    const { file, visit, users, loggedIn, db } = await open()
    const { id } = await loggedIn()
    const backup = `${database.place.url}.backup`
    file.exec(`vacuum into '${backup}'`)
    await users.update(id, { username: 'later' }, 1)
    expect((await visit('s'))?.user?.username).toBe('later')
    await restoreSqlite(backup, database.place.url)
    expect((await visit('s'))?.user?.username).toBe('ada')
    expect((await users.findById(id))?.username).toBe('ada')
    await db.destroy()
  })

  test("replacing the file doesn't affect the open one, cached or not", async () => {
    const { file, visit, users, loggedIn, db } = await open()
    const { id } = await loggedIn()
    const { url } = database.place
    file.exec(`vacuum into '${url}.backup'`)
    await users.update(id, { username: 'later' }, 1)
    const name = async () => (await visit('s'))?.user?.username
    expect(await name()).toBe('later')
    renameSync(`${url}.backup`, url)
    expect(await name()).toBe('later')
    expect((await sql`select username from accounts_users`.execute(db)).rows).toEqual([{ username: 'later' }])
    await db.destroy()
  })

  test('nothing is returned after close', async () => {
    const { visit, loggedIn, db } = await open()
    await loggedIn()
    await db.destroy()
    await expect(visit('s')).rejects.toThrow('the database failed')
  })
})

describe('row cache of a file opened by its path', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await makeDatabase('libsql')
  })
  afterEach(() => database.drop())

  const open = async () => storesOn(openByPath(database.place.url) as Kysely<unknown>)

  test('no read is older than what another process has acknowledged', async () => {
    const { url } = database.place
    expect(await raceOf(await open(), { url, driver: 'libsql' }, steps)).toEqual({
      ...{ code: 0, stale: 0, early: 0 },
    })
  })

  test.each<[string, (at: Awaited<ReturnType<typeof open>>) => Promise<unknown>]>([
    ['the store', ({ sessions }) => sessions.delete('s')],
    ['a statement', ({ db }) => sql`delete from accounts_sessions`.execute(db)],
    [
      'a statement that returns rows',
      ({ db }) => sql`delete from accounts_sessions returning id`.execute(db),
    ],
    [
      'a statement that begins with what it reads',
      ({ db }) =>
        sql`with ended as (select 's' as id) delete from accounts_sessions where id in (select id from ended)`.execute(
          db,
        ),
    ],
    [
      'a transaction',
      ({ db }) => db.transaction().execute((on) => sql`delete from accounts_sessions`.execute(on)),
    ],
    [
      'statements that replace the table',
      async ({ db }) => {
        await sql`create table other as select * from accounts_sessions limit 0`.execute(db)
        await sql`alter table accounts_sessions rename to old`.execute(db)
        await sql`alter table other rename to accounts_sessions`.execute(db)
      },
    ],
  ])('what is written by %s is seen', async (_, write) => {
    const at = await open()
    await at.loggedIn()
    await at.sessions.find('s')
    await write(at)
    expect(await at.visit('s')).toBeNull()
    expect(await at.sessions.find('s')).toBeNull()
    await at.db.destroy()
  })

  test('while nothing changes, no row is read again, and each read costs SQLite one check', async () => {
    const asked: string[] = []
    const restore = watchStatements((text) => asked.push(text))
    try {
      const { visit, sessions, users, loggedIn, db } = await open()
      const { id } = await loggedIn()
      const read = async () => [await visit('s'), await sessions.find('s'), await users.findById(id)]
      const first = await read()
      asked.length = 0
      expect(await read()).toEqual(first)
      expect(asked).toEqual(['PRAGMA data_version', 'PRAGMA data_version', 'PRAGMA data_version'])
      await db.destroy()
    } finally {
      restore()
    }
  })

  test('reads of one turn share one check, made after the last of them', async () => {
    const asked: string[] = []
    const restore = watchStatements((text) => asked.push(text))
    try {
      const { visit, sessions, loggedIn, db } = await open()
      await loggedIn()
      await sessions.find('s')
      const other = await openSqlite('libsql', database.place.url)
      asked.length = 0
      const first = visit('s')
      other.exec('delete from accounts_sessions')
      const later = [visit('s'), sessions.find('s')]
      expect(await Promise.all([first, ...later])).toEqual([null, null, null])
      expect(asked.filter((text) => text.startsWith('PRAGMA'))).toEqual(['PRAGMA data_version'])
      other.close()
      await db.destroy()
    } finally {
      restore()
    }
  })

  test('a noticed change is not forgotten if SQLite fails next', async () => {
    let failing = false
    const restore = watchStatements((text) => {
      if (failing && text === 'PRAGMA data_version') {
        failing = false
        throw new Error('disk I/O error')
      }
    })
    try {
      const { sessions, loggedIn, db } = await open()
      await loggedIn()
      expect(await sessions.find('s')).not.toBeNull()
      await sessions.delete('s')
      failing = true
      expect(await sessions.find('s')).toBeNull()
      expect([failing, await sessions.find('s')]).toEqual([false, null])
      await db.destroy()
    } finally {
      restore()
    }
  })

  test('what was read while a transaction was open is not kept after its rollback', async () => {
    const { db, visit, loggedIn } = await open()
    await loggedIn()
    let reading: ReturnType<typeof visit> | undefined
    const undone = db.transaction().execute(async (on) => {
      await sql`update accounts_users set username = 'uncommitted'`.execute(on)
      reading = visit('s')
      await new Promise(setImmediate)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await reading)?.user?.username).toBe('ada')
    expect((await visit('s'))?.user?.username).toBe('ada')
    await db.destroy()
  })
})

/** Calls back with each statement that a driver runs. @returns a function that stops it */
function watchStatements(told: (text: string) => void): () => void {
  const inNode = process.getBuiltinModule('node:sqlite') as
    | { DatabaseSync: { prototype: object } }
    | undefined
  const drivers = [Libsql, BetterSqlite3, inNode?.DatabaseSync]
  const prototypes = drivers.flatMap((driver) => (driver ? [driver.prototype as { prepare: unknown }] : []))
  const spies = prototypes.map((prototype) => {
    const prepare = prototype.prepare as (this: unknown, text: string) => object
    return vi.spyOn(prototype as { prepare(text: string): object }, 'prepare').mockImplementation(function (
      this: unknown,
      text: string,
    ) {
      const statement = prepare.call(this, text)
      for (const method of ['get', 'all', 'run']) {
        const run = Reflect.get(statement, method).bind(statement)
        Reflect.set(statement, method, (...values: unknown[]) => {
          told(text)
          return run(...values)
        })
      }
      return statement
    })
  })
  return () => {
    for (const spy of spies) spy.mockRestore()
  }
}
