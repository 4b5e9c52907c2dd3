import { createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import {
  dialectFor,
  driversHere,
  makeDatabase,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { newMembership, newOrganization } from '@fastify-accounts/testing/organizations'
import type { StoredUser } from 'fastify-accounts'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newUser } from './support/users.js'

const drivers = await driversHere(['libsql', 'pg', 'mysql2'])

describe.each(drivers)('organizations on $title', ({ name, engine }) => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let asked: string[]
  beforeEach(async () => {
    database = await makeDatabase(name)
    asked = []
    const log = ({ query }: { query: { sql: string } }) => void asked.push(query.sql)
    db = new Kysely({ dialect: await dialectFor(database.place), log })
    await migrate(db)
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  test('one statement finds an organization with a membership, and on SQLite none while nothing changes', async () => {
    const store = createKyselyOrganizationStore({ db })
    const organization = newOrganization()
    const { id, slug } = organization
    await store.create(organization, [newMembership({ organizationId: id })])
    for (const key of [{ id }, { slug }])
      for (const userId of ['user-1', 'user-2']) {
        await store.findFor(key, userId)
        asked.length = 0
        const found = await store.findFor(key, userId)
        expect(found?.membership?.userId).toBe(userId === 'user-1' ? userId : undefined)
        expect(asked).toHaveLength(engine === 'sqlite' ? 0 : 1)
      }
    if (name !== 'pg') return
    asked.length = 0
    await Promise.all([1, 2, 3, 4].map((n) => store.findFor({ id }, `user-${n}`)))
    expect(asked).toHaveLength(1)
  })

  test('a user is deleted with their memberships and the app’s own rows, or none of it happens', async () => {
    await sql`create table notes (user_id varchar(100))`.execute(db)
    const ids: string[] = []
    const users = createKyselyUserStore({
      db,
      alongside: {
        async deleted(tx, user) {
          ids.push(user.id)
          await sql`delete from notes where user_id = ${user.id}`.execute(tx as Kysely<unknown>)
        },
      },
    })
    const { create, find, withUsers } = createKyselyOrganizationStore({ db, userStore: users })
    const user = await users.create(newUser('ada'))
    await sql`insert into notes values (${user.id})`.execute(db)
    const organization = newOrganization()
    const { id: organizationId } = organization
    await create(organization, [newMembership({ organizationId, userId: user.id })])
    const left = async (): Promise<[StoredUser | null, number, number | undefined]> => {
      const { rows } = await sql`select * from notes`.execute(db)
      return [await users.findById(user.id), rows.length, (await find({ id: organizationId }))?.version]
    }
    const write = { organizationId, expectedVersion: 2, isDeletion: true }
    expect(await withUsers?.delete([write], user.id)).toBe('changed')
    expect(await left()).toEqual([user, 1, 1])
    expect(await withUsers?.delete([{ ...write, expectedVersion: 1 }], user.id)).toBe('written')
    expect(await left()).toEqual([null, 0, undefined])
    expect(ids).toEqual([user.id, user.id])
  })

  test('messages need a user store, which must be on the same database', async () => {
    const store = createKyselyOrganizationStore({ db })
    expect([store.outbox, store.withUsers]).toEqual([undefined, undefined])
    const message = { realm: 'accounts', userId: null }
    await expect(store.create(newOrganization(), [], [message])).rejects.toThrow('messages need a userStore')
    const elsewhere = createKyselyUserStore({ db: new Kysely({ dialect: await dialectFor(database.place) }) })
    expect(() => createKyselyOrganizationStore({ db, userStore: elsewhere })).toThrow(
      'userStore must be made by createKyselyUserStore on the same db',
    )
  })
})
