import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'

/** The stores of an app in which each person has a workspace. */
const config = `
import { createKyselySessionStore, createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
export const db = openSqlite(new Database('accounts.db'))
const userStore = createKyselyUserStore({
  db,
  alongside: {
    async created(tx, { id, username }) {
      if (username === 'eve') throw new Error('eve has no plan')
      await tx.insertInto('workspaces').values({ owner_id: id, title: username }).execute()
    },
    async verified(tx, { id, email }) {
      await tx.insertInto('members').values({ user_id: id, domain: email.split('@')[1] }).execute()
    },
    async deleted(tx, { id }) {
      await tx.deleteFrom('workspaces').where('owner_id', '=', id).execute()
    },
  },
})
export const options = { userStore, sessionStore: createKyselySessionStore({ db, userStore }) }
export const migrate = () => migrateTables(db)
export const close = () => db.destroy()
`
const prepare = `
import { close, db, migrate } from './app.mjs'
await migrate()
await db.schema.createTable('workspaces').addColumn('owner_id', 'text').addColumn('title', 'text').execute()
await db.schema.createTable('members').addColumn('user_id', 'text').addColumn('domain', 'text').execute()
await close()
`
const look = `
import { close, db } from './app.mjs'
const all = (table) => db.selectFrom(table).selectAll().execute()
const ids = (await all('accounts_users')).map(({ id }) => id)
const workspaces = await all('workspaces')
console.log(JSON.stringify({
  users: ids.length,
  titles: workspaces.map(({ title }) => title).sort(),
  domains: (await all('members')).map(({ domain }) => domain).sort(),
  strays: workspaces.filter(({ owner_id }) => !ids.includes(owner_id)).length,
}))
await close()
`
const csv =
  'username,email,created_at\nbob,bob@example.org,2020-01-01\neve,eve@example.org,2020-01-01\nzoe,,2020-01-01\n'
const env = { DATABASE_URL: 'file:accounts.db' }
const withConfig = ['--config', 'app.mjs']

test('commands create, import and delete people together with the app’s rows, or refuse', async () => {
  const folder = makeProject({
    'app.mjs': config,
    'prepare.mjs': prepare,
    'look.mjs': look,
    'users.csv': csv,
  })
  expect(await runModule(folder, ['prepare.mjs'])).toMatchObject({ code: 0, stderr: '' })
  const run = (...args: string[]) => runCli(folder, args, { env, input: 'correct horse battery\n' })
  const seen = async () => JSON.parse((await runModule(folder, ['look.mjs'])).stdout)

  const create = ['create-user', '--username', 'ada', '--email', 'ada@example.org']
  expect(await run(...create, ...withConfig)).toMatchObject({ code: 0 })
  expect(await seen()).toEqual({ users: 1, titles: ['ada'], domains: [], strays: 0 })

  const refusal = /^the app of this database keeps rows of its own beside users.+--config\n$/
  for (const args of [
    ['create-user', '--username', 'max'],
    ['import', 'users.csv'],
    ['delete-unverified', '--older-than', '1', '--yes'],
  ])
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) })
  expect(await seen()).toEqual({ users: 1, titles: ['ada'], domains: [], strays: 0 })
  // What changes nothing needs no config.
  expect(await run('import', 'users.csv', '--dry-run')).toMatchObject({ code: 0 })
  expect(await run('delete-unverified', '--older-than', '1')).toMatchObject({ code: 0 })
  expect((await run('doctor')).stdout).toMatch(/warning user store: the app of this database has alongside/)
  expect((await run('doctor', ...withConfig)).stdout).not.toContain('alongside')

  const imported = await run('import', 'users.csv', '--json', ...withConfig)
  expect(JSON.parse(imported.stdout)).toMatchObject({ created: 2, existing: 0, rejected: 1 })
  const rejected = readFileSync(join(folder, 'users.csv.errors.csv'), 'utf8')
  expect(rejected).toMatch(/^3,alongside.created failed: eve has no plan$/m)
  expect(await seen()).toEqual({ users: 3, titles: ['ada', 'bob', 'zoe'], domains: [], strays: 0 })

  const deleted = await run('delete-unverified', '--older-than', '30', '--yes', '--json', ...withConfig)
  expect(JSON.parse(deleted.stdout)).toEqual({ deleted: 1, kept: 0 })
  expect(await seen()).toEqual({ users: 2, titles: ['ada', 'zoe'], domains: [], strays: 0 })
})

test('commands join the members of a domain whose address they verify', async () => {
  const people = (...lines: string[]) => ['username,email,is_verified', ...lines, ''].join('\n')
  const folder = makeProject({
    'app.mjs': config,
    'prepare.mjs': prepare,
    'look.mjs': look,
    'users.csv': people('bob,bob@example.com,true', 'zoe,zoe@example.net,false'),
    'again.csv': people('zoe,zoe@example.net,true'),
  })
  expect(await runModule(folder, ['prepare.mjs'])).toMatchObject({ code: 0, stderr: '' })
  const run = (...args: string[]) =>
    runCli(folder, [...args, ...withConfig], { env, input: 'correct horse battery\n' })
  const domains = async () => JSON.parse((await runModule(folder, ['look.mjs'])).stdout).domains

  const create = ['create-user', '--username', 'ada', '--email', 'ada@example.org', '--verified']
  expect(await run(...create)).toMatchObject({ code: 0 })
  expect(await domains()).toEqual(['example.org'])
  expect(await run('import', 'users.csv')).toMatchObject({ code: 0 })
  expect(await domains()).toEqual(['example.com', 'example.org'])
  expect(await run('import', 'again.csv', '--update')).toMatchObject({ code: 0 })
  expect(await domains()).toEqual(['example.com', 'example.net', 'example.org'])
})
