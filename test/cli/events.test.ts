import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'
import { commands } from '../../packages/accounts/src/cli/commands.js'

/** The options of an app that subscribes to events, on a database. */
const config = `
import { createKyselyInvitationStore, createKyselySessionStore, createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import { apiKeys, invitations, secondFactor } from 'fastify-accounts'
import Database from 'libsql'
export const db = openSqlite(new Database('accounts.db'))
const userStore = createKyselyUserStore({ db })
export const options = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  userStore,
  sessionStore: createKyselySessionStore({ db, userStore }),
  invitationStore: createKyselyInvitationStore({ db, userStore }),
  mailer: { async send() {} },
  users: { fields: { type: 'object', properties: { city: { type: 'string' } } } },
  roles: { editor: ['posts:write'] },
  features: [apiKeys({ scopes: ['orders:read'] }), invitations(), secondFactor()],
  on: { crm: { '*': () => {} } },
}
export const migrate = () => migrateTables(db)
export const close = () => db.destroy()
`

/** Shows the events that wait, and removes them. */
const look = `
import { close, options } from './app.mjs'
const { outbox } = options.userStore
const now = new Date()
const entries = await outbox.claim({ realms: ['accounts:events'], now, until: new Date(now.getTime() + 1000), limit: 1000 })
const events = entries.flatMap(({ message }) => message.events.map(({ type, user, actor, data }) => ({ type, actor, data, to: message.to })))
for (const entry of entries) await outbox.remove(entry)
console.log(JSON.stringify(events))
await close()
`

/** Makes one user as old as an abandoned sign-up, and gives another a second factor. */
const prepare = `
import { close, options } from './app.mjs'
const { userStore } = options
const edit = async (name, changes) => {
  const user = await userStore.findByUsername(name)
  await userStore.update(user.id, changes, user.version)
}
await edit('ada', { factors: ['totp'], credentials: [{ kind: 'totp', id: 'app', name: 'App', sealed: 'x', step: 0, createdAt: '2020-01-01T00:00:00.000Z', lastUsedAt: null }] })
await close()
`

const csv =
  'username,email,createdAt\nbob,bob@example.org,2020-01-01T00:00:00Z\neve,eve@example.org,2020-01-01T00:00:00Z\n'
const renamed = 'username,email,createdAt,city\nbob,bob@example.org,2020-01-01T00:00:00Z,Bern\n'

/** The time when the command runs. */
const now = 'now'

/** Commands that change users, with the events of each, in this order. */
const changing: [command: string, args: string[], types: string[]][] = [
  ['create-user', ['--username', 'ada', '--email', 'ada@example.org'], ['user.created']],
  ['change-roles', ['ada', '--add', 'editor'], ['user.roles_changed']],
  ['disable-user', ['ada'], ['user.disabled']],
  ['enable-user', ['ada'], ['user.enabled']],
  ['keys', ['create', 'ada', '--name', 'CI', '--scope', 'orders:read'], ['api_key.added']],
  ['after-restore', ['--since', now, '--yes'], ['api_key.removed']],
  ['reset-factors', ['ada'], ['factor.removed']],
  ['end-sessions', ['ada'], ['session.ended']],
  ['secure-user', ['ada', '--yes'], ['user.password_changed', 'user.secured']],
  ['import', ['users.csv'], ['users.imported']],
  ['import', ['renamed.csv', '--update', '--map', 'fields.city=city'], ['user.updated']],
  ['delete-unverified', ['--older-than', '30', '--yes'], ['user.deleted', 'user.deleted']],
]

/** Those that change no user, or nothing of one that anybody sees, and why. */
const others: Record<string, string> = {
  init: 'writes files',
  secret: 'prints a secret',
  migrate: 'changes tables',
  adopt: 'fills keys of a table that no service uses yet',
  schema: 'prints tables',
  outbox: 'works on messages',
  reseal: 'seals the same secrets with another key',
  rekey: 'compares the same names by another key',
  doctor: 'looks',
}

test('each command that changes users stores its events for the subscribers of the app', async () => {
  const names = [...changing.map(([command]) => command), ...Object.keys(others)]
  expect([...new Set(names)].sort()).toEqual(commands.map(({ name }) => name).sort())
  const folder = makeProject({
    'app.mjs': config,
    'look.mjs': look,
    'prepare.mjs': prepare,
    'users.csv': csv,
    'renamed.csv': renamed,
  })
  const run = (...args: string[]) =>
    runCli(folder, [...args, '--config', 'app.mjs'], { input: 'correct horse battery\n' })
  expect(await run('migrate')).toMatchObject({ code: 0 })
  for (const [command, args, types] of changing) {
    if (command === 'reset-factors')
      expect(await runModule(folder, ['prepare.mjs'])).toMatchObject({ code: 0, stderr: '' })
    const ended = await run(command, ...args.map((each) => (each === now ? new Date().toISOString() : each)))
    expect([command, ended.code, ended.stderr]).toEqual([command, 0, expect.any(String)])
    const events: { type: string; actor: unknown; to: unknown }[] = JSON.parse(
      (await runModule(folder, ['look.mjs'])).stdout,
    )
    const told = events.map(({ type }) => type)
    expect([command, told]).toEqual([command, expect.arrayContaining(types)])
    expect(events.map(({ actor, to }) => [actor, to])).toEqual(
      events.map(() => [{ kind: 'command' }, ['crm']]),
    )
  }
})

test('a database alone does not say who subscribes, so there are no events', async () => {
  const folder = makeProject({ 'app.mjs': config, 'look.mjs': look, 'users.csv': csv })
  expect(await runCli(folder, ['migrate', '--config', 'app.mjs'])).toMatchObject({ code: 0 })
  const env = { DATABASE_URL: 'file:accounts.db' }
  expect(await runCli(folder, ['import', 'users.csv'], { env })).toMatchObject({ code: 0 })
  expect(JSON.parse((await runModule(folder, ['look.mjs'])).stdout)).toEqual([])
})
