import { createKyselyUserStore, migrate, postgresDialect } from '@fastify-accounts/kysely'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { driversHere, makeDatabase } from './support/databases.js'
import { newUser } from './support/users.js'

const isHere = (await driversHere()).some(({ name }) => name === 'pg')

describe.skipIf(!isHere)('postgresDialect', () => {
  async function open(options?: { prepare: boolean }) {
    const { place, drop } = await makeDatabase('pg')
    const pool = new pg.Pool({ connectionString: place.url, max: 1 })
    const db = new Kysely<unknown>({ dialect: postgresDialect(pool, options) })
    onTestFinished(async () => {
      await db.destroy()
      await drop()
    })
    await migrate(db)
    /** Statements that the one connection has prepared. */
    async function prepared(): Promise<string[]> {
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        db,
      )
      return rows.map(({ statement }) => statement)
    }
    return { db, prepared, users: createKyselyUserStore({ db }) }
  }

  test('prepares each statement that has values once, where it is told to', async () => {
    const { prepared, users } = await open({ prepare: true })
    const { id } = await users.create(newUser('ada'))
    for (let turn = 0; turn < 3; turn++) expect((await users.findById(id))?.username).toBe('ada')
    const lookUps = (await prepared()).filter((each) =>
      /^select .*from "accounts_users".* where "id" = \$1/.test(each),
    )
    expect(lookUps).toHaveLength(1)
  })

  test('prepares no more than some hundred, however many texts there are', async () => {
    const { db, prepared } = await open({ prepare: true })
    for (let n = 0; n < 300; n++) {
      const { rows } = await sql<{ n: string }>`select ${n}::text as n, ${sql.lit(n)} as place`.execute(db)
      expect(rows[0]?.n).toBe(String(n))
    }
    expect((await prepared()).length).toBeLessThanOrEqual(200)
  })

  test('prepares nothing unless it is told to, for poolers that give each transaction another connection', async () => {
    const { prepared, users } = await open()
    const { id } = await users.create(newUser('ada'))
    await users.findById(id)
    expect(await prepared()).toEqual([])
  })

  test('refuses what is no yes or no', () => {
    const pool = new pg.Pool()
    expect(() => postgresDialect(pool, { prepare: 'yes' as never })).toThrow('prepare must be true or false')
  })
})
