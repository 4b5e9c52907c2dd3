import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { fixtures } from '@fastify-accounts/test-support/hashes'
import { read } from '@fastify-accounts/test-support/source'
import { expect, test } from 'vitest'

function hashOf(by: string, kind: string): { password: string; hash: string } {
  const found = fixtures.find((each) => each.by.startsWith(by) && each.kind === kind)
  if (found === undefined) throw new Error(`there is no hash by ${by}`)
  return found
}

/** The export of each guide, for one user. */
const exports: Record<
  string,
  { name: string; columns: string; row: string; username: string; from: [string, string] }
> = {
  'from-django': {
    name: 'users.jsonl',
    columns: '',
    row: '{"id":7,"username":"ada","email":"ada@example.org","passwordHash":"HASH","isStaff":true,"isActive":true,"createdAt":"2020-01-02T03:04:05.678901+00:00","lastLoginAt":null}',
    username: 'ada',
    from: ['Django 5', 'pbkdf2_sha256'],
  },
  'from-better-auth': {
    name: 'users.jsonl',
    columns: '',
    row: '{"id":"Bxo8W1Wd5xkHOqTh","email":"ada@example.org","name":"Ada","isVerified":true,"createdAt":"2024-01-02T03:04:05.678+00:00","passwordHash":"HASH","totp":null,"recoveryCodes":null,"passkeys":null,"identities":null}',
    username: 'ada@example.org',
    from: ['better-auth', 'better-auth'],
  },
  'from-passport': {
    name: 'users.jsonl',
    columns: '',
    row: '{"id":7,"username":"ada","email":"ada@example.org","passwordHash":"HASH"}',
    username: 'ada',
    from: ['bcryptjs', 'bcrypt'],
  },
  'from-devise': {
    name: 'users.csv',
    columns: 'id,email,encrypted_password,is_verified,created_at,current_sign_in_at',
    row: '7,ada@example.org,HASH,t,2024-01-02 03:04:05.678901,2024-01-03 03:04:05.678901',
    username: 'ada@example.org',
    from: ['Devise', 'devise with a pepper'],
  },
}

/** The config, for guides that set `users.names`. */
const config = `
import { createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
import Database from 'libsql'
import { passwordHasher } from './hasher.mjs'
const db = openSqlite(new Database('accounts.db'))
export const options = { userStore: createKyselyUserStore({ db }), passwordHasher, users: { names: 'NAMES' } }
const done = () => migrate(db)
export { done as migrate }
export const close = () => db.destroy()
`

/** An app with the guide's hasher. */
const app = `
import { createKyselyUserStore, openSqlite } from '@fastify-accounts/kysely'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
import Database from 'libsql'
import { passwordHasher } from './hasher.mjs'
const db = openSqlite(new Database('accounts.db'))
const app = Fastify()
await app.register(accounts, { secret: 'a test needs no better secret than this one', baseUrl: 'https://example.org', userStore: createKyselyUserStore({ db }), mailer: { async send() {} }, passwordHasher })
const [, , username, password] = process.argv
const logIn = async (password) => (await app.inject({ method: 'POST', url: '/login/', payload: { username, password } })).statusCode
console.log(await logIn('a wrong one'), await logIn(password), await logIn(password))
await app.close()
await db.destroy()
`

test.each(Object.entries(exports))(
  'users imported as in docs/guides/%s.md can log in with their old password',
  async (guide, { name, columns, row, username, from }) => {
    const page = read(`docs/guides/${guide}.md`)
    const [, hasher = ''] = /```js\n([^`]*export const passwordHasher.*?)```/s.exec(page) ?? []
    const [, names] = /users: \{ names: '(\w+)' \}/.exec(page) ?? []
    const { hash, password } = hashOf(...from)
    const folder = makeProject({
      'app.mjs': app,
      // A cheap new hash; this tests only old ones.
      'hasher.mjs': hasher.replace('createScryptHasher()', 'createScryptHasher({ logN: 10 })'),
      ...(names && {
        'accounts.config.mjs': config.replace('NAMES', names),
      }),
      [name]: `${columns}\n${row.replace('HASH', hash)}\n`,
    })
    const env = { DATABASE_URL: 'file:accounts.db', DEVISE_PEPPER: 'a pepper of no use to anybody' }
    for (const [, command = ''] of page.matchAll(/^npx fastify-accounts (.*)$/gm)) {
      expect(await runCli(folder, command.split(' '), { env })).toMatchObject({ code: 0, stderr: '' })
    }
    const { stdout, stderr } = await runModule(folder, ['app.mjs', username, password], { env })
    expect({ stdout, stderr }).toEqual({ stdout: '401 200 200\n', stderr: '' })
  },
)

test('docs/guides/from-passport.md combines key and salt into a hash that verifies', async () => {
  const [, code = ''] = /```js\n(const base64.*?)\n```\n/s.exec(read('docs/guides/from-passport.md')) ?? []
  expect(code).toContain('pbkdf2Text')
  const folder = makeProject({
    'text.mjs': code,
    'verify.mjs': `
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { pbkdf2 } from '@fastify-accounts/hashes'
import { pbkdf2Text } from './text.mjs'
const salt = randomBytes(16)
const hashed_password = pbkdf2Sync('correct horse', salt, 310000, 32, 'sha256')
console.log(await pbkdf2().open(pbkdf2Text({ hashed_password, salt }))?.verify('correct horse'))
`,
  })
  expect(await runModule(folder, ['verify.mjs'])).toMatchObject({ stdout: 'true\n', stderr: '' })
})
