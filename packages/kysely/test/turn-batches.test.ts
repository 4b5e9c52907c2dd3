import { AsyncLocalStorage } from 'node:async_hooks'
import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  dialectFor,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inTurnBatches } from '../src/run/turn-batches.js'
import { newSession, newUser } from './support/users.js'

describe.each(await driversHere(['pg']))('lookups of one turn: $title', ({ name }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let asked: string[]
  beforeEach(async () => {
    database = await makeDatabase(name)
    asked = []
    db = new Kysely<unknown>({
      dialect: await dialectFor(database.place, 1),
      log: ({ query }) => void asked.push(query.sql),
    })
    await migrate(db)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  async function makeStores() {
    const users = createKyselyUserStore({ db })
    const sessions = createKyselySessionStore({ db, userStore: users })
    const [ada, bob] = [await users.create(newUser('ada')), await users.create(newUser('bob'))]
    for (const { id, username } of [ada, bob]) {
      await sessions.create(newSession(`of ${username}`, { userId: id }))
    }
    asked.length = 0
    return { users, sessions, ada, bob }
  }

  test('share a query, and each gets its own row', async () => {
    const { users, sessions, ada, bob } = await makeStores()
    const found = await Promise.all([
      users.findById(ada.id),
      users.findById(bob.id),
      users.findById('nobody'),
      users.findById(ada.id),
    ])
    expect(found).toEqual([ada, bob, null, ada])
    expect(found[0]).not.toBe(found[3])
    expect(asked).toHaveLength(1)

    asked.length = 0
    expect(
      await Promise.all(['bob', 'nobody', 'ada'].map((username) => users.findByUsername(username))),
    ).toEqual([bob, null, ada])
    expect(asked).toHaveLength(1)

    asked.length = 0
    const ids = ['of ada', 'of nobody', 'of bob']
    const pairs = await Promise.all(ids.map((id) => sessions.withUsers?.find(id)))
    expect(pairs.map((pair) => pair?.user?.id)).toEqual([ada.id, undefined, bob.id])
    expect(asked).toHaveLength(1)
  })

  test('find a row that the database takes for equal, with others or alone', async () => {
    const { users, ada, bob } = await makeStores()
    await sql`alter table accounts_users alter column id type uuid using id::uuid`.execute(db)
    const upper = ada.id.toUpperCase()
    expect(await users.findById(upper)).toEqual(ada)
    expect(await Promise.all([users.findById(upper), users.findById(bob.id)])).toEqual([ada, bob])
  })

  test('keep their plan where one is looked up', async () => {
    const { users, ada } = await makeStores()
    for (let n = 0; n < 20; n++) await users.findById(ada.id)
    const { rows } = await sql<{
      plans: string
    }>`select generic_plans::text as plans from pg_prepared_statements
      where statement like '%"id" = $1%' and statement like '%accounts_users%' order by generic_plans desc`.execute(
      db,
    )
    expect(Number(rows[0]?.plans)).toBeGreaterThan(10)
  })

  test("are queries of their own on an app's own pool, which may depend on the async context", async () => {
    const { ada, bob } = await makeStores()
    const tenant = new AsyncLocalStorage<string>()
    const contexts: unknown[] = []
    const own = new Kysely<unknown>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.place.url }) }),
      log: () => void contexts.push(tenant.getStore()),
    })
    const users = createKyselyUserStore({ db: own })
    await Promise.all([
      tenant.run('a', () => users.findById(ada.id)),
      tenant.run('b', () => users.findById(bob.id)),
    ])
    expect(contexts.toSorted()).toEqual(['a', 'b'])
    await own.destroy()
  })

  test('are at most 100 per query', async () => {
    const { users, ada } = await makeStores()
    const ids = Array.from({ length: 150 }, (_, n) => (n === 120 ? ada.id : `${n}`))
    const found = await Promise.all(ids.map((id) => users.findById(id)))
    expect(found.filter((user) => user !== null)).toEqual([ada])
    expect(asked).toHaveLength(2)
  })

  test('do not fail because a key of another one is rejected', async () => {
    const { users, ada, bob } = await makeStores()
    // An app's own type: a text that is no UUID is an error, for all in the query.
    await sql`alter table accounts_users alter column id type uuid using id::uuid`.execute(db)
    asked.length = 0
    const found = await Promise.allSettled([
      users.findById(ada.id),
      users.findById('no uuid'),
      users.findById(bob.id),
    ])
    expect(found).toMatchObject([
      { status: 'fulfilled', value: { username: 'ada' } },
      { status: 'rejected', reason: { name: 'UnavailableError' } },
      { status: 'fulfilled', value: { username: 'bob' } },
    ])
    // The shared query, and one for each.
    expect(asked).toHaveLength(4)
  })

  test('fail together if the query does, without another query', async () => {
    const { users, ada, bob } = await makeStores()
    await sql`alter table accounts_users rename to gone`.execute(db)
    asked.length = 0
    const found = await Promise.allSettled([users.findById(ada.id), users.findById(bob.id)])
    expect(found.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(asked).toHaveLength(1)
  })
})

test('a lookup joins a query that begins after it, and sees what was written before it', async () => {
  const rows = new Map([['a', 'old']])
  const queries: string[][] = []
  const find = inTurnBatches({
    async one(key) {
      queries.push([key])
      return rows.get(key)
    },
    async many(keys) {
      queries.push([...keys])
      return new Map(rows)
    },
  })
  const early = find('a')
  await null
  rows.set('a', 'new').set('b', 'other')
  const late = [find('a'), find('b')]
  expect(await Promise.all([early, ...late])).toEqual(['new', 'new', 'other'])
  expect(queries).toEqual([['a', 'b']])
  rows.set('a', 'newest')
  expect(await find('a')).toBe('newest')
})
