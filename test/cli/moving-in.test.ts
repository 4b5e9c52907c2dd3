import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { betterAuth, createMigratingHasher, djangoPbkdf2 } from '@fastify-accounts/hashes'
import { createKyselyUserStore } from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import { linkPath, testAppOn } from '@fastify-accounts/test-support/app'
import { makeProject, run, runCli } from '@fastify-accounts/test-support/cli'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { create, get, type SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { read } from '@fastify-accounts/test-support/source'
import { createMemorySessionStore, createScryptHasher, secondFactor } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

const secret = 'a test needs no better secret than this one'
const baseUrl = 'https://example.org'
const fixture = (name: string) => read(`test/cli/fixtures/${name}`)

interface KnownPasskey extends Omit<SoftPasskey, 'privateKey'> {
  privateKey: Record<string, string>
}
const soft = ({ privateKey, ...rest }: KnownPasskey): SoftPasskey => ({
  ...rest,
  privateKey: createPrivateKey({ key: privateKey, format: 'jwk' }),
})

// So no TOTP step ends between generating and using a code.
beforeEach(() => {
  const step = 30_000
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / step) * step + 10_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Runs a guide's query on another system's database; one line for each user. */
async function exported(tables: string, query: string): Promise<string[]> {
  const { place, drop } = await makeDatabase('pg')
  onTestFinished(drop)
  const rows = await runSql(place, tables, query)
  return rows.map((row) => JSON.stringify(Object.values(row)[0]))
}

/** The SQL blocks of a guide. */
function queriesOf(guide: string): string[] {
  return [...read(`docs/guides/${guide}.md`).matchAll(/```sql\n(.*?)\n```/gs)].map(([, text = '']) => text)
}

/** The commands of a guide. */
function commandsOf(guide: string): string[][] {
  return [...read(`docs/guides/${guide}.md`).matchAll(/^npx fastify-accounts (.*)$/gm)].map(([, text = '']) =>
    text.split(' '),
  )
}

const config = (features = 'secondFactor(), passkeys()', names = 'required', roles = 'undefined') => `
import { betterAuth, createMigratingHasher, djangoPbkdf2 } from '@fastify-accounts/hashes'
import { createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { createScryptHasher, secondFactor } from 'fastify-accounts'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
export const options = {
  secret: '${secret}', baseUrl: '${baseUrl}', userStore: createKyselyUserStore({ db }),
  passwordHasher: createMigratingHasher(createScryptHasher(), [betterAuth(), djangoPbkdf2()]),
  users: { names: '${names}' }, features: [${features}], roles: ${roles},
}
const done = () => migrate(db)
export { done as migrate }
export const close = () => db.destroy()
`

const withOrganizations = config()
  .replace('createScryptHasher, secondFactor', 'createScryptHasher, invitations, secondFactor')
  .replace('features: [', 'features: [invitations(), organizations({ store, fields }), ')
  .replace("names: 'required'", "names: 'none'")
  .replace(
    'userStore: createKyselyUserStore({ db })',
    'userStore, invitationStore, mailer: { async send() {} }',
  )
  .replace(
    'export const options',
    `import { organizations } from '@fastify-accounts/organizations'
import { createKyselyInvitationStore } from '@fastify-accounts/kysely'
import { createKyselyOrganizationStore } from '@fastify-accounts/kysely/organizations'
const userStore = createKyselyUserStore({ db })
const invitationStore = createKyselyInvitationStore({ db, userStore })
const store = createKyselyOrganizationStore({ db, userStore })
const fields = { type: 'object', properties: { logo: { type: 'string' }, plan: { type: 'string' } } }
export const options`,
  )

/** Imports lines and opens an app on the result. */
async function moved(
  lines: readonly string[],
  commands: readonly string[][],
  {
    env = {},
    names = 'required' as 'required' | 'none',
    text = config(undefined, names),
    session = { newDeviceMail: false },
  } = {},
) {
  const folder = makeProject({ 'accounts.config.mjs': text, 'users.jsonl': `${lines.join('\n')}\n` })
  const ended = []
  for (const command of commands) ended.push(await runCli(folder, command, { env }))
  const db = await connect({ driver: 'libsql', url: join(folder, 'accounts.db') }, 1)
  const users = createKyselyUserStore({ db })
  onTestFinished(() => db.destroy())
  const service = await testAppOn(
    { users, sessions: createMemorySessionStore() },
    {
      ...{ secret, baseUrl, features: [secondFactor(), passkeys()], session },
      passwordHasher: createMigratingHasher(createScryptHasher({ logN: 10 }), [betterAuth(), djangoPbkdf2()]),
      users: { variant: 'both', names },
    },
  )
  onTestFinished(() => service.app.close())
  return {
    folder,
    ended,
    db,
    users,
    service,
    errors: () => readFileSync(join(folder, 'users.jsonl.errors.csv'), 'utf8').trim().split('\n').slice(1),
    /** Logs in with a password and a code from a new browser. */
    async logIn(username: string, password: string, code: string) {
      const browser = visitor(service)
      const first = await browser.send('POST', '/login/', { username, password })
      expect(first.json()).toMatchObject({ code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED' })
      return (await browser.send('POST', '/login/second-factor/', { code })).statusCode
    },
  }
}

const hasPostgres = (await driversHere(['pg'])).length > 0

describe.runIf(hasPostgres)('docs/guides/from-better-auth.md', () => {
  const known = JSON.parse(fixture('better-auth.json'))
  const [query = '', organizationsQuery = ''] = queriesOf('from-better-auth')
  const commands = commandsOf('from-better-auth')
  const env = { BETTER_AUTH_SECRET: known.secret }
  /** With the columns that the plugin admin adds. */
  const tables = `${fixture('better-auth.sql')}
alter table public."user" add role text, add banned boolean, add "banReason" text, add "banExpires" timestamptz;`

  test('imports authenticator apps, backup codes, passkeys and identities', async () => {
    const lines = await exported(tables, query)
    const place = await moved(lines, commands, { env, names: 'none' })
    // Dora never verified her address.
    expect(place.ended.map(({ code }) => code)).toEqual([0, 1])
    expect(place.ended[1]?.stdout).toContain(
      'Among them 1 with a second factor, 1 with passkeys, 1 with identities at other providers.',
    )
    expect(place.errors()).toEqual(['4,isVerified: a second factor requires a verified address'])

    const { ada, password } = known
    const address = 'ada@example.org'
    expect(await place.logIn(address, password, '000000')).toBe(401)
    const code = codeOf(ada.totp)
    expect(await place.logIn(address, password, code)).toBe(200)
    expect(await place.logIn(address, password, code)).toBe(401)
    const [used, one, other] = ada.backupCodes
    expect(await place.logIn(address, password, used)).toBe(401)
    expect(await place.logIn(address, password, one)).toBe(200)
    expect(await place.logIn(address, password, one)).toBe(401)
    expect(await place.logIn(address, password, other.toLowerCase().replace('-', ' '))).toBe(200)

    const response = await visitor(place.service).use(soft(ada.passkey))
    expect(response.json(), response.body).toMatchObject({ id: ada.id })

    // Bob never confirmed his app with a code, so he doesn't need one.
    const bob = await visitor(place.service).send('POST', '/login/', {
      username: 'bob@example.org',
      password,
    })
    expect(bob.statusCode).toBe(200)

    const carl = await place.users.findByIdentity?.('oidc:https://accounts.google.com|109876543210987654321')
    expect(carl?.email).toBe('carl@example.org')
    expect(carl?.identityKeys).toContain('oidc:https://github.com|583231')
    // Nothing in the database can be used to log in.
    const kept = JSON.stringify(await place.users.list?.({ limit: 10 }))
    for (const text of [ada.totp, one, one.toUpperCase(), one.replace('-', '')])
      expect(kept).not.toContain(text)
  })

  test('imports the roles and bans of the plugin admin', async () => {
    const set = (name: string, changes: string) =>
      `update public."user" set ${changes} where email = '${name}@example.org';`
    const changes = [
      set('ada', `role = 'user,editor'`),
      set('bob', `role = 'admin,support', banned = true, "banExpires" = now() - interval '1 day'`),
      set('carl', `role = 'user', banned = true`),
      set('dora', `role = 'owner', "emailVerified" = true`),
    ]
    const lines = await exported([tables, ...changes].join('\n'), query)
    const roles = `{ editor: ['posts:write'], support: ['users:read'] }`
    const place = await moved(lines, commands, { env, text: config(undefined, 'none', roles), names: 'none' })
    const found = async (name: string) => place.users.findByEmail(`${name}@example.org`)
    expect(await found('ada')).toMatchObject({ isStaff: false, isActive: true, roles: ['editor'] })
    expect(await found('bob')).toMatchObject({ isStaff: true, isActive: true, roles: ['support'] })
    expect(await found('carl')).toMatchObject({ isStaff: false, isActive: false, roles: [] })
    expect(place.errors()).toEqual([expect.stringContaining('owner is not in the option roles')])
  })

  test('keeps organizations, their members and invitations, also when the script runs again', async () => {
    // The import refuses the second factor of an address that isn't verified.
    const without = `delete from public."twoFactor" where "userId" in
      (select id from public."user" where email = 'dora@example.org');`
    const users = await exported([tables, without].join('\n'), query)
    const place = await moved(users, commands, { env, names: 'none', text: withOrganizations })
    expect(place.ended.map(({ code }) => code)).toEqual([0, 0])
    const lines = await exported(tables, organizationsQuery)
    const guide = read('docs/guides/from-better-auth.md')
    const [, script = ''] = /```js\n(import \{ readFile \}.*?)```/s.exec(guide) ?? []
    const files = {
      'package.json': '{"type":"module"}',
      'accounts.config.js': withOrganizations,
      'import-organizations.js': script,
      'organizations.jsonl': `${lines.join('\n')}\n`,
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place.folder, name), text)
    const runScript = () => run(place.folder, ['import-organizations.js'])
    const first = await runScript()

    const store = createKyselyOrganizationStore({ db: place.db })
    const everybody = (await place.users.list?.({ limit: 10 })) ?? []
    const nameOf = (id: string) => everybody.find((user) => user.id === id)?.email?.split('@')[0]
    const now = async () => ({
      organizations: await Promise.all(
        (await store.list({ limit: 10 })).map(async ({ id, slug, fields }) => {
          const members = await store.listMembers(id, { limit: 10 })
          return {
            slug,
            fields,
            members: Object.fromEntries(members.map((each) => [nameOf(each.userId), each.roles])),
          }
        }),
      ),
      invitations: await runSql(
        { driver: 'libsql', url: join(place.folder, 'accounts.db') },
        'select email, gives, sends from accounts_invitations order by email',
      ),
    })
    const expected = {
      organizations: [
        {
          slug: 'acme',
          fields: { logo: 'https://example.org/acme.png', plan: 'pro' },
          members: { ada: ['owner'], carl: ['owner'], bob: ['admin', 'member'] },
        },
        { slug: 'bob-sons', fields: {}, members: { bob: ['owner'] } },
      ],
      invitations: ['dora', 'eve'].map((name) => ({
        email: `${name}@example.org`,
        gives: '{"roles":["member"]}',
        sends: 1,
      })),
    }
    expect(first.code, first.stderr).toBe(0)
    expect(await now()).toEqual(expected)
    expect(first.stderr.split('\n').filter((line) => /^[a-z-]+[,:] /.test(line))).toEqual([
      expect.stringMatching(/^twins: left out, \w+ isn't the only one/),
      expect.stringMatching(/^twins: left out, \w+ isn't the only one/),
      'unverified, owner dora@example.org: ACCOUNTS_NOT_VERIFIED',
      expect.stringMatching(/^unverified: left out, no owner/),
      expect.stringMatching(/^ownerless: left out, no owner/),
    ])

    // As if the script had failed before it came to him.
    const [acme] = await store.list({ limit: 1 })
    const bob = everybody.find(({ id }) => nameOf(id) === 'bob')?.id ?? ''
    const { id: organizationId = '', version: expectedVersion = 0 } = acme ?? {}
    await store.write([{ organizationId, expectedVersion, changes: { members: 2 }, remove: [bob] }])
    const second = await runScript()
    expect([second.code, second.stdout]).toEqual([0, first.stdout])
    expect(await now()).toEqual(expected)
  })

  test('with a wrong secret, lines that need it are rejected; without one, the import fails', async () => {
    const lines = await exported(tables, query)
    const wrong = await moved(lines, commands, {
      env: { BETTER_AUTH_SECRET: 'another' },
      names: 'none',
    })
    expect(wrong.ended[1]).toMatchObject({ code: 1, stdout: expect.stringContaining('2 created') })
    expect(wrong.errors()).toEqual([
      '1,totp: does not open under BETTER_AUTH_SECRET',
      '4,totp: does not open under BETTER_AUTH_SECRET',
    ])
    const none = await moved(lines, commands, { names: 'none' })
    expect(none.ended[1]).toMatchObject({
      code: 1,
      stderr: 'better-auth encrypted secrets in the file: set BETTER_AUTH_SECRET in the environment\n',
    })
    expect(await none.users.list?.({ limit: 10 })).toEqual([])
  })
})

describe.runIf(hasPostgres)('docs/guides/from-django.md', () => {
  const known = JSON.parse(fixture('django.json'))
  const [users = '', verified = '', otp = '', allauth = '', groups = ''] = queriesOf('from-django')
  const commands = commandsOf('from-django')
  const withLines = (...lines: string[]) => users.replace('\n)', `\n${lines.join('\n')}\n)`)

  test('imports devices and static tokens of django-otp', async () => {
    const place = await moved(await exported(fixture('django.sql'), withLines(verified, otp)), commands)
    expect(place.ended[1]).toMatchObject({ code: 1, stdout: expect.stringContaining('3 created') })
    expect(place.errors()).toEqual(['2,totp: has codes of 8 digits; only 6 are supported'])
    const { ada, password } = known
    expect(await place.logIn('ada', password, codeOf(ada.totp))).toBe(200)
    expect(await place.logIn('ada', password, ada.tokens[0])).toBe(200)
    expect(await place.logIn('ada', password, ada.tokens[0])).toBe(401)
    expect(await place.logIn('ada', password, ada.tokens[1].toUpperCase())).toBe(200)
  })

  test('imports groups as roles, and staff or only superusers as staff', async () => {
    const tables = `${fixture('django.sql')}
create table auth_group (id serial primary key, name varchar(150) not null);
create table auth_user_groups (id serial primary key, user_id integer not null, group_id integer not null);
insert into auth_group (name) values ('Content editors'), ('support'), ('owners');
insert into auth_user_groups (user_id, group_id) select u.id, g.id from auth_user u, auth_group g
  where (u.username, g.name) in (('ada', 'Content editors'), ('ada', 'support'), ('carl', 'owners'));
update auth_user set is_staff = true where username in ('ada', 'bob');
update auth_user set is_superuser = true where username = 'bob';`
    const roles = `{ 'content-editors': ['posts:write'], support: ['users:read'] }`
    const importing = async (query: string) => {
      const text = config(undefined, undefined, roles)
      const place = await moved(await exported(tables, query), commands, { text })
      expect(place.errors()).toEqual([expect.stringContaining('owners is not in the option roles')])
      return async (name: string) => place.users.findByUsername(name)
    }
    const all = await importing(withLines(groups))
    const ada = await all('ada')
    expect([...(ada?.roles ?? [])].sort()).toEqual(['content-editors', 'support'])
    expect(ada).toMatchObject({ isStaff: true })
    expect(await all('dora')).toMatchObject({ roles: [], isStaff: false })
    const [, other = ''] = /write `('isStaff', [^`]*)`/.exec(read('docs/guides/from-django.md')) ?? []
    const some = await importing(withLines(groups).replace("'isStaff', u.is_staff", other))
    expect(await some('ada')).toMatchObject({ isStaff: false })
    expect(await some('bob')).toMatchObject({ isStaff: true })
  })

  test('imports apps, recovery codes, passkeys and identities of django-allauth', async () => {
    const place = await moved(await exported(fixture('django.sql'), withLines(verified, allauth)), commands)
    expect(place.ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const { carl, password } = known
    expect(await place.logIn('carl', password, codeOf(carl.totp))).toBe(200)
    // Carl had already used the second code.
    expect(await place.logIn('carl', password, carl.codes[1])).toBe(401)
    expect(await place.logIn('carl', password, carl.codes[3])).toBe(200)
    expect(await place.logIn('carl', password, carl.codes[3])).toBe(401)
    const login = await visitor(place.service).use(soft(carl.passkey))
    expect(login.json(), login.body).toMatchObject({ username: 'carl' })
    // It was a second factor in allauth, and stays one.
    const browser = visitor(place.service)
    const first = await browser.send('POST', '/login/', { username: 'carl', password })
    expect(first.json().factors).toEqual(expect.arrayContaining(['totp', 'passkey', 'recovery-code']))
    const options = await browser.send('POST', '/login/passkey/options/')
    const response = get(soft(carl.passkey), options.json(), { flags: { verified: false } })
    const second = await browser.send('POST', '/login/second-factor/', { response })
    expect(second.statusCode, second.body).toBe(200)
    const found = await place.users.findByIdentity?.('oidc:https://github.com|583231')
    expect(found?.username).toBe('carl')
    expect((await place.users.findByUsername('dora'))?.passwordHash).toBe('!')
  })
})

/** As documented by @auth/pg-adapter, without the token columns. */
const authJsTables = `
create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null,
  provider varchar(255) not null, "providerAccountId" varchar(255) not null);
create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text);
insert into users (name, email, "emailVerified") values
  ('Ada', 'ada@example.org', now()), ('Bob', 'bob@example.org', null);
insert into accounts ("userId", type, provider, "providerAccountId") values
  (1, 'oidc', 'google', '109876543210987654321'), (1, 'oauth', 'github', '583231');`

test.runIf(hasPostgres)('docs/guides/from-passport.md imports the accounts of Auth.js', async () => {
  const [query = ''] = queriesOf('from-passport')
  const lines = await exported(authJsTables, query)
  const place = await moved(lines, commandsOf('from-passport'), { names: 'none' })
  expect(place.ended[1]).toMatchObject({ code: 0, stdout: expect.stringContaining('2 created') })
  const ada = await place.users.findByIdentity?.('oidc:https://github.com|583231')
  expect(ada).toMatchObject({ email: 'ada@example.org', isVerified: true, passwordHash: '!' })
  expect(ada?.identityKeys).toContain('oidc:https://accounts.google.com|109876543210987654321')
  expect(await place.users.findByEmail('bob@example.org')).toMatchObject({
    isVerified: false,
    identityKeys: [],
  })
})

test('CSV cells hold lists and objects as JSON', async () => {
  const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`
  const row = ['ada', cell([{ secret: base32 }]), '"1234-5678 8765-4321"', 'google:12']
  const place = await moved(
    ['username,totp,recovery_codes,identities', row.join(','), 'bob,[,,'],
    [['migrate'], ['import', 'users.jsonl', '--format', 'csv']],
  )
  expect(place.errors()).toEqual(['3,totp: is not valid JSON'])
  const kinds = (await place.users.findByUsername('ada'))?.credentials.map(({ kind }) => kind)
  expect(kinds).toEqual(['totp', 'recovery-code', 'recovery-code'])
})

const importing = (...more: string[]) => [['migrate'], ['import', 'users.jsonl', ...more]]
const line = (more: object) => JSON.stringify({ username: 'ada', isVerified: true, ...more })
const base32 = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

test.each([
  ['base32', base32],
  ['base32 in lowercase groups', 'jbsw y3dp ehpk 3pxp jbsw y3dp ehpk 3pxp'],
  [
    'an otpauth URL',
    `otpauth://totp/Site:ada?secret=${base32}&issuer=Site&algorithm=SHA1&digits=6&period=30`,
  ],
  ['an object', { secret: base32, digits: 6, period: 30, algorithm: 'sha1', name: ' Phone ' }, 'Phone'],
  [
    'a device from a list',
    [
      { key: 'ff', confirmed: false },
      { secret: base32, name: ' ' },
    ],
  ],
])('totp reads %s', async (_what, totp, name = 'Authenticator app') => {
  const place = await moved([line({ totp })], importing())
  expect(place.ended[1]).toMatchObject({ code: 0, stderr: '' })
  const [user] = (await place.users.list?.({ limit: 2 })) ?? []
  expect(user?.factors).toEqual(['totp'])
  expect(user?.credentials).toMatchObject([{ kind: 'totp', name, lastUsedAt: null }])
})

/** Where ES256 keys in COSE have x and y. */
const pointOf = (key: Buffer) => [key.subarray(10, 42), key.subarray(45, 77)] as const
function spkiOf(key: Buffer) {
  const [x, y] = pointOf(key)
  const point = { x: x.toString('base64url'), y: y.toString('base64url') }
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...point }, format: 'jwk' })
}

test('passkeys reads the rows of other systems, and each passkey logs in', async () => {
  const shapes: Record<string, (key: Buffer, id: Buffer) => object> = {
    SimpleWebAuthn: (key, id) => ({
      ...{ id: id.toString('base64url'), publicKey: key.toString('base64'), counter: 0 },
      ...{ transports: ['internal', 'hybrid'], deviceType: 'multiDevice', backedUp: true },
    }),
    'its result': (key, id) => ({
      credential: {
        id: id.toString('base64url'),
        publicKey: { ...key },
        counter: 0,
        transports: ['internal'],
      },
      ...{ credentialDeviceType: 'multiDevice', credentialBackedUp: true, credentialType: 'public-key' },
    }),
    'an old result of it': (key, id) => ({
      ...{ credentialID: [...id], credentialPublicKey: key.toJSON(), counter: '0' },
    }),
    'Auth.js': (key, id) => ({
      ...{ credentialID: id.toString('base64'), credentialPublicKey: key.toString('base64'), counter: 0 },
      ...{ credentialDeviceType: 'multiDevice', credentialBackedUp: true, transports: 'internal,hybrid' },
    }),
    'snake case': (key, id) => ({
      id: '0193a5b0-6c1e-7d2f-8a3b-4c5d6e7f8091',
      ...{ credential_id: id.toString('base64url'), public_key: key.toString('base64url'), sign_count: 0 },
      ...{ device_type: 'multi_device', backed_up: 1, transports: '["internal", "hybrid"]' },
    }),
    'PostgreSQL’s bytes': (key, id) => ({
      ...{ credential_id: `\\x${id.toString('hex')}`, public_key: `\\x${key.toString('hex')}` },
      ...{ counter: null, transports: '{internal,hybrid}', device_type: null, backed_up: null },
    }),
    'Rodauth’s result': (key, id) => ({
      ...{ account_id: 7, webauthn_id: id.toString('base64url'), public_key: key.toString('base64url') },
      ...{ sign_count: 0, last_use: '2024-01-05 10:11:12.123+00' },
    }),
    'webauthn-ruby’s result': (key, id) => ({
      ...{ id: 7, external_id: id.toString('base64url'), public_key: key.toString('base64url') },
      ...{ nickname: 'Notebook', sign_count: 0, created_at: '2024-01-05 10:11:12.123' },
    }),
    'Spring Security': (key, id) => ({
      ...{ credential_id: id.toString('base64url'), public_key: `0x${key.toString('hex').toUpperCase()}` },
      ...{ signature_count: 0, authenticator_transports: 'INTERNAL;HYBRID', backup_state: 'TRUE' },
    }),
    'Go’s webauthn': (key, id) => ({
      ...{ id: id.toString('base64'), publicKey: key.toString('base64'), transport: ['internal', 'hybrid'] },
      ...{ flags: { backupState: true }, authenticator: { signCount: 0, attachment: 'platform' } },
    }),
    Keycloak: (key, id) => ({
      ...{ userLabel: 'Notebook', createdDate: 1704449472123 },
      credentialData: JSON.stringify({
        ...{ credentialId: id.toString('base64'), credentialPublicKey: key.toString('base64url') },
        ...{ counter: 0, transports: ['internal', 'hybrid'] },
      }),
    }),
    'MongoDB’s export': (key, id) => ({
      _id: { $oid: '65f0a0b01111422283334444' },
      credentialID: { $binary: { base64: id.toString('base64'), subType: '00' } },
      publicKey: { $binary: { base64: key.toString('base64'), subType: '00' } },
      ...{ counter: { $numberLong: '0' }, transports: "['internal', 'hybrid']" },
    }),
    'bytes as text': (key, id) => ({
      ...{ credentialID: [...id].join(','), publicKey: JSON.stringify({ ...key }) },
      transports: '"[\\"internal\\",\\"hybrid\\"]"',
    }),
    hex: (key, id) => ({
      ...{ credentialID: id.toString('hex'), publicKey: key.toString('hex'), transports: 'internal hybrid' },
    }),
    'base64 in lines': (key, id) => ({
      ...{ credentialID: id.toString('base64'), transports: 'internal,hybrid' },
      publicKey: key.toString('base64').replaceAll(/(.{40})/g, '$1\n'),
    }),
    'a key as browsers return it': (key, id) => ({
      ...{ id: id.toString('base64url'), algorithm: 'ES256', transports: ['internal', 'hybrid'] },
      publicKey: spkiOf(key).export({ type: 'spki', format: 'der' }).toString('base64url'),
    }),
    'a key in PEM': (key, id) => ({
      ...{ id: id.toString('base64url'), transports: ['internal', 'hybrid'] },
      public_key: spkiOf(key).export({ type: 'spki', format: 'pem' }),
    }),
    'a key as a point': (key, id) => ({
      ...{ id: id.toString('base64url'), algorithm_id: -7, transports: ['internal', 'hybrid'] },
      public_key: Buffer.concat([Buffer.from([4]), ...pointOf(key)]).toString('base64'),
    }),
  }
  const made = Object.entries(shapes).map(([name, rowOf], at) => {
    const options = { challenge: 'AAAA', rp: { id: 'example.org' }, user: { id: 'MQ' } }
    const { passkey, response } = create(options, 'https://example.org')
    const id = Buffer.from(passkey.id, 'base64url')
    const data = Buffer.from(response.response.attestationObject, 'base64url')
    const key = data.subarray(data.indexOf(id) + id.length)
    return { name, passkey, line: line({ username: `user${at}`, passkeys: [rowOf(key, id)] }) }
  })
  const place = await moved(
    made.map((each) => each.line),
    importing(),
  )
  expect(place.ended[1]).toMatchObject({ code: 0, stderr: '' })
  for (const { name, passkey } of made) {
    const owner = visitor(place.service)
    expect((await owner.use(passkey)).statusCode, name).toBe(200)
    const options = await owner.send('POST', '/confirm/passkey/options/')
    const [{ transports }] = options.json().allowCredentials
    if (!name.includes('result')) expect(transports, name).toEqual(['internal', 'hybrid'])
  }
})

test('reports data that it can’t import as rejected lines with a reason, and imports the rest', async () => {
  const device = { key: '00'.repeat(20), step: 30, t0: 0, digits: 6, drift: 0, confirmed: true, last_t: -1 }
  const passkey = { credentialID: 'AAAA', publicKey: 'pQECAyYgAQ==', counter: 0 }
  const cases: [object, string][] = [
    [{ totp: 'no base32!' }, 'totp: is not a base32 secret'],
    [{ totp: 'JBSWY3DPEHPK3PXP' }, 'totp: has a secret of 80 bits; at least 128 are required'],
    [{ totp: `otpauth://hotp/x?secret=${base32}` }, 'totp: is not an otpauth://totp/ URL'],
    [{ totp: { secret: base32, algorithm: 'SHA256' } }, 'totp: has codes by SHA256; only SHA1 is supported'],
    [{ totp: { ...device, step: 60 } }, 'totp: has a new code every 60 seconds; only 30 are supported'],
    [{ totp: { ...device, drift: -7 } }, 'totp: has a clock that is off by more than 30 s'],
    [{ totp: { ...device, t0: 5 } }, 'totp: does not count from 1970'],
    [{ totp: { ...device, key: 'xyz' } }, 'totp: is not a hexadecimal key'],
    [
      { totp: base32, recoveryCodes: ['1234567'] },
      'recoveryCodes: has a code of 7 characters; 8 to 64 are allowed',
    ],
    [{ recoveryCodes: ['12345678'] }, 'recoveryCodes: require a second factor'],
    [
      { totp: base32, email: 'ada@example.org', isVerified: false },
      'isVerified: a second factor requires a verified address',
    ],
    [{ passkeys: [passkey] }, 'passkeys: has a public key that is not a COSE key'],
    [{ passkeys: [{ ...passkey, publicKey: 'oQM5AQA=' }] }, 'passkeys: has an incomplete public key'],
    [
      { passkeys: [{ ...passkey, publicKey: 'oQM4JQ==' }] },
      'passkeys: has a key of the COSE algorithm -38; supported are -8, -7, -257',
    ],
    [{ passkeys: [{ ...passkey, credentialID: '' }] }, 'passkeys: lacks a credential id or a public key'],
    [{ passkeys: [{ ...passkey, credentialID: 'A' }] }, 'passkeys: lacks a credential id or a public key'],
    [
      { passkeys: [{ ...passkey, credentialID: null, id: '0193a5b0-6c1e-7d2f-8a3b-4c5d6e7f8091' }] },
      'passkeys: lacks a credential id or a public key',
    ],
    [
      { identities: 'facebook:1' },
      'identities: the issuer of facebook is unknown; --issuer facebook=https://… names it, --issuer facebook= leaves it out',
    ],
    [
      { identities: 'github:ada' },
      'identities: the subject at https://github.com is the number of the account, not its name',
    ],
    [{ identities: 'nonsense' }, 'identities: lacks a provider or a subject'],
  ]
  const lines = cases.map(([more], at) => line({ username: `user${at}`, ...more }))
  const place = await moved([...lines, line({ username: 'good', totp: base32 })], importing())
  expect(place.ended[1]?.stdout).toContain(`1 created, 0 updated, 0 existing, ${cases.length} rejected`)
  const reasons = place.errors().map((each) => each.replace(/^\d+,"?(.*?)"?$/, '$1'))
  expect(reasons).toEqual(cases.map(([, reason]) => reason))
})

test('maps columns to identities, with --issuer naming or dropping providers, each for only one user', async () => {
  const lines = [
    { username: 'ada', google_id: '12', github_id: 34, ms: null },
    { username: 'bob', google_id: '', github_id: '34', ms: null },
    { username: 'carl', google_id: '', github_id: '', ms: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ' },
    { username: 'dora', google_id: '', github_id: '', ms: '00000000-0000-0000-66f3-3332eca7ea81' },
  ]
  const maps = ['google:{google_id}', 'github:{github_id}', 'microsoft:{ms}', 'old:{username}']
  const tenant = 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0'
  const place = await moved(
    lines.map((each) => JSON.stringify(each)),
    importing(
      ...maps.flatMap((each) => ['--map', `identities=${each}`]),
      ...['--issuer', `microsoft=${tenant}`, '--issuer', 'old='],
    ),
  )
  expect(place.errors().toSorted()).toEqual([
    '2,identity: another user has it',
    `4,"identities: the subject at ${tenant} is the sub of its ID tokens, not the object id"`,
  ])
  expect((await place.users.findByUsername('ada'))?.identityKeys).toEqual([
    'oidc:https://accounts.google.com|12',
    'oidc:https://github.com|34',
  ])
  expect((await place.users.findByUsername('carl'))?.identityKeys).toHaveLength(1)
})

test.each([
  ['no feature handles it', config(''), 'add secondFactor() of fastify-accounts to features'],
  [
    'the secret is missing',
    config().replace('secret: ', 'no: '),
    'needs the option secret: set it in accounts.config.js',
  ],
])('imports nobody without their factor if %s', async (_what, text, reason) => {
  const place = await moved([line({ totp: base32 })], importing(), { text })
  expect(place.ended[1]).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  expect(await place.users.list?.({ limit: 2 })).toEqual([])
})

test('reporting a login in the week after the import keeps the imported factors', async () => {
  const given = {
    email: 'ada@example.org',
    totp: base32,
    passwordHash: await createScryptHasher().hash('seven green lanterns'),
  }
  const place = await moved([line(given)], importing(), { session: { newDeviceMail: true } })
  for (const [at, code] of [codeOf(base32, -1), codeOf(base32)].entries()) {
    expect(await place.logIn('ada', 'seven green lanterns', code), `login ${at}`).toBe(200)
  }
  const mail = await place.service.mail('new-device')
  const response = await place.service.send('POST', linkPath(mail), {})
  expect(response.statusCode, response.body).toBe(200)
  expect(await place.users.findByUsername('ada')).toMatchObject({
    ...{ passwordHash: '!', factors: ['totp'], credentials: [{ kind: 'totp' }] },
  })
})

describe('--update', () => {
  const passwordHash = '$2b$10$of.another.system'
  const before = { createdAt: '2024-05-06T07:08:09.512Z', passwordHash }
  const after = { ...before, totp: base32, recoveryCodes: ['12345678'], identities: 'google:12' }
  const update = ['import', 'users.jsonl', '--update', '--json']

  test('adds factors and identities to unchanged users, once', async () => {
    const place = await moved([line(before)], importing())
    writeFileSync(join(place.folder, 'users.jsonl'), line(after))
    const one = await runCli(place.folder, update)
    expect(JSON.parse(one.stdout)).toMatchObject({
      updated: 1,
      withFactor: 1,
      withIdentity: 1,
      proofsLeft: 0,
    })
    const [user] = (await place.users.list?.({ limit: 2 })) ?? []
    expect(user).toMatchObject({ factors: ['totp'], identityKeys: ['oidc:https://accounts.google.com|12'] })
    const two = await runCli(place.folder, update)
    expect(JSON.parse(two.stdout)).toMatchObject({ updated: 0, existing: 1, proofsLeft: 0 })
    expect((await place.users.list?.({ limit: 2 })) ?? []).toEqual([user])
  })

  test.each([
    ['has logged in here', { lastLoginAt: new Date() }],
    ['has another password here', { passwordHash: 'own' }],
    ['has enrolled here', { factors: ['totp'], credentials: [{ kind: 'totp', id: 'own' }] }],
    ['has an identity here', { identityKeys: ['oidc:https://issuer.example|1'] }],
  ])('leaves a user who %s unchanged, and reports it', async (_what, changes) => {
    const place = await moved([line(before)], importing())
    const [user] = (await place.users.list?.({ limit: 2 })) ?? []
    const changed = await place.users.update(user?.id ?? '', changes, 1)
    writeFileSync(join(place.folder, 'users.jsonl'), line(after))
    const { stdout } = await runCli(place.folder, update)
    expect(JSON.parse(stdout)).toMatchObject({ updated: 0, existing: 1, proofsLeft: 1 })
    expect((await place.users.list?.({ limit: 2 })) ?? []).toEqual([changed])
  })

  test('adds nothing to an address that was verified after the import', async () => {
    const place = await moved([line({ ...before, isVerified: false, email: 'ada@example.org' })], importing())
    const [user] = (await place.users.list?.({ limit: 2 })) ?? []
    await place.users.update(user?.id ?? '', { isVerified: true }, 1)
    const again = line({ ...before, identities: 'google:12', isVerified: false, email: 'ada@example.org' })
    writeFileSync(join(place.folder, 'users.jsonl'), again)
    await runCli(place.folder, update)
    expect((await place.users.list?.({ limit: 2 }))?.[0]?.identityKeys).toEqual([])
  })
})
