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
import { read } from '@fastify-accounts/test-support/source'
import {
  invitationStoreCases,
  outboxCases,
  sessionStoreCases,
  userStoreCases,
} from '@fastify-accounts/testing'
import { organizationStoreCases } from '@fastify-accounts/testing/organizations'
import { closable } from 'fastify-accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Variant, variantOf } from './variants.js'

const setUps = await driversHere(['libsql', 'pg', 'mysql2'])
// Each law on one of the databases, at full depth on all.
const lawsHere = lawsFor(setUps)
const tables = [
  'accounts_organization_members',
  'accounts_organizations',
  'accounts_invitations',
  'accounts_sessions',
  'accounts_outbox',
  'accounts_identities',
  'accounts_users',
]

describe.each(setUps)('stores on Drizzle, through $title', (setUp) => {
  const { engine } = setUp
  let database: TestDatabase
  let variant: Variant
  const sql = (...statements: string[]) => runSql(database.place, ...statements)

  beforeAll(async () => {
    variant = await variantOf(engine)
    database = await makeDatabase(setUp.name)
    await sql(...variant.statements)
  })
  afterAll(() => database.drop())
  beforeEach(() => sql(...tables.map((table) => `DELETE FROM ${table}`)))

  // Those of PostgreSQL are checked with all others.
  test.runIf(engine !== 'postgres')('its types fit', () => checkTypes(variant.source))

  const open = () =>
    variant.openDatabase(engine === 'sqlite' ? `file:${database.place.url}` : database.place.url)
  const users = () => variant.createUserStore(open())
  const sessions = () => {
    const opened = open()
    const store = variant.createSessionStore(opened, variant.createUserStore(opened))
    // The suite closes this store alone.
    return closable(store, () => opened.close())
  }
  const invitations = () => {
    const opened = open()
    const store = variant.createInvitationStore(opened, variant.createUserStore(opened))
    return closable(store, () => opened.close())
  }
  const organizations = () => {
    const opened = open()
    const store = variant.createOrganizationStore(opened, variant.createUserStore(opened))
    return closable(store, () => opened.close())
  }
  // Of SQLite's connections only one can write, and a second one in this process would wait for itself.
  const twice =
    <Store>(make: () => Store) =>
    async () =>
      engine === 'sqlite' ? make() : ([make(), make()] as const)
  const without =
    (...names: string[]) =>
    async () => {
      await sql(...names.map((name) => `ALTER TABLE ${name} RENAME TO gone_${name}`))
      return async () =>
        void (await sql(...names.map((name) => `ALTER TABLE gone_${name} RENAME TO ${name}`)))
    }
  const spoil = async (id: string) =>
    void (await sql(`UPDATE accounts_outbox SET message = '{' WHERE id = '${id}'`))

  for (const { name, run } of lawsHere(setUp, [
    ...userStoreCases(twice(users), { fail: without('accounts_users') }),
    ...outboxCases(twice(users), { fail: without('accounts_outbox'), spoil }),
    ...sessionStoreCases(twice(sessions), { fail: without('accounts_sessions') }),
    ...invitationStoreCases(twice(invitations), { fail: without('accounts_invitations') }),
    ...organizationStoreCases(twice(organizations), {
      fail: without('accounts_organizations', 'accounts_organization_members'),
    }),
  ]))
    test(name, run)
})

test.each([
  ['postgres', 'src'],
  ['mysql', 'mysql'],
  ['sqlite', 'sqlite'],
])('the tables on %s are those that schema prints', async (dialect, folder) => {
  const project = makeProject({ 'package.json': '{}' })
  rmSync(join(project, 'node_modules/@fastify-accounts/kysely'))
  const { stdout } = await runProcess(project, ['schema', 'drizzle', '--dialect', dialect])
  // But for the formatter.
  const plain = (text: string) => text.replace(/\s+/g, '').replace(/,(?=[\])}])/g, '')
  expect(plain(read(`examples/drizzle/${folder}/tables.ts`))).toBe(plain(stdout))
})
