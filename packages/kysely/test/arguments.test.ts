import {
  createKyselySessionStore,
  createKyselyUserStore,
  describeTables,
  migrate,
} from '@fastify-accounts/kysely'
import { connect } from '@fastify-accounts/test-support/databases'
import { newPendingMail } from '@fastify-accounts/testing'
import { InvalidArgumentError } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSession, newUser } from './support/users.js'

let db: Kysely<unknown>
beforeEach(async () => {
  db = await connect({ driver: 'libsql', url: ':memory:' })
  await migrate(db)
})
afterEach(() => db.destroy())

test('an import refuses ids that no column holds, and writes no one of it', async () => {
  const store = createKyselyUserStore({ db })
  for (const id of ['', 'ä'.repeat(128), 7 as unknown as string])
    await expect(store.createMany?.([newUser('ada'), { ...newUser('ben'), id }])).rejects.toThrow(
      InvalidArgumentError,
    )
  expect(await store.findByUsername('ada')).toBeNull()
  const uuids = createKyselyUserStore({ db, columns: { users: { id: { as: 'uuid' } } } })
  const id = '01234567-89AB-4CDE-8F01-23456789ABCD'
  await expect(uuids.createMany?.([{ ...newUser('ada'), id }])).rejects.toThrow(
    'id must be a UUID in lower case',
  )
  expect(await uuids.createMany?.([{ ...newUser('ada'), id: id.toLowerCase() }])).toHaveLength(1)
})

test('an outbox refuses what no message has, and keeps the message', async () => {
  const { outbox } = createKyselyUserStore({ db })
  if (outbox === undefined) throw new Error('the store has an outbox')
  await outbox.add([newPendingMail({ realm: 'main' })])
  const now = new Date(Date.now() + 1000)
  const [entry] = await outbox.claim({ realms: ['main'], now, until: now, limit: 1 })
  if (entry === undefined) throw new Error('a message is due')
  const later = { dueAt: null, attempts: 1, error: new Error('no text') as unknown as string }
  await expect(outbox.postpone(entry, later)).rejects.toThrow('error must be a text')
  for (const limit of [0, -1, 0.5])
    await expect(outbox.listDead({ limit })).rejects.toThrow(InvalidArgumentError)
  await expect(outbox.listDead({ limit: 1, after: '' })).rejects.toThrow(InvalidArgumentError)
  expect(await outbox.count()).toEqual({ waiting: 1, dead: 0 })
  await outbox.postpone(entry, { ...later, error: 'a\0b' })
  expect(await outbox.listDead({ limit: 1 })).toMatchObject([{ error: 'ab' }])
  // As an administrator may have cleared it.
  await sql`update accounts_outbox set error = null`.execute(db)
  expect(await outbox.listDead({ limit: 1 })).toMatchObject([{ error: '' }])
})

test('more ways to log in than are kept come back as they are', async () => {
  const sessions = createKyselySessionStore({ db })
  for (let n = 0; n < 102; n += 1) await sessions.create(newSession(`s${n}`, { methods: ['pwd', `way${n}`] }))
  for (const n of [...Array(102).keys(), 101, 0]) {
    const methods = (await sessions.find(`s${n}`))?.methods
    expect(methods).toEqual(['pwd', `way${n}`])
    // The lists that are kept are not handed out.
    if (Array.isArray(methods)) methods.push('changed')
  }
})

test('tables are described as migrate makes them, if nothing is said about them', async () => {
  for (const { name, columns } of describeTables()) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${name})`.execute(db)
    expect(columns.map((column) => column.name).sort()).toEqual(rows.map((row) => row.name).sort())
  }
})

test('doctor misses no limits of a server where there is none', async () => {
  expect(await createKyselyUserStore({ db }).inspect?.(1000)).toEqual([])
})
