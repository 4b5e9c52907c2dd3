import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  type Naming,
  postgresDialect,
} from '@fastify-accounts/kysely'
import { outboxCases, sessionStoreCases, userStoreCases } from 'fastify-accounts/testing'
import { type Dialect, Kysely, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type DriverName, dialectFor, driversHere, makeDatabase, openSqlite } from './support/databases.js'
import { otherNames } from './support/names.js'

interface Opened {
  dialect: Dialect
  drop?(): Promise<void>
}
interface SetUp {
  title: string
  open(): Promise<Opened>
  naming?: Naming
}

async function openNew(driver: DriverName, connections: number): Promise<Opened> {
  const { place, drop } = await makeDatabase(driver)
  return { dialect: await dialectFor(place, connections), drop }
}

const setUps: SetUp[] = []
for (const { name, engine, title } of await driversHere()) {
  setUps.push(
    { title: `${title}, one connection`, open: () => openNew(name, 1) },
    { title: `${title}, other names`, open: () => openNew(name, 10), naming: otherNames },
  )
  if (name === 'pg' || name === 'mysql2') {
    setUps.push({ title: `${title}, a pool of ten`, open: () => openNew(name, 10) })
  }
  if (name === 'pg') {
    setUps.push({
      title: `${title}, prepared`,
      async open() {
        const { place, drop } = await makeDatabase(name)
        const pool = new pg.Pool({ connectionString: place.url })
        return { dialect: postgresDialect(pool, { prepare: true }), drop }
      },
    })
  }
  if (engine === 'sqlite') {
    setUps.push({
      title: `${title}, in memory, by the dialect of Kysely itself`,
      open: async () => ({ dialect: new SqliteDialect({ database: await openSqlite(name, ':memory:') }) }),
    })
  }
}

describe.each(setUps)('$title', ({ open, naming = {} }) => {
  let opened: Opened
  let db: Kysely<unknown>

  beforeAll(async () => {
    opened = await open()
    db = new Kysely({ dialect: opened.dialect })
    await migrate(db, naming)
  })
  afterAll(async () => {
    await db.destroy()
    await opened.drop?.()
  })

  /** Each law begins with empty tables. */
  async function onEmptyTables() {
    await sql`delete from ${sql.table(naming.tables?.users ?? 'accounts_users')}`.execute(db)
    await sql`delete from ${sql.table(naming.tables?.identities ?? 'accounts_identities')}`.execute(db)
    await sql`delete from ${sql.table(naming.tables?.sessions ?? 'accounts_sessions')}`.execute(db)
    await sql`delete from ${sql.table(naming.tables?.outbox ?? 'accounts_outbox')}`.execute(db)
    return { db, ...naming }
  }

  describe('user store', () => {
    for (const { name, run } of userStoreCases(async () => createKyselyUserStore(await onEmptyTables())))
      test(name, run)
  })
  describe('outbox', () => {
    for (const { name, run } of outboxCases(async () => createKyselyUserStore(await onEmptyTables())))
      test(name, run)
  })
  describe('session store', () => {
    for (const { name, run } of sessionStoreCases(async () => {
      const options = await onEmptyTables()
      return createKyselySessionStore({ ...options, userStore: createKyselyUserStore(options) })
    })) {
      test(name, run)
    }
  })
})
