import { spawnSync } from 'node:child_process'
import { createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pbkdf2 } from '@fastify-accounts/hashes'
import { createKyselyUserStore } from '@fastify-accounts/kysely'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { makeProject, run, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { firebaseProject, fixtures } from '@fastify-accounts/test-support/hashes'
import { create } from '@fastify-accounts/test-support/passkeys/authenticator'
import { read, root } from '@fastify-accounts/test-support/source'
import { expect, onTestFinished, test } from 'vitest'

const page = 'docs/guides/from-hosted.md'
const blocks = blocksOf(page)
const fixture = (name: string) => readFileSync(join(root, 'test/cli/fixtures/hosted', name), 'utf8')
const bcryptPassword = fixtures.find(({ by }) => by.startsWith('bcryptjs'))?.password ?? ''

/** The text of the guide under a heading, and its blocks. */
function sectionOf(name: string) {
  const [, text = ''] = read(page).split(new RegExp(`^## ${name}$`, 'm'))
  const [section = ''] = text.split(/^## /m)
  const first = read(page).slice(0, read(page).indexOf(section)).split('\n').length
  const lines = section.split('\n').length
  return { section, blocks: blocks.filter(({ line }) => line > first && line < first + lines) }
}

const app = `
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
import { close, options } from './accounts.config.mjs'
const app = Fastify()
await app.register(accounts, { ...options, baseUrl: 'https://example.org', mailer: { async send() {} } })
const logIn = async (username, password) =>
  (await app.inject({ method: 'POST', url: '/login/', payload: { username, password } })).json().code ?? 'in'
const [, , password] = process.argv
console.log(await logIn('ada@example.org', 'a wrong one'), await logIn('ada@example.org', password), await logIn('bob@example.org', password))
await app.close()
await close()
`

const config = `
import { createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { secondFactor } from 'fastify-accounts'
import Database from 'libsql'
import { passwordHasher } from './hasher.mjs'
const db = openSqlite(new Database('accounts.db'))
export const options = {
  secret: 'a test needs no better secret than this one', userStore: createKyselyUserStore({ db }), passwordHasher,
  features: [secondFactor(), passkeys({ rpId: 'example.org' })], users: { names: 'optional' },
}
const done = () => migrate(db)
export { done as migrate }
export const close = () => db.destroy()
`

/** Imports the lines as the guide says, with the hasher of a service. */
async function move(service: string, lines: string) {
  const hasher = sectionOf(service).blocks.findLast(({ language }) => language === 'js')?.code ?? ''
  expect(hasher).toContain('export const passwordHasher')
  const folder = makeProject({
    'accounts.config.mjs': config,
    'app.mjs': app,
    'hasher.mjs': hasher.replace('createScryptHasher()', 'createScryptHasher({ logN: 10 })'),
    'users.jsonl': lines,
  })
  const env = { FIREBASE_SIGNER_KEY: firebaseProject.signerKey }
  const ended = []
  for (const [, command = ''] of sectionOf('Import').section.matchAll(/^npx fastify-accounts (.*)$/gm))
    ended.push(await runCli(folder, command.split(' '), { env }))
  expect(ended).toEqual(Array(3).fill(expect.objectContaining({ code: 0, stderr: '' })))
  const db = await connect({ driver: 'libsql', url: join(folder, 'accounts.db') }, 1)
  onTestFinished(() => db.destroy())
  const users = createKyselyUserStore({ db })
  return {
    find: (name: string) => users.findByEmail(`${name}@example.org`),
    async logins(password: string) {
      const { stdout, stderr } = await runModule(folder, ['app.mjs', password], { env })
      return { stdout, stderr }
    },
  }
}

/** Runs a service's script on files. */
async function transform(script: string, names: string[]) {
  const block = sectionOf(script).blocks.find(({ code }) => code.includes('readFileSync'))
  const folder = makeProject({
    'script.mjs': block?.code ?? '',
    ...Object.fromEntries(names.map((name) => [name, fixture(name)])),
  })
  const { stdout, stderr } = await run(folder, ['script.mjs', ...names])
  expect(stderr).toBe('')
  return stdout
}

const hex = (text = '') => Buffer.from(text, 'base64url').toString('hex')

/** The public key of P-256 in COSE. */
function coseOf(privateKey: KeyObject): string {
  const { x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return `a5010203262001215820${hex(x)}225820${hex(y)}`
}

const google = 'oidc:https://accounts.google.com|109876543210987654321'
const github = 'oidc:https://github.com|583231'
const hasPostgres = (await driversHere(['pg'])).length > 0

test('Clerk: the CSV and the API together', async () => {
  const lines = await transform('Clerk', ['clerk.csv', 'clerk.json'])
  const { find, logins } = await move('Clerk', lines)
  const ada = await find('ada')
  expect(ada).toMatchObject({ id: 'user_2ada', isVerified: true, isActive: true, username: null })
  expect(ada?.createdAt).toEqual(new Date(1_700_000_000_000))
  expect(ada?.identityKeys).toEqual([google])
  expect(ada?.credentials.map(({ kind }) => kind)).toEqual(['totp'])
  const bob = await find('bob')
  expect(bob).toMatchObject({ id: 'user_2bob', isVerified: false, isActive: false, username: 'bob' })
  // Of pbkdf2_sha256, which the config lacks.
  expect(
    await pbkdf2()
      .open(bob?.passwordHash ?? '')
      ?.verify(bcryptPassword),
  ).toBe(true)
  expect(await find('eve')).toMatchObject({ id: 'user_2eve', passwordHash: '!' })
  expect(await logins(bcryptPassword)).toEqual({
    stdout: 'ACCOUNTS_INVALID_CREDENTIALS ACCOUNTS_SECOND_FACTOR_REQUIRED ACCOUNTS_INVALID_CREDENTIALS\n',
    stderr: '',
  })
})

test.runIf(hasPostgres)('Supabase: the query on its tables', async () => {
  const query = sectionOf('Supabase').blocks.find(({ language }) => language === 'sql')?.code ?? ''
  const options = { challenge: 'AAAA', rp: { id: 'example.org' }, user: { id: 'MQ' } }
  const { passkey } = create(options, 'https://example.org')
  const { place, drop } = await makeDatabase('pg')
  onTestFinished(drop)
  const key = `insert into auth.webauthn_credentials (user_id, credential_id, public_key, transports, friendly_name) values
    ('00000000-0000-4000-8000-000000000001', '\\x${hex(passkey.id)}', '\\x${coseOf(passkey.privateKey)}', '["internal"]', 'Laptop')`
  const rows = await runSql(place, fixture('supabase.sql'), key, query)
  expect(rows).toHaveLength(3)
  const { find, logins } = await move(
    'Supabase',
    rows.map((row) => `${JSON.stringify(Object.values(row)[0])}\n`).join(''),
  )
  const ada = await find('ada')
  expect(ada).toMatchObject({ id: '00000000-0000-4000-8000-000000000001', isVerified: true, isActive: true })
  expect(ada?.identityKeys).toEqual(expect.arrayContaining([google]))
  expect(ada?.credentials.map(({ kind }) => kind).sort()).toEqual(['passkey', 'totp'])
  expect(await find('bob')).toMatchObject({ isVerified: false, isActive: false })
  const eve = await find('eve')
  expect(eve).toMatchObject({ isVerified: true, isActive: true, passwordHash: '!', identityKeys: [github] })
  expect(eve?.credentials).toEqual([])
  expect((await logins(bcryptPassword)).stdout).toContain('ACCOUNTS_SECOND_FACTOR_REQUIRED')
})

test('Auth0: the profiles with the hashes of its support, and without', async () => {
  const lines = await transform('Auth0', ['auth0-profiles.jsonl', 'auth0-hashes.jsonl'])
  const { find, logins } = await move('Auth0', lines)
  expect(await find('ada')).toMatchObject({
    id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
    isVerified: true,
    identityKeys: [google],
  })
  const bob = await find('bob')
  expect(bob).toMatchObject({ id: 'auth0|bob-1', username: 'bob', isVerified: false, isActive: false })
  expect(bob?.passwordHash).toMatch(/^\$2/)
  expect(await find('eve')).toMatchObject({ id: 'github|583231', passwordHash: '!', identityKeys: [github] })
  expect(await logins(bcryptPassword)).toEqual({
    stdout: 'ACCOUNTS_INVALID_CREDENTIALS in ACCOUNTS_DISABLED\n',
    stderr: '',
  })

  const without = await transform('Auth0', ['auth0-profiles.jsonl'])
  expect(without).not.toContain('passwordHash')
})

test('Firebase: the export of its command line', async () => {
  const { find, logins } = await move('Firebase', await transform('Firebase', ['firebase.json']))
  const ada = await find('ada')
  expect(ada).toMatchObject({ id: 'ada00000000000000000000000001', isVerified: true, identityKeys: [google] })
  expect(ada?.lastLoginAt).toEqual(new Date(1_760_000_000_000))
  expect(await find('bob')).toMatchObject({ isVerified: false, isActive: false, passwordHash: '!' })
  expect(await find('eve')).toMatchObject({ identityKeys: [github] })
  expect(await logins('user1password')).toEqual({
    stdout: 'ACCOUNTS_INVALID_CREDENTIALS in ACCOUNTS_INVALID_CREDENTIALS\n',
    stderr: '',
  })
})

test('the request to Auth0 is one of JSON, for the fields that the script reads', () => {
  const request = blocks[6]?.code ?? ''
  const shell = `curl() { while [ "$1" != -d ]; do shift; done; printf %s "$2"; }\n${request}`
  const { stdout } = spawnSync('bash', ['-ec', shell], { encoding: 'utf8' })
  const { format, fields } = JSON.parse(stdout)
  expect(format).toBe('json')
  expect(fields.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['user_id', 'email', 'email_verified', 'identities']),
  )
})
