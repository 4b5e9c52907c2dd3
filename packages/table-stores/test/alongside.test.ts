import { driversHere, runSql, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { makeTables, openSql } from '@fastify-accounts/test-support/tables/open-tables'
import { type Connection, sqlTables } from '@fastify-accounts/test-support/tables/sql-tables'
import { newPendingMail, newUser } from '@fastify-accounts/testing'
import {
  type Alongside,
  AlongsideError,
  callBefore,
  DuplicateError,
  UnavailableError,
  type UserChanges,
  type UserStore,
} from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableUserStore } from '../src/index.js'

const drivers = await driversHere(['libsql', 'pg', 'mysql2'])

describe.each(drivers)('alongside, in stores on tables: $title', ({ name: driver, engine }) => {
  let database: TestDatabase
  let opened: Awaited<ReturnType<typeof openSql>>[] = []

  beforeEach(async () => {
    database = await makeTables(driver)
    const id = { sqlite: 'TEXT', postgres: 'TEXT COLLATE "C"', mysql: 'VARBINARY(255)' }[engine]
    const table = `(owner ${id} NOT NULL PRIMARY KEY REFERENCES users (id), title VARCHAR(100) NOT NULL UNIQUE)`
    await runSql(
      database.place,
      `CREATE TABLE workspaces ${table}`,
      'CREATE TABLE locks (name VARCHAR(9) PRIMARY KEY, taken INTEGER NOT NULL)',
      "INSERT INTO locks VALUES ('a', 0), ('b', 0)",
    )
  })
  afterEach(async () => {
    for (const sql of opened) await sql.close()
    opened = []
    await database.drop()
  })

  const open = (tx: Connection, owner: string, title: string) =>
    tx.run('INSERT INTO workspaces (owner, title) VALUES (?, ?)', [owner, title])
  const close = (tx: Connection, owner: string) => tx.run('DELETE FROM workspaces WHERE owner = ?', [owner])

  /** Makes and removes a workspace with each person, and hands it over. */
  const workspaces: Alongside<Connection> = {
    async created(tx, { id, username }) {
      await open(tx, id, `of ${username}`)
    },
    async deleted(tx, { id }) {
      await close(tx, id)
    },
    async handedOver(tx, { id }, { id: newId }) {
      await close(tx, newId)
      await tx.run('UPDATE workspaces SET owner = ? WHERE owner = ?', [newId, id])
    },
  }
  async function storeWith(alongside?: Alongside<Connection>) {
    const sql = await openSql(database.place)
    opened.push(sql)
    return createTableUserStore({ ...sqlTables(sql).users, alongside })
  }
  const titles = async () => {
    const rows = await runSql(database.place, 'SELECT title FROM workspaces ORDER BY title')
    return rows.map(({ title }) => title)
  }
  const usernames = async () => {
    const rows = await runSql(database.place, 'SELECT username FROM users ORDER BY username')
    return rows.map(({ username }) => username)
  }
  const named = (username: string) =>
    newUser({ username, usernameKey: username, email: null, emailKey: null })

  test('the app’s rows come, go and change hands with the user', async () => {
    const store = await storeWith(workspaces)
    const [ada, bob, eve] = [
      await store.create(named('ada'), [newPendingMail()]),
      await store.create({ ...named('bob'), identityKeys: ['oidc:a|b'] }),
      await store.create(named('eve')),
    ]
    expect(await titles()).toEqual(['of ada', 'of bob', 'of eve'])
    expect([await store.delete(ada.id), await store.delete(ada.id)]).toEqual([true, false])
    expect(await store.delete(bob.id, [newPendingMail()], eve)).toBe(true)
    expect([await titles(), await usernames()]).toEqual([['of bob'], ['eve']])
    expect(await store.outbox?.count()).toEqual({ waiting: 2, dead: 0 })
    expect(await store.findByIdentity?.('oidc:a|b')).toBeNull()
  })

  test('an import makes them for each person, and for nobody else', async () => {
    const store = await storeWith(workspaces)
    await store.create(named('ada'))
    const outcomes = await store.createMany?.([
      named('bob'),
      named('ada'),
      { ...named('robot'), kind: 'service' },
    ])
    expect(outcomes?.map((outcome) => 'id' in outcome)).toEqual([true, false, true])
    expect(await titles()).toEqual(['of ada', 'of bob'])
  })

  test('an error rolls everything back, as it is, and is not tried again', async () => {
    const mine = new Error('the plan is full')
    let calls = 0
    const store = await storeWith({
      async created(tx, { id }) {
        calls += 1
        await open(tx, id, 'mine')
        throw mine
      },
      deleted: () => Promise.reject(mine),
    })
    const thrown = await store.create(named('ada'), [newPendingMail()]).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(AlongsideError)
    expect(thrown).toMatchObject({ cause: mine })
    expect([calls, await titles(), await usernames()]).toEqual([1, [], []])
    expect(await store.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
    const bob = await (await storeWith()).create(named('bob'))
    await expect(store.delete(bob.id, [newPendingMail()])).rejects.toMatchObject({ cause: mine })
    expect([await usernames(), (await store.findById(bob.id))?.version]).toEqual([['bob'], 1])
    expect(await store.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
  })

  test('verified runs once an address is known to be its user’s, in that transaction', async () => {
    const since = '2026-01-01T00:00:00.000Z'
    const plainProof = { since, suspects: [], epoch: 0 }
    const seen: unknown[] = []
    const store = await storeWith({
      async verified(tx, { id, username, email }) {
        seen.push(email)
        await close(tx, id)
        await open(tx, id, `of ${email}`)
        if (username === 'eve') throw new Error('her domain is closed')
      },
    })
    const from = (username: string) => ({
      ...named(username),
      email: `${username}@a`,
      emailKey: `${username}@a`,
    })
    const ada = await store.create(from('ada'))
    let version = 1
    const update = async (changes: UserChanges) => {
      await store.update(ada.id, changes, version)
      version += 1
      return seen.splice(0)
    }
    expect(await update({ lastLoginAt: new Date() })).toEqual([])
    expect(await update({ isVerified: true, notes: { plainProof } })).toEqual([])
    expect(await update({ notes: {} })).toEqual(['ada@a'])
    expect(await update({ isVerified: true, notes: {} })).toEqual([])
    expect(await update({ email: 'ada@b', emailKey: 'ada@b' })).toEqual(['ada@b'])
    expect(await titles()).toEqual(['of ada@b'])

    // Created so, and imported so; what is done for a taken address is undone.
    await store.create({ ...from('bob'), isVerified: true })
    await store.createMany?.([{ ...from('zoe'), isVerified: true }, from('yan')])
    const unclaimed = { ...named('max'), kind: 'unclaimed' } as const
    await store.create(unclaimed, [], { ...from('max'), isVerified: true })
    expect(seen.splice(0)).toEqual(['bob@a', 'zoe@a', 'max@a'])
    expect(await titles()).toEqual(['of ada@b', 'of bob@a', 'of zoe@a'])
    expect(store.runsCreated).toBe(true)

    const eve = await store.create(from('eve'))
    const thrown = await store.update(eve.id, { isVerified: true }, 1, [newPendingMail()]).catch(String)
    expect(thrown).toBe('AlongsideError: alongside.verified failed')
    expect([await store.findById(eve.id), await store.outbox?.count()]).toEqual([
      eve,
      { waiting: 0, dead: 0 },
    ])
    expect((await titles()).length).toBe(3)
  })

  test('of simultaneous proofs one runs it, and one that hangs leaves nothing', async () => {
    let calls = 0
    const store = await storeWith({
      async verified(tx, { id }) {
        calls += 1
        await open(tx, id, 'once')
      },
    })
    const hanging = await storeWith({
      async verified(tx, { id }) {
        await open(tx, id, 'late')
        await new Promise(() => {})
      },
    })
    const ada = await store.create({ ...named('ada'), email: 'ada@a', emailKey: 'ada@a' })
    const prove = (on: UserStore) => on.update(ada.id, { isVerified: true }, 1)
    await expect(callBefore(performance.now() + 300, () => prove(hanging))).rejects.toThrow(UnavailableError)
    expect([await titles(), await store.findById(ada.id)]).toEqual([[], ada])
    const done = await Promise.all(Array.from({ length: 6 }, () => prove(store)))
    expect(done.filter((user) => user !== null)).toHaveLength(1)
    // A loser may have been rolled back after it ran.
    expect([calls > 0, await titles()]).toEqual([true, ['once']])
  })

  test('a unique index of the app is not mistaken for a taken username', async () => {
    const store = await storeWith({ created: async (tx, { id }) => void (await open(tx, id, 'same')) })
    await store.create(named('ada'))
    const thrown = await store.create(named('bob')).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(AlongsideError)
    expect([await titles(), await usernames()]).toEqual([['same'], ['ada']])
  })

  test('what it does for a sign-up with a taken address is undone', async () => {
    const seen: (string | null)[] = []
    const store = await storeWith({
      async created(tx, { id, username, email }) {
        seen.push(username, email)
        await open(tx, id, `of ${username}`)
      },
    })
    const wanted = newUser({ username: 'ada', usernameKey: 'ada', email: 'ada@example.org' })
    const unclaimed = { ...wanted, kind: 'unclaimed', email: null, emailKey: null } as const
    const { kind } = await store.create(unclaimed, [newPendingMail()], wanted)
    expect([kind, seen, await titles(), await usernames()]).toEqual([
      'unclaimed',
      ['ada', 'ada@example.org'],
      [],
      ['ada'],
    ])
    expect(await store.outbox?.count()).toEqual({ waiting: 1, dead: 0 })
    expect(store.runsCreated).toBe(true)
  })

  test('sign-ups take as many round trips, whether their address is taken or free', async () => {
    const sql = await openSql(database.place)
    opened.push(sql)
    const { users } = sqlTables(sql)
    let [trips, underWay] = [0, 0]
    /** What begins while another call is under way takes no time of its own. */
    const counted =
      <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        if (underWay === 0) trips += 1
        underWay += 1
        return call(...given).finally(() => {
          underWay -= 1
        })
      }
    const store = createTableUserStore({
      ...users,
      transaction(run) {
        // Its begin, and its end.
        trips += 2
        return users.transaction(run)
      },
      find: counted(users.find),
      insert: counted(users.insert),
      compareAndSwap: counted(users.compareAndSwap),
      alongside: workspaces,
    })
    const wanted = { ...named('ada'), email: 'ada@example.org', emailKey: 'ada@example.org' }
    // As packages/accounts/src/users/create-or-pretend.ts does after a sign-up with a free address.
    const { id } = await store.create(wanted)
    await store.update(id, { verifyEpoch: 0 }, 0)
    await store.findByEmail('ada@example.org')
    await store.findByEmail('ada@example.org')
    const free = trips
    trips = 0
    const again = { ...wanted, username: 'eve', usernameKey: 'eve' }
    await expect(store.create(again)).rejects.toThrow(DuplicateError)
    await store.findByEmail('ada@example.org')
    await store.create({ ...named('eve'), kind: 'unclaimed' }, [], again)
    expect(trips).toBe(free)
    expect(await titles()).toEqual(['of ada'])
  })

  test('a function that takes too long is given up, and nothing is kept', async () => {
    const store = await storeWith({
      async created(tx, { id }) {
        await open(tx, id, 'late')
        await new Promise(() => {})
      },
    })
    const late = callBefore(performance.now() + 300, () => store.create(named('ada')))
    await expect(late).rejects.toThrow(UnavailableError)
    expect([await titles(), await usernames()]).toEqual([[], []])
  })

  test.skipIf(engine === 'sqlite')('an error of the database that it hides fails the call', async () => {
    const hiding = async (tx: Connection) => {
      // PostgreSQL then answers COMMIT by rolling back; MySQL only undoes the statement.
      await tx.run('INSERT INTO nowhere VALUES (?)', [1]).catch(() => undefined)
      if (engine === 'mysql') await tx.run('ROLLBACK', [])
    }
    const ada = await (await storeWith()).create(named('ada'))
    const store = await storeWith({ created: hiding, deleted: hiding, verified: hiding })
    const prove = () => store.update(ada.id, { email: 'ada@a', emailKey: 'ada@a', isVerified: true }, 1)
    const calls = [() => store.create(named('bob')), () => store.delete(ada.id), prove]
    for (const call of calls) {
      const thrown = await call().catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(AlongsideError)
      expect(thrown).toMatchObject({ cause: { message: expect.stringContaining('let such errors pass') } })
    }
    expect(await usernames()).toEqual(['ada'])
  })

  test('of two deletions, one runs it, also where the app deletes the user itself', async () => {
    let calls = 0
    const deleted = async (tx: Connection, { id }: { id: string }) => {
      calls += 1
      await close(tx, id)
      await tx.run('DELETE FROM users WHERE id = ?', [id])
    }
    const [first, second] = [await storeWith({ ...workspaces, deleted }), await storeWith()]
    const third = engine === 'sqlite' ? first : await storeWith({ deleted })
    for (let round = 1; round <= 10; round += 1) {
      const { id } = await first.create(named('ada'))
      const went = await Promise.all([first, third, first, third].map((store) => store.delete(id)))
      expect(went.filter((gone) => gone)).toEqual([true])
      expect([calls, await second.findById(id), await titles()]).toEqual([round, null, []])
    }
  })

  test.skipIf(engine === 'sqlite')('after a deadlock the whole transaction runs again', async () => {
    let [calls, have] = [0, 0]
    let bothHave = () => {}
    const both = new Promise<void>((resolve) => {
      bothHave = resolve
    })
    const take = (tx: Connection, name: string) =>
      tx.run('UPDATE locks SET taken = taken + 1 WHERE name = ?', [name])
    const store = await storeWith({
      async created(tx, { id, username }) {
        calls += 1
        await open(tx, id, `of ${username}`)
        // The second time in the other's order: it waits there, instead of taking again what the other waits for.
        const order = (username === 'ada') === calls <= 2 ? ['a', 'b'] : ['b', 'a']
        await take(tx, order[0] ?? '')
        have += 1
        if (have === 2) bothHave()
        await both
        await take(tx, order[1] ?? '')
      },
    })
    await Promise.all([store.create(named('ada')), store.create(named('bob'))])
    expect([calls, await titles(), await usernames()]).toEqual([3, ['of ada', 'of bob'], ['ada', 'bob']])
    const [row] = await runSql(database.place, 'SELECT sum(taken) AS total FROM locks')
    expect(Number(row?.total)).toBe(4)
  })

  test('a wrong option stops the start', async () => {
    const wrong: object = { created: 'no' }
    await expect(storeWith(wrong)).rejects.toThrow(new TypeError('alongside.created must be a function'))
  })
})
