import { driversHere, runSql, type TestDatabase } from '@fastify-accounts/test-support/databases'
import { lawsFor } from '@fastify-accounts/test-support/laws'
import { makeTables, openSql, storesOn } from '@fastify-accounts/test-support/tables/open-tables'
import { sqlTables } from '@fastify-accounts/test-support/tables/sql-tables'
import {
  invitationStoreCases,
  outboxCases,
  sessionStoreCases,
  userStoreCases,
} from '@fastify-accounts/testing'
import { organizationStoreCases } from '@fastify-accounts/testing/organizations'
import type { Alongside } from 'fastify-accounts'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'

const setUps = await driversHere(['libsql', 'node:sqlite', 'pg', 'mysql2'])
const lawsHere = lawsFor(setUps, ({ engine }) => engine)

describe.each(setUps)('stores on tables, through $title', (setUp) => {
  let database: TestDatabase
  const tables = ['members', 'organizations', 'invitations', 'sessions', 'outbox', 'identities', 'users']
  const sql = (...statements: string[]) => runSql(database.place, ...statements)

  beforeAll(async () => {
    database = await makeTables(setUp.name)
  })
  afterAll(() => database.drop())
  beforeEach(() => sql(...tables.map((table) => `DELETE FROM ${table}`)))

  const open = async () => sqlTables(await openSql(database.place))
  // Of SQLite's connections only one can write, and a second one in this process would wait for itself.
  const twice = async <Store>(make: () => Promise<Store>) =>
    setUp.engine === 'sqlite' ? make() : ([await make(), await make()] as const)
  const users = () => twice(async () => storesOn(await open()).users)
  const alongside = (functions: Alongside<unknown>) =>
    twice(async () => {
      const tables = await open()
      return storesOn({ ...tables, users: { ...tables.users, alongside: functions } }).users
    })
  const sessions = () =>
    twice(async () => {
      const tables = await open()
      // The suite closes this store alone, and the other one has the connections.
      return storesOn({ ...tables, sessions: { ...tables.sessions, close: tables.users.close } }).sessions
    })
  const invitations = () =>
    twice(async () => {
      const tables = await open()
      return storesOn({ ...tables, invitations: { ...tables.invitations, close: tables.users.close } })
        .invitations
    })
  const organizations = () =>
    twice(async () => {
      const tables = await open()
      return storesOn({ ...tables, organizations: { ...tables.organizations, close: tables.users.close } })
        .organizations
    })
  const without =
    (...names: string[]) =>
    async () => {
      await sql(...names.map((name) => `ALTER TABLE ${name} RENAME TO gone_${name}`))
      return async () =>
        void (await sql(...names.map((name) => `ALTER TABLE gone_${name} RENAME TO ${name}`)))
    }
  const spoil = async (id: string) => void (await sql(`UPDATE outbox SET message = '{' WHERE id = '${id}'`))

  for (const { name, run } of lawsHere(setUp, [
    ...userStoreCases(users, { fail: without('users'), alongside }),
    ...outboxCases(users, { fail: without('outbox'), spoil }),
    ...sessionStoreCases(sessions, { fail: without('sessions') }),
    ...invitationStoreCases(invitations, { fail: without('invitations') }),
    ...organizationStoreCases(organizations, { fail: without('organizations', 'members') }),
  ]))
    test(name, run)
})
