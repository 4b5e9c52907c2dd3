import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'

const config = (features: string) => `
import { createKyselyUserStore, createKyselySessionStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import { apiKeys } from 'fastify-accounts'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
const userStore = createKyselyUserStore({ db })
export const options = {
  secret: 'a test needs no better secret than this one',
  baseUrl: 'https://example.org',
  userStore,
  sessionStore: createKyselySessionStore({ db, userStore }),
  features: [${features}],
  decorateAs: { instance: 'members' },
}
export const migrate = () => migrateTables(db)
export const close = () => db.destroy()
`

const fill = `
import { close, migrate, options } from './accounts.config.mjs'
import { newUser } from '@fastify-accounts/testing'
await migrate()
await options.userStore.create(newUser({ username: 'ada', usernameKey: 'ada', email: 'ada@example.org', emailKey: 'ada@example.org', isVerified: true }))
await options.userStore.create(newUser({ kind: 'service', username: 'robot', usernameKey: 'robot', email: null, emailKey: null }))
await close()
`

/** The service: a route of the app, asked with each key, and the emails that wait. */
const service = `
import { close, options } from './accounts.config.mjs'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
const app = Fastify()
const mails = []
await app.register(accounts, { ...options, mailer: { send: async ({ kind }) => void mails.push(kind) } })
app.get('/orders', { onRequest: app.members.requireScope('orders:read') }, async (request) => request.user.username)
const seen = []
for (const key of process.argv.slice(2)) {
  const headers = key.startsWith('{') ? JSON.parse(key) : { authorization: 'Bearer ' + key }
  const { statusCode, body } = await app.inject({ url: '/orders', headers })
  seen.push(statusCode === 200 ? body : statusCode)
}
for (let turn = 0; turn < 500 && mails.length < 1 && !process.argv[2].startsWith('{'); turn += 1) await new Promise((resolve) => setTimeout(resolve, 20))
console.log(JSON.stringify({ seen, mails }))
await app.close()
await close()
`

async function project(features = "apiKeys({ scopes: ['orders:read'] })") {
  const folder = makeProject({
    'accounts.config.mjs': config(features),
    'fill.mjs': fill,
    'service.mjs': service,
  })
  const run = async (args: string[]) => {
    const ended = await runModule(folder, args, {})
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return ended.stdout.trim()
  }
  await run(['fill.mjs'])
  return {
    folder,
    ask: async (...keys: string[]) => JSON.parse(await run(['service.mjs', ...keys])),
    text: (...args: string[]) => runCli(folder, args),
    async cli(...args: string[]) {
      const { code, stdout, stderr } = await runCli(folder, [...args, '--json'])
      expect(stderr).toBe('')
      return { code, ...JSON.parse(stdout) }
    },
  }
}

const wanted = ['--name', 'CI', '--scope', 'orders:read']

test('creates keys for people and service accounts, lists and revokes them', async () => {
  const { ask, cli, text } = await project()
  const forAda = await cli('keys', 'create', 'ada', ...wanted, '--days', '30')
  expect(forAda).toMatchObject({ code: 0, username: 'ada', mail: 'waiting', apiKey: { name: 'CI' } })
  const { createdAt, expiresAt } = forAda.apiKey
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
  const forRobot = await cli('keys', 'create', 'robot', ...wanted)
  expect(forRobot).toMatchObject({ code: 0, username: 'robot', mail: 'none' })
  expect(await ask(forAda.key, forRobot.key)).toEqual({ seen: ['ada', 'robot'], mails: ['api-key-added'] })

  const listed = await cli('keys', 'list', 'ada')
  expect(listed.keys).toMatchObject([{ id: forAda.apiKey.id, name: 'CI', scopes: ['orders:read'] }])
  expect(JSON.stringify(listed)).not.toContain(forAda.key)
  expect((await text('keys', 'list', 'robot')).stdout).toMatch(/CI {2}orders:read {2}expires \d{4}-/)

  expect(await cli('keys', 'revoke', 'ada', forAda.apiKey.id)).toMatchObject({ code: 0 })
  expect(await ask(forAda.key)).toEqual({ seen: [401], mails: ['api-key-removed'] })
  expect(await cli('keys', 'revoke', 'ada', forAda.apiKey.id)).toMatchObject({
    code: 1,
    error: expect.stringContaining(`has no API key ${forAda.apiKey.id}`),
  })
})

test('prints a new key once, on a line of its own', async () => {
  const { text } = await project()
  const { stdout } = await text('keys', 'create', 'ada', ...wanted)
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^fa_\w+$/)
  expect((await text('keys', 'list', 'ada')).stdout).not.toContain('fa_')
})

test.each([
  [
    ['keys', 'create', 'ada', '--name', 'CI', '--scope', 'nothing'],
    2,
    '--scope must be one of apiKeys.scopes: orders:read; got nothing',
  ],
  [['keys', 'create', 'ada', '--name', 'CI'], 2, '--name and --scope'],
  [['keys', 'create', 'ada', ...wanted, '--days', '1e2'], 2, '--days must be a whole number'],
  [['keys', 'create', 'ada', ...wanted, '--days', '366'], 2, 'from 1 to 365, got 366'],
  [['keys', 'create', 'nobody', ...wanted], 1, 'no user has the username, address or id nobody'],
  [['keys', 'list', 'ada', '--days', '1'], 2, 'wrong usage: keys list'],
  [['keys', 'revoke', 'ada'], 2, 'wrong usage: keys list'],
  [['keys', 'show', 'ada'], 2, 'wrong usage: keys list'],
])('refuses %j', async (args, code, error) => {
  const { cli } = await project()
  expect(await cli(...args)).toEqual({ code, error: expect.stringContaining(error) })
})

test('needs the feature', async () => {
  const { cli } = await project('')
  expect(await cli('keys', 'list', 'ada')).toEqual({
    code: 1,
    error: expect.stringContaining('no apiKeys() in the options of'),
  })
})

const betterAuthKey = 'kQpZxWvUtSrRqPoNmLkJiHgFeDcBaAbCdEfGhIjKlMnOpQrStUvWxYzZyXwVuTs'
const djangoToken = '9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b'
const rows = {
  // As better-auth stores it: its defaultKeyHasher is SHA-256 in base64url without padding.
  betterAuth: {
    id: 'row',
    name: 'Deploy',
    key: createHash('sha256').update(betterAuthKey).digest('base64url'),
    permissions: '{"orders":["read"]}',
    enabled: true,
    expiresAt: null,
    createdAt: '2026-01-01 00:00:00+00',
  },
  django: { key: djangoToken, created: '2026-01-01T00:00:00Z', scopes: ['orders:read'] },
}
const line = (username: string, apiKeys: object[]) => JSON.stringify({ username, passwordHash: '!', apiKeys })
const importing = "apiKeys({ scopes: ['orders:read'], imported: ['better-auth', 'authtoken'] })"

test('imports keys of better-auth and Django REST framework, which work where those systems send them', async () => {
  const { ask, cli, folder } = await project(importing)
  const lines = [line('eva', [rows.betterAuth]), line('max', [rows.django])]
  writeFileSync(join(folder, 'users.jsonl'), lines.join('\n'))
  expect(await cli('import', 'users.jsonl')).toMatchObject({ code: 0, created: 2, withApiKey: 2 })
  const asked = [
    { 'x-api-key': betterAuthKey },
    { authorization: `Bearer ${betterAuthKey}` },
    { authorization: `Token ${djangoToken}` },
    { 'x-api-key': `${betterAuthKey}x` },
    { authorization: `Bearer ${rows.betterAuth.key}` },
    { authorization: `Token ${djangoToken.replace('9', '8')}` },
  ]
  const { seen } = await ask(...asked.map((headers) => JSON.stringify(headers)))
  expect(seen).toEqual(['eva', 'eva', 'max', 401, 401, 401])
  const [key] = (await cli('keys', 'list', 'eva')).keys
  expect(key).toMatchObject({ name: 'Deploy', scopes: ['orders:read'] })
  expect(Date.parse(key.expiresAt) - Date.now()).toBeLessThanOrEqual(365 * 86_400_000)
})

test.each([
  [{ ...rows.betterAuth, permissions: null }, 'apiKeys: lacks scopes'],
  [{ ...rows.betterAuth, permissions: '{"orders":["burn"]}' }, 'the unknown scope "orders:burn"'],
  [{ ...rows.betterAuth, permissions: '{"__proto__":["x"]}' }, 'unknown scope "__proto__:x"'],
  [{ ...rows.django, key: 'short' }, 'neither a hash of better-auth'],
  [{ ...rows.django, created: 'soon' }, 'an unreadable time'],
])('rejects the line with %j', async (row, reason) => {
  const { cli, folder } = await project(importing)
  writeFileSync(join(folder, 'users.jsonl'), line('eva', [row]))
  expect(await cli('import', 'users.jsonl', '--dry-run')).toMatchObject({ code: 1, rejected: 1 })
  expect((await runCli(folder, ['import', 'users.jsonl', '--dry-run'])).stdout).toContain('1 rejected')
  expect(readFileSync(join(folder, 'users.jsonl.errors.csv'), 'utf8').replaceAll('""', '"')).toContain(reason)
})

test('leaves out keys that no longer work, and imports none of a system that the option lacks', async () => {
  const ended = [
    { ...rows.betterAuth, enabled: false },
    { ...rows.django, expiresAt: '2020-01-01T00:00:00Z' },
  ]
  const { cli, folder } = await project(importing)
  writeFileSync(join(folder, 'users.jsonl'), line('eva', ended))
  expect(await cli('import', 'users.jsonl')).toMatchObject({ created: 1, withApiKey: 0 })
  const other = await project()
  writeFileSync(join(other.folder, 'users.jsonl'), line('eva', [rows.django]))
  expect(await other.cli('import', 'users.jsonl')).toMatchObject({ code: 1, created: 0, rejected: 1 })
})
