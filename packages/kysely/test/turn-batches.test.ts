import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import {
  dialectFor,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newSession, newUser } from './support/users.js'

describe.each(await driversHere(['pg', 'pglite']))('lookups of one turn: $title', ({ name }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let asked: string[]
  beforeEach(async () => {
    database = await makeDatabase(name)
    asked = []
    db = new Kysely<unknown>({
      dialect: await dialectFor(database.place, 5),
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

  test('see what was written before they asked, even later in the turn', async () => {
    const { users, sessions, ada } = await makeStores()
    const first = users.findById(ada.id)
    await users.update(ada.id, { isStaff: true }, 1)
    const [early, late] = await Promise.all([first, users.findById(ada.id)])
    expect(late?.isStaff).toBe(true)
    expect(early?.id).toBe(ada.id)
    await sessions.delete('of ada')
    expect(await Promise.all([sessions.find('of ada'), sessions.find('of bob')])).toMatchObject([
      null,
      { id: 'of bob' },
    ])
  })

  test('are at most 100 per query', async () => {
    const { users, ada } = await makeStores()
    const ids = Array.from({ length: 150 }, (_, n) => (n === 120 ? ada.id : `${n}`))
    const found = await Promise.all(ids.map((id) => users.findById(id)))
    expect(found.filter((user) => user !== null)).toEqual([ada])
    expect(asked).toHaveLength(2)
  })

  test('do not fail because another one does', async () => {
    const { users, ada, bob } = await makeStores()
    // An app's own type: a text that is no UUID is an error, for all in the query.
    await sql`alter table accounts_users alter column id type uuid using id::uuid`.execute(db)
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
  })
})
