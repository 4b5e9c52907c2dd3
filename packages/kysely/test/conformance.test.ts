import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { sessionStoreCases, userStoreCases } from 'fastify-accounts/testing'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { connect, empty, enginesHere, makeDatabase, type TestDatabase } from './support/databases.js'

const engines = await enginesHere()
const setUps = [
  { name: 'sqlite, in memory', engine: 'memory', connections: 1 },
  ...engines.map((engine) => ({ name: `${engine}, one connection`, engine, connections: 1 })),
  ...engines
    .filter((engine) => engine !== 'sqlite')
    .map((engine) => ({ name: `${engine}, a pool of ten`, engine, connections: 10 })),
] as const

describe.each(setUps)('$name', ({ engine, connections }) => {
  let database: TestDatabase | undefined
  let db: Kysely<unknown>

  beforeAll(async () => {
    database = engine === 'memory' ? undefined : await makeDatabase(engine)
    db = connect(database?.place ?? { engine: 'sqlite', url: ':memory:' }, connections)
    await migrate(db)
  })
  afterAll(async () => {
    await db.destroy()
    await database?.drop()
  })

  /** Each law begins with empty tables. */
  async function onEmptyTables() {
    await empty(db)
    return { db }
  }

  describe('user store', () => {
    for (const { name, run } of userStoreCases(async () => createKyselyUserStore(await onEmptyTables())))
      test(name, run)
  })
  describe('session store', () => {
    for (const { name, run } of sessionStoreCases(async () =>
      createKyselySessionStore(await onEmptyTables()),
    )) {
      test(name, run)
    }
  })
})
