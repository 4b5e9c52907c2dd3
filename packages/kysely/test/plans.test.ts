import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  sqliteDialect,
} from '@fastify-accounts/kysely'
import { CompiledQuery, Kysely } from 'kysely'
import SqliteFile from 'libsql'
import { expect, test } from 'vitest'
import { newSession, newUser } from './support/users.js'

test('every query goes through an index, and no page is sorted', async () => {
  const asked = new Set<string>()
  const db = new Kysely<unknown>({
    dialect: sqliteDialect(new SqliteFile(':memory:')),
    log: ({ query }) => void asked.add(query.sql),
  })
  await migrate(db)
  asked.clear()

  const users = createKyselyUserStore({ db })
  const user = await users.create(newUser('ada'))
  await users.findById(user.id)
  await users.findByUsername('ada')
  await users.findByEmail('ada@example.com')
  await users.list({ limit: 10 })
  await users.list({ limit: 10, after: user })
  await users.update(user.id, { isStaff: true }, 1)
  await users.delete(user.id)
  const sessions = createKyselySessionStore({ db })
  const session = newSession('s1')
  await sessions.create(session)
  await sessions.find('s1')
  await sessions.touch('s1', session)
  await sessions.listByUser('ada')
  await sessions.deleteByUser('ada', 's1')
  await sessions.deleteByUser('ada')
  await sessions.delete('s1')
  await sessions.deleteExpired(new Date())

  const queries = [...asked]
  expect(queries).toHaveLength(17)
  for (const sql of queries) {
    const { rows } = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(
        `explain query plan ${sql}`,
        Array(20)
          .fill(1)
          .slice(0, sql.split('?').length - 1),
      ),
    )
    const plan = rows.map(({ detail }) => detail).join('; ')
    expect(plan, sql).not.toMatch(/TEMP B-TREE|SCAN (?!\S+ USING (COVERING )?INDEX)/)
  }
  await db.destroy()
})

test('a query is compiled once, however often it is asked', async () => {
  const compiled = new Set<object>()
  const db = new Kysely<unknown>({
    dialect: sqliteDialect(new SqliteFile(':memory:')),
    log: ({ query }) => void compiled.add(query.query),
  })
  await migrate(db)
  compiled.clear()
  const users = createKyselyUserStore({ db })
  const { id } = await users.create(newUser('ada'))
  for (let version = 1; version <= 5; version++) {
    await users.findById(id)
    await users.update(id, { isStaff: true, isActive: version % 2 === 0 }, version)
  }
  // An INSERT, a SELECT and an UPDATE.
  expect(compiled.size).toBe(3)
  await db.destroy()
})
