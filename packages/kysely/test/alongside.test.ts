import {
  type AlongsideTransaction,
  createKyselySessionStore,
  createKyselyUserStore,
  type Engine,
  expectsAlongside,
  migrate,
  mysqlDialect,
} from '@fastify-accounts/kysely'
import {
  dialectFor,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { newPendingMail } from '@fastify-accounts/testing'
import {
  type Alongside,
  AlongsideError,
  callBefore,
  type StoredUser,
  UnavailableError,
  type UserChanges,
  type UserStore,
} from 'fastify-accounts'
import { CamelCasePlugin, Kysely, sql } from 'kysely'
import { createPool } from 'mysql2'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { otherNames } from './support/names.js'
import { newSession, newUser } from './support/users.js'

/** The app's own table: one workspace for each person, with a name that is unique. */
interface HostTables {
  workspaces: { ownerId: string; title: string }
}

type Tx = AlongsideTransaction<Kysely<HostTables>>

const idTypes: Record<Engine, string> = {
  sqlite: 'text',
  postgres: 'text collate "C"',
  mysql: 'varbinary(255)',
}

/** What each engine says about a transaction to be run again. */
const momentary: Record<Engine, string> = {
  sqlite: 'SQLITE_BUSY',
  postgres: '40001',
  mysql: 'ER_LOCK_DEADLOCK',
}

describe.each(await driversHere())('alongside: $title', ({ name: driver, engine }) => {
  let database: TestDatabase
  let db: Kysely<HostTables>

  beforeEach(async () => {
    database = await makeDatabase(driver)
    const { place } = database
    const dialect =
      driver === 'mysql2' ? mysqlDialect(createPool({ uri: place.url })) : await dialectFor(place)
    db = new Kysely<HostTables>({ dialect, plugins: [new CamelCasePlugin()] })
    await migrate(db)
    await sql
      .raw(
        `create table workspaces (owner_id ${idTypes[engine]} not null primary key references accounts_users (id), title varchar(100) not null unique)`,
      )
      .execute(db)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const open = (tx: Tx, id: string, title: string) =>
    tx.insertInto('workspaces').values({ ownerId: id, title }).execute()

  /** Makes and removes a workspace with each person, and hands it over. */
  const workspaces: Alongside<Tx> = {
    async created(tx, { id, username }) {
      await open(tx, id, `of ${username}`)
    },
    async deleted(tx, { id }) {
      await tx.deleteFrom('workspaces').where('ownerId', '=', id).execute()
    },
    async handedOver(tx, { id }, { id: newId }) {
      await tx.deleteFrom('workspaces').where('ownerId', '=', newId).execute()
      await tx.updateTable('workspaces').set({ ownerId: newId }).where('ownerId', '=', id).execute()
    },
  }
  const storeWith = (alongside: Alongside<Tx>) => createKyselyUserStore({ db, alongside })
  const owned = async () => {
    const rows = await db.selectFrom('workspaces').selectAll().orderBy('title').execute()
    return rows.map(({ ownerId, title }) => [String(ownerId), title])
  }
  const everybody = async () => {
    const users = await createKyselyUserStore({ db }).list({ limit: 100, order: { by: 'usernameKey' } })
    return users.map(({ username }) => username)
  }
  const waiting = async () => (await createKyselyUserStore({ db }).outbox?.count())?.waiting

  test('the app’s rows come, go and change hands with the user', async () => {
    const store = storeWith(workspaces)
    const [ada, bob, eve] = [
      await store.create(newUser('ada'), [newPendingMail()]),
      await store.create(newUser('bob', { identityKeys: ['oidc:a|b'] })),
      await store.create(newUser('eve')),
    ]
    expect(await owned()).toEqual([
      [ada.id, 'of ada'],
      [bob.id, 'of bob'],
      [eve.id, 'of eve'],
    ])
    expect(await store.delete(ada.id)).toBe(true)
    expect(await store.delete(ada.id)).toBe(false)
    expect(await store.delete(bob.id, [newPendingMail()], eve)).toBe(true)
    expect(await owned()).toEqual([[eve.id, 'of bob']])
    expect([await everybody(), await waiting()]).toEqual([['eve'], 2])
    expect(await store.findByIdentity?.('oidc:a|b')).toBeNull()
  })

  test('names of our columns stay out of the app’s transaction', async () => {
    await migrate(db, otherNames)
    let ids: unknown[] = []
    const store = createKyselyUserStore({
      db,
      ...otherNames,
      alongside: {
        async created(tx) {
          const mine = tx.withTables<{ people: { login: string; person: string } }>()
          ids = (await mine.selectFrom('people').select(['login', 'person']).execute()).map(
            ({ login }) => login,
          )
        },
      },
    })
    await store.create(newUser('ada'))
    expect(ids).toEqual(['ada'])
    expect(await expectsAlongside(db, otherNames)).toBe(true)
  })

  test('an error rolls everything back, as it is, and is not tried again', async () => {
    let calls = 0
    const mine = new Error('the plan is full')
    const failing = storeWith({
      async created(tx, { id }) {
        calls += 1
        await open(tx, id, 'mine')
        throw mine
      },
      async deleted() {
        calls += 1
        throw mine
      },
    })
    const given = newUser('ada', { identityKeys: ['oidc:a|b'] })
    const error = await failing.create(given, [newPendingMail()]).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AlongsideError)
    expect((error as Error).cause).toBe(mine)
    expect([calls, await owned(), await everybody(), await waiting()]).toEqual([1, [], [], 0])

    const ada = await storeWith(workspaces).create(given)
    await expect(failing.delete(ada.id, [newPendingMail()])).rejects.toMatchObject({ cause: mine })
    expect([calls, await owned(), await waiting()]).toEqual([2, [[ada.id, 'of ada']], 0])
    expect(await failing.findByIdentity?.('oidc:a|b')).toEqual(ada)
  })

  test('a value that the app’s own table has already is no taken name of ours', async () => {
    const store = storeWith({ created: async (tx, { id }) => void (await open(tx, id, 'same')) })
    await store.create(newUser('ada'))
    const error = await store.create(newUser('bob')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AlongsideError)
    expect(String((error as Error).cause)).toMatch(/unique|duplicate/i)
    // A taken name stays one, and runs nothing.
    await expect(store.create(newUser('ada'))).rejects.toMatchObject({ field: 'username' })
    expect(await everybody()).toEqual(['ada'])
  })

  test.each([
    ['itself', (error: Error) => error],
    ['within a query builder’s', (cause: Error) => new Error('Failed query', { cause })],
  ])('a deadlock runs the whole again: %s', async (_, wrapped) => {
    let calls = 0
    const store = storeWith({
      async created(tx, { id, username }) {
        calls += 1
        await open(tx, id, `of ${username}`)
        if (calls < 3) throw wrapped(Object.assign(new Error('momentary'), { code: momentary[engine] }))
      },
    })
    const ada = await store.create(newUser('ada'), [newPendingMail()])
    expect([calls, await owned(), await waiting()]).toEqual([3, [[ada.id, 'of ada']], 1])
  })

  test('an import runs it for each person, and only for those who are new', async () => {
    const store = storeWith(workspaces)
    const bob = await store.create(newUser('bob'))
    const users = ['ada', 'bob', 'eve'].map((name) => newUser(name))
    const robot = newUser('robot', { kind: 'service', email: null, emailKey: null })
    expect(await store.createMany?.([...users, robot])).toEqual([
      { id: expect.any(String) },
      { taken: 'username', holder: bob },
      { id: expect.any(String) },
      { id: expect.any(String) },
    ])
    expect((await owned()).map(([, title]) => title)).toEqual(['of ada', 'of bob', 'of eve'])

    const many = Array.from({ length: 120 }, (_, index) => newUser(`user-${index}`))
    await store.createMany?.(many)
    expect(await owned()).toHaveLength(123)
    const failing = storeWith({
      async created(tx, user) {
        await workspaces.created?.(tx, user)
        if (user.username === 'zoe') throw new Error('not her')
      },
    })
    await expect(failing.createMany?.(['yan', 'zoe'].map((name) => newUser(name)))).rejects.toThrow(
      AlongsideError,
    )
    expect(await owned()).toHaveLength(123)
    expect(await everybody()).not.toContain('yan')
  })

  test('service accounts and unclaimed ones have none', async () => {
    let calls = 0
    const counted = async () => {
      calls += 1
    }
    const store = storeWith({ created: counted, deleted: counted, handedOver: counted })
    for (const kind of ['service', 'unclaimed'] as const) {
      const user = await store.create(newUser(kind, { kind, email: null, emailKey: null }))
      expect(await store.delete(user.id)).toBe(true)
    }
    expect(calls).toBe(0)
  })

  test('what is done for a person whose address is taken is undone, and fails alike', async () => {
    const seen: unknown[] = []
    const store = storeWith({
      async created(tx, user) {
        seen.push(user)
        await workspaces.created?.(tx, user)
        if (user.username === 'eve') throw new Error('not her')
      },
    })
    const asked = (name: string) => ({
      wanted: newUser(name),
      unclaimed: newUser(name, { kind: 'unclaimed', email: null, emailKey: null }),
    })
    const { wanted, unclaimed } = asked('ada')
    const kept = await store.create(unclaimed, [newPendingMail()], wanted)
    expect(seen).toMatchObject([{ id: kept.id, username: 'ada', email: 'ada@example.com' }])
    expect([await owned(), await everybody(), await waiting()]).toEqual([[], ['ada'], 1])
    expect(await store.findById(kept.id)).toEqual(kept)
    const eve = asked('eve')
    await expect(store.create(eve.unclaimed, [newPendingMail()], eve.wanted)).rejects.toThrow(AlongsideError)
    expect([await owned(), await everybody(), await waiting()]).toEqual([[], ['ada'], 1])
  })

  test('of simultaneous changes of one user, one runs it', async () => {
    let deleted = 0
    const store = storeWith({
      ...workspaces,
      async deleted(tx, user) {
        deleted += 1
        await workspaces.deleted?.(tx, user)
      },
    })
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => store.create(newUser('ada'))))
    const [ada] = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])) as [StoredUser]
    expect(await owned()).toEqual([[ada.id, 'of ada']])
    const gone = await Promise.all(Array.from({ length: 8 }, () => store.delete(ada.id)))
    expect([gone.filter(Boolean).length, deleted, await owned()]).toEqual([1, 1, []])
  })

  test('a statement that takes longer than the server allows is an outage, not an error of the app', async () => {
    const codes: Record<Engine, string> = {
      sqlite: 'SQLITE_BUSY',
      postgres: '57014',
      mysql: 'ER_STATEMENT_TIMEOUT',
    }
    const created = () => Promise.reject(Object.assign(new Error('too slow'), { code: codes[engine] }))
    const creation = callBefore(performance.now() + 1000, () => storeWith({ created }).create(newUser('ada')))
    await expect(creation).rejects.toThrow(UnavailableError)
  })

  describe('past the deadline', () => {
    const soon = () => performance.now() + 300

    test('a function that hangs is rolled back, and what it does later has no effect', async () => {
      const zoe = await createKyselyUserStore({ db }).create(newUser('zoe'))
      const late: { settled?: Promise<unknown>; resume?: () => void } = {}
      const gate = new Promise<void>((resolve) => {
        late.resume = resolve
      })
      const store = storeWith({
        async created(tx, { id, username }) {
          const work = async () => {
            await open(tx, id, `of ${username}`)
            await gate
            await open(tx, zoe.id, 'late')
          }
          late.settled = work().catch((error: unknown) => error)
          await late.settled
        },
      })
      await expect(callBefore(soon(), () => store.create(newUser('ada')))).rejects.toThrow(UnavailableError)
      late.resume?.()
      expect(await late.settled).toBeInstanceOf(Error)
      expect([await owned(), await everybody()]).toEqual([[], ['zoe']])
    })

    test.skipIf(engine === 'sqlite' || driver === 'pglite')(
      'a statement that waits behind a slow one has none either',
      async () => {
        const zoe = await createKyselyUserStore({ db }).create(newUser('zoe'))
        const late: { settled?: Promise<unknown> } = {}
        const sleep = engine === 'postgres' ? sql`select pg_sleep(0.8)` : sql`select sleep(0.8)`
        const store = storeWith({
          async created(tx) {
            const slow = sleep.execute(tx)
            late.settled = open(tx, zoe.id, 'late').catch((error: unknown) => error)
            await slow
          },
        })
        await expect(callBefore(soon(), () => store.create(newUser('ada')))).rejects.toThrow(UnavailableError)
        expect(String(await late.settled)).toMatch(/the transaction of alongside has ended/)
        expect([await owned(), await everybody()]).toEqual([[], ['zoe']])
      },
    )

    test('a function that waits for another connection of the app ends as well', async () => {
      const own =
        engine === 'sqlite' || driver === 'pglite'
          ? db
          : new Kysely<HostTables>({
              dialect: await dialectFor(database.place, 1),
              plugins: [new CamelCasePlugin()],
            })
      const store = createKyselyUserStore({
        db: own,
        alongside: { created: async () => void (await own.selectFrom('workspaces').selectAll().execute()) },
      })
      await expect(callBefore(soon(), () => store.create(newUser('ada')))).rejects.toThrow(UnavailableError)
      expect(await everybody()).toEqual([])
      if (own !== db) await own.destroy()
    })
  })

  test('an error that the app has caught does not pass for a success', async () => {
    // What an engine does after a deadlock, or any error, by itself.
    const store = storeWith({
      async created(tx, user) {
        await workspaces.created?.(tx, user)
        await sql`rollback`.execute(tx)
      },
    })
    await expect(store.create(newUser('ada'), [newPendingMail()])).rejects.toMatchObject({
      name: 'AlongsideError',
      cause: { message: expect.stringMatching(/^alongside\.created has ended the transaction/) },
    })
    expect([await owned(), await everybody(), await waiting()]).toEqual([[], [], 0])

    const careless = storeWith({
      async created(tx, user) {
        await workspaces.created?.(tx, user)
        await open(tx, user.id, 'twice').catch(() => undefined)
      },
    })
    const { wanted, unclaimed } = {
      wanted: newUser('bob'),
      unclaimed: newUser('bob', { kind: 'unclaimed', email: null, emailKey: null }),
    }
    const outcomes = [
      await careless.create(newUser('ada')).catch((error: unknown) => error),
      await careless.create(unclaimed, [], wanted).catch((error: unknown) => error),
    ]
    // PostgreSQL refuses everything else then; the others go on.
    const isPostgres = engine === 'postgres'
    expect(outcomes.map((outcome) => outcome instanceof AlongsideError)).toEqual([isPostgres, isPostgres])
    expect(await everybody()).toEqual(isPostgres ? [] : ['ada', 'bob'])
  })

  test.skipIf(driver === 'pglite')('tx.client is the driver’s client in the same transaction', async () => {
    const insert = (id: string) => `insert into workspaces (owner_id, title) values ('${id}', 'by client')`
    let kept: (() => unknown) | undefined
    const store = storeWith({
      async created(tx, { id, username }) {
        const client = tx.client as {
          exec(sql: string): void
          query(sql: string, done?: () => void): Promise<unknown>
        }
        const run = () => {
          if (engine === 'sqlite') return client.exec(insert(id))
          if (engine === 'postgres') return client.query(insert(id))
          return new Promise<void>((resolve) => client.query(insert(id), resolve))
        }
        kept = run
        await run()
        const ask: (statement: string) => unknown = engine === 'sqlite' ? client.exec : client.query
        for (const bound of ['begin', ' START TRANSACTION', 'commit', 'rollback;'])
          expect(() => ask(bound)).toThrow(/begin and end none/)
        expect(await tx.selectFrom('workspaces').select('title').execute()).toEqual([{ title: 'by client' }])
        if (username === 'ada') throw new Error('undone')
      },
    })
    await expect(store.create(newUser('ada'))).rejects.toThrow(AlongsideError)
    expect(await owned()).toEqual([])
    const bob = await store.create(newUser('bob'))
    expect(await owned()).toEqual([[bob.id, 'by client']])
    await expect((async () => kept?.())()).rejects.toThrow('the transaction of alongside has ended')
  })

  test.runIf(engine === 'sqlite')('a statement that tx.client has prepared ends with it', async () => {
    const kept: { run(...values: unknown[]): unknown }[] = []
    const store = storeWith({
      async created(tx, { id }) {
        const client = tx.client as { prepare(sql: string): (typeof kept)[number] }
        const statement = client.prepare('insert into workspaces (owner_id, title) values (?, ?)')
        statement.run(id, 'commit to it')
        kept.push(statement)
      },
    })
    const { id } = await store.create(newUser('ada'))
    expect(() => kept[0]?.run(id, 'late')).toThrow('the transaction of alongside has ended')
    expect(await owned()).toEqual([[id, 'commit to it']])
  })

  describe('verified', () => {
    const plainProof = { since: '2026-01-01T00:00:00.000Z', suspects: [], epoch: 0 }
    const verifiedAt: Alongside<Tx> = {
      async verified(tx, { id, email }) {
        await tx.deleteFrom('workspaces').where('ownerId', '=', id).execute()
        await open(tx, id, `of ${email}`)
      },
    }
    /** Updates to their newest record. */
    const updated = async (store: UserStore, { id }: StoredUser, changes: UserChanges) => {
      const { version } = (await store.findById(id)) as StoredUser
      return store.update(id, changes, version, [newPendingMail()])
    }

    test('runs when an address is known to be its user’s, in the transaction of that change', async () => {
      const store = storeWith(verifiedAt)
      const ada = await store.create(newUser('ada'))
      const titlesAfter = async (changes: UserChanges) => {
        await updated(store, ada, changes)
        const found = await owned()
        await db.deleteFrom('workspaces').execute()
        return found.map(([, title]) => title)
      }
      expect(await titlesAfter({ lastLoginAt: new Date() })).toEqual([])
      expect(await titlesAfter({ isVerified: true })).toEqual(['of ada@example.com'])
      expect(await titlesAfter({ isVerified: true })).toEqual([])
      expect(await titlesAfter({ email: 'Ada@example.com' })).toEqual([])
      const moved = { email: 'ada@example.org', emailKey: 'ada@example.org' }
      expect(await titlesAfter(moved)).toEqual(['of ada@example.org'])
      expect(await titlesAfter({ isVerified: false, verifyEpoch: 1 })).toEqual([])
      expect(await titlesAfter({ isVerified: true, notes: { plainProof } })).toEqual([])
      expect(await titlesAfter({ notes: { plainProof, other: 1 } })).toEqual([])
      expect(await titlesAfter({ notes: {} })).toEqual(['of ada@example.org'])
      expect(await titlesAfter({ email: null, emailKey: null })).toEqual([])
      // Staff vouch for it.
      const vouched = { plainProof: { ...plainProof, since: null, suspects: ['passkey:1'] } }
      expect(await titlesAfter({ ...moved, notes: vouched })).toEqual(['of ada@example.org'])
      expect(await titlesAfter({ notes: {} })).toEqual([])
      expect(await everybody()).toEqual(['ada'])
    })

    test('runs for an account that is created verified, after `created`', async () => {
      const order: unknown[] = []
      const store = storeWith({
        created: async (_tx, { username }) => void order.push(['created', username]),
        verified: async (_tx, { username }) => void order.push(['verified', username]),
      })
      await store.create(newUser('ada', { isVerified: true }))
      const robot = newUser('robot', { kind: 'service', email: null, emailKey: null, isVerified: true })
      await store.createMany?.([newUser('bob', { isVerified: true }), newUser('eve'), robot])
      const wanted = newUser('zoe', { email: 'ada@example.com', isVerified: true })
      await store.create(
        { ...newUser('zoe', { kind: 'unclaimed' }), email: null, emailKey: null },
        [],
        wanted,
      )
      expect(order).toEqual([
        ['created', 'ada'],
        ['verified', 'ada'],
        ['created', 'bob'],
        ['verified', 'bob'],
        ['created', 'eve'],
        ['created', 'zoe'],
        ['verified', 'zoe'],
      ])
      expect(storeWith(verifiedAt).runsCreated).toBe(true)
    })

    test('an error rolls back the change, its messages and its sessions', async () => {
      const mine = new Error('the domain is closed')
      const failing = storeWith({
        async verified(tx, user) {
          await verifiedAt.verified?.(tx, user)
          throw mine
        },
      })
      const ada = await failing.create(newUser('ada'))
      await expect(updated(failing, ada, { isVerified: true })).rejects.toMatchObject({ cause: mine })
      const sessions = createKyselySessionStore({ db, userStore: failing })
      const create = newSession('one', { userId: ada.id })
      const together = sessions.withUsers?.update?.(ada.id, { isVerified: true }, 1, [], { create })
      await expect(together).rejects.toThrow(AlongsideError)
      await expect(failing.create(newUser('bob', { isVerified: true }))).rejects.toMatchObject({
        cause: mine,
      })
      expect([await owned(), await everybody(), await waiting()]).toEqual([[], ['ada'], 0])
      expect([await failing.findById(ada.id), await sessions.listByUser(ada.id)]).toEqual([ada, []])

      const store = storeWith(verifiedAt)
      const both = createKyselySessionStore({ db, userStore: store })
      await both.withUsers?.update?.(ada.id, { isVerified: true }, 1, [], { create })
      expect([await owned(), (await both.listByUser(ada.id)).length]).toEqual([
        [[ada.id, 'of ada@example.com']],
        1,
      ])
    })

    test('past the deadline nothing is kept, and of simultaneous proofs one runs it', async () => {
      const hanging = storeWith({
        async verified(tx, user) {
          await verifiedAt.verified?.(tx, user)
          await new Promise(() => {})
        },
      })
      const ada = await hanging.create(newUser('ada'))
      const late = callBefore(performance.now() + 300, () => hanging.update(ada.id, { isVerified: true }, 1))
      await expect(late).rejects.toThrow(UnavailableError)
      expect([await owned(), await hanging.findById(ada.id)]).toEqual([[], ada])

      let calls = 0
      const store = storeWith({
        async verified(tx, user) {
          calls += 1
          await open(tx, user.id, 'once')
        },
      })
      const proofs = Array.from({ length: 8 }, () => store.update(ada.id, { isVerified: true }, 1))
      const done = (await Promise.all(proofs)).filter((user) => user !== null)
      expect([done.length, calls, await owned()]).toEqual([1, 1, [[ada.id, 'once']]])
    })
  })

  test('the database notes that it is expected, from the first change on', async () => {
    const plain = createKyselyUserStore({ db })
    await plain.create(newUser('ada'))
    expect([await expectsAlongside(db), await plain.inspect?.()]).toEqual([false, []])
    const store = storeWith(workspaces)
    await Promise.all(['bob', 'eve'].map((name) => store.create(newUser(name))))
    expect([await expectsAlongside(db), await store.inspect?.()]).toEqual([true, []])
    expect(await plain.inspect?.()).toEqual([
      expect.stringMatching(/^the app of this database has alongside/),
    ])
    // It changes nothing for migrations.
    expect(await migrate(db)).toEqual([])

    await sql`drop table accounts_migrations_lock`.execute(db)
    const other = storeWith(workspaces)
    await other.create(newUser('zoe'))
    expect(await expectsAlongside(db)).toBe(false)
    expect(await other.inspect?.()).toEqual([
      expect.stringMatching(/^accounts_migrations_lock can't be read/),
    ])
  })
})

test('a wrong alongside stops the start', async () => {
  const { place, drop } = await makeDatabase('libsql')
  const db = new Kysely<HostTables>({ dialect: await dialectFor(place) })
  const made = (alongside: unknown) => () =>
    createKyselyUserStore({ db, alongside: alongside as Alongside<Tx> })
  expect(made({ created: 'x' })).toThrow(new TypeError('alongside.created must be a function'))
  expect(made({ create: () => {} })).toThrow(new TypeError('alongside.create is not an option'))
  expect(made('x')).toThrow(new TypeError('alongside must be an object of functions'))
  expect(made(null)).toThrow(TypeError)
  expect(made({ deleted: undefined })).not.toThrow()
  await db.destroy()
  await drop()
})
