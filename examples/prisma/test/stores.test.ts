import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkTypes } from '@fastify-accounts/test-support/check-types'
import { makeProject, runProcess } from '@fastify-accounts/test-support/cli'
import {
  driversHere,
  makeDatabase,
  runSql,
  type TestDatabase,
} from '@fastify-accounts/test-support/databases'
import { lawsFor } from '@fastify-accounts/test-support/laws'
import { outboxCases, sessionStoreCases, userStoreCases } from '@fastify-accounts/testing'
import { closable } from 'fastify-accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { firstMigration, schemaOf, type Variant, variantOf } from './variants.js'

const setUps = await driversHere(['libsql', 'pg'])
// Each law on one of the databases, at full depth on all.
const lawsHere = lawsFor(setUps)
const dialects = ['postgres', 'sqlite'] as const
const tables = ['accounts_sessions', 'accounts_outbox', 'accounts_identities', 'accounts_users']

describe.each(setUps)('stores on Prisma, through $title', (setUp) => {
  const dialect = setUp.engine === 'sqlite' ? 'sqlite' : 'postgres'
  let database: TestDatabase
  let variant: Variant
  const sql = (...statements: string[]) => runSql(database.place, ...statements)
  const url = () => (dialect === 'sqlite' ? `file:${database.place.url}` : database.place.url)

  beforeAll(async () => {
    variant = await variantOf(dialect)
    database = await makeDatabase(setUp.name)
    await sql(...firstMigration(dialect, url()))
  })
  afterAll(() => database.drop())
  beforeEach(() => sql(...tables.map((table) => `DELETE FROM ${table}`)))

  test('its types fit', () => checkTypes(variant.source))

  const users = () => variant.createUserStore(variant.openDatabase(url()))
  const sessions = () => {
    const opened = variant.openDatabase(url())
    const store = variant.createSessionStore(opened, variant.createUserStore(opened))
    // The suite closes this store alone.
    return closable(store, () => opened.prisma.$disconnect())
  }
  // Of SQLite's connections only one can write, and a second one in this process would wait for itself.
  const twice =
    <Store>(make: () => Store) =>
    async () =>
      dialect === 'sqlite' ? make() : ([make(), make()] as const)
  const without = (table: string) => async () => {
    await sql(`ALTER TABLE ${table} RENAME TO gone`)
    return async () => void (await sql(`ALTER TABLE gone RENAME TO ${table}`))
  }
  const spoil = async (id: string) =>
    void (await sql(`UPDATE accounts_outbox SET message = '{' WHERE id = '${id}'`))

  for (const { name, run } of lawsHere(setUp, [
    ...userStoreCases(twice(users), { fail: without('accounts_users') }),
    ...outboxCases(twice(users), { fail: without('accounts_outbox'), spoil }),
    ...sessionStoreCases(twice(sessions), { fail: without('accounts_sessions') }),
  ]))
    test(name, run)
})

test.each(dialects)("the models on %s are those that schema prints, and the app's own", async (dialect) => {
  const project = makeProject({ 'package.json': '{}' })
  rmSync(join(project, 'node_modules/@fastify-accounts/kysely'))
  const { stdout } = await runProcess(project, ['schema', 'prisma', '--dialect', dialect])
  const printed = stdout.slice(stdout.indexOf('model '))
  const own = schemaOf(dialect).replace(/^model Workspace \{[^}]*\}\n\n/m, '')
  expect(own.slice(own.indexOf('model ')).replace(/^ {2}workspace .*\n/m, '')).toBe(printed)
})
