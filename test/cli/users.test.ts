import { makeProject, runCli, runModule } from '@fastify-accounts/test-support/cli'
import { connect, isRedisHere, newPrefix, sweep, url } from '@fastify-accounts/test-support/redis/redis'
import { describe, expect, onTestFinished, test } from 'vitest'

const password = 'seven green lanterns'

/** What differs between the apps of these tests. */
interface Kind {
  /** Lines that declare `sessionStore`, and `closeSessions` if there is something to close. */
  sessions?: string
  /** More options of the plugin. */
  options?: string
}

const inOneDatabase = `
import { createKyselySessionStore } from '@fastify-accounts/kysely'
const sessionStore = createKyselySessionStore({ db, userStore })
const closeSessions = async () => {}
`
const inRedis = (prefix: string) => `
import { createRedisSessionStore } from '@fastify-accounts/redis'
import { Redis } from 'ioredis'
const redis = new Redis(${JSON.stringify(url)})
const sessionStore = createRedisSessionStore({ redis, prefix: ${JSON.stringify(prefix)} })
const closeSessions = () => redis.quit()
`

/** A module as an app has it. The plugin isn't named as by default: emails belong to the mount of that name. */
const config = ({ sessions = inOneDatabase, options = '' }: Kind) => `
import { createKyselyUserStore, migrate as migrateTables, openSqlite } from '@fastify-accounts/kysely'
import { passkeys } from '@fastify-accounts/passkeys'
import { createScryptHasher, secondFactor } from 'fastify-accounts'
import Database from 'libsql'
const db = openSqlite(new Database('accounts.db'))
const userStore = createKyselyUserStore({ db })
${sessions}
export const options = {
  secret: (process.env.SECRET ?? 'a test needs no better secret than this one').split(','),
  baseUrl: 'https://example.org',
  users: true,
  userStore,
  sessionStore,
  features: [secondFactor(), passkeys()],
  passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
  decorateAs: { instance: 'members' },
  ${options}
}
export const migrate = () => migrateTables(db)
export const close = async () => {
  await closeSessions()
  await db.destroy()
}
`

/** Creates users, given as properties of the store's record. */
const fill = `
import { close, migrate, options } from './accounts.config.mjs'
import { newUser } from '@fastify-accounts/testing'
await migrate()
const passwordHash = await options.passwordHasher.hash(${JSON.stringify(password)})
for (const user of JSON.parse(process.argv[2])) {
  const key = user.email?.toLowerCase() ?? null
  const { id } = await options.userStore.create(newUser({ passwordHash, isVerified: true, usernameKey: user.username, emailKey: key, ...user, emailChangedAt: user.emailChangedAt ? new Date(user.emailChangedAt) : null }))
  console.log(id)
}
await close()
`

/** The service: serves requests, one after the other, and prints status, code and the session's cookie. */
const service = `
import { close, options } from './accounts.config.mjs'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
const app = Fastify()
await app.register(accounts, { mailer: { async send() {} }, ...options })
const responses = []
for (const { url, payload, cookie } of JSON.parse(process.argv[2])) {
  const response = await app.inject({ method: payload ? 'POST' : 'GET', url, payload, headers: cookie ? { cookie } : {} })
  const [, fresh] = /^(__Host-session=[^;]+)/.exec([response.headers['set-cookie'] ?? []].flat().find((each) => /^__Host-session=./.test(each)) ?? '') ?? []
  responses.push({ status: response.statusCode, code: response.json().code, cookie: fresh })
}
console.log(JSON.stringify(responses))
await app.close()
await close()
`

/** The service, until it has sent an email. */
const deliver = `
import { close, options } from './accounts.config.mjs'
import Fastify from 'fastify'
import accounts from 'fastify-accounts'
let sent
const mail = new Promise((resolve) => { sent = resolve })
const app = Fastify()
await app.register(accounts, { ...options, mailer: { send: async (each) => sent(each) } })
await app.ready()
const { kind, to, subject } = await mail
console.log(JSON.stringify({ kind, to: to.address, subject }))
await app.close()
await close()
`

const look = `
import { close, options } from './accounts.config.mjs'
const users = await options.userStore.list({ limit: 10 })
console.log(JSON.stringify(users.map(({ username, version, isActive, factors, credentials, identityKeys }) => ({ username, version, isActive, factors, kept: credentials.map(({ id }) => id), identityKeys }))))
await close()
`

type Request = { url: string; payload?: object; cookie?: string | undefined }
type Response = { status: number; code?: string; cookie?: string }

async function project(users: object[], kind: Kind = {}) {
  const folder = makeProject({
    'accounts.config.mjs': config(kind),
    'fill.mjs': fill,
    'service.mjs': service,
    'deliver.mjs': deliver,
    'look.mjs': look,
  })
  const run = async (args: string[], env: Record<string, string> = {}) => {
    const ended = await runModule(folder, args, { env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return ended.stdout.trim()
  }
  const ids = (await run(['fill.mjs', JSON.stringify(users)])).split('\n')
  const ask = async (requests: Request[], env?: Record<string, string>): Promise<Response[]> =>
    JSON.parse(await run(['service.mjs', JSON.stringify(requests)], env))
  return {
    folder,
    ids,
    ask,
    /** The cookies of new sessions, one for each name. */
    async logIn(...names: string[]): Promise<string[]> {
      const responses = await ask(
        names.map((username) => ({ url: '/login/', payload: { username, password } })),
      )
      expect(responses.map(({ status }) => status)).toEqual(names.map(() => 200))
      return responses.map(({ cookie = '' }) => cookie)
    },
    /** Who is still logged in, by the status of GET /me/. */
    async seen(cookies: string[], env?: Record<string, string>): Promise<number[]> {
      const responses = await ask(
        cookies.map((cookie) => ({ url: '/me/', cookie })),
        env,
      )
      return responses.map(({ status }) => status)
    },
    async cli(...args: string[]) {
      const { code, stdout, stderr } = await runCli(folder, [...args, '--json'])
      expect(stderr).toBe('')
      return { code, ...JSON.parse(stdout) }
    },
    text: async (...args: string[]) => runCli(folder, args),
    delivered: async () => JSON.parse(await run(['deliver.mjs'])),
    look: async () => JSON.parse(await run(['look.mjs'])),
  }
}

const ada = { username: 'ada', email: 'Ada@example.org' }
const ben = { username: 'ben', email: null }
const unknownId = '00000000-0000-7000-8000-000000000000'

describe('the user', () => {
  test('is found by username, address or id, in any case', async () => {
    const { cli, ids } = await project([ada, ben])
    for (const name of ['ada', 'ADA', 'ada@example.org', ids[0] ?? ''])
      expect(await cli('enable-user', name)).toMatchObject({ code: 0, id: ids[0], username: 'ada' })
  })

  test('has to be exactly one', async () => {
    // As imports keep them.
    const { cli, ids } = await project([ada, { username: 'ada@example.org', email: null }])
    expect(await cli('disable-user', 'ada@example.org')).toEqual({
      code: 1,
      error: expect.stringContaining(
        `could be ada@example.org (${ids[1]}) and ada (${ids[0]}): say which with --by id`,
      ),
    })
    const byName = await cli('disable-user', 'ada@example.org', '--by', 'username')
    expect(byName).toMatchObject({ code: 0, id: ids[1] })
    const byEmail = await cli('disable-user', 'ada@example.org', '--by', 'email')
    expect(byEmail).toMatchObject({ code: 0, id: ids[0] })
    expect(await cli('disable-user', 'ada', '--by', 'id')).toEqual({
      code: 1,
      error: 'no user has the id ada',
    })
    expect(await cli('disable-user', 'ada', '--by', 'name')).toEqual({
      code: 2,
      error: expect.stringContaining('--by must be id, username or email, got name'),
    })
    for (const name of ['nobody', 'nobody@example.org', unknownId]) {
      for (const command of ['disable-user', 'enable-user', 'end-sessions', 'reset-factors', 'secure-user'])
        expect(await cli(command, name)).toEqual({
          code: 1,
          error: `no user has the username, address or id ${name}`,
        })
    }
    const { stdout } = await runCli((await project([ada])).folder, ['disable-user', 'ada'])
    expect(stdout).toContain('disabled ada (')
  })

  test('shows no control characters of imported names', async () => {
    const { text } = await project([{ ...ada, username: 'a\u001b[31mda', usernameKey: 'a\u001b[31mda' }])
    const { stdout } = await text('disable-user', 'ada@example.org')
    expect(stdout).toContain('disabled a [31mda (')
  })
})

const stores: [name: string, make: () => Kind][] = [
  ['one SQLite database', () => ({})],
  ['sessions in Redis', () => ({ sessions: inRedis(prefixForTest()) })],
]

/** The keys are deleted after the test. */
function prefixForTest(): string {
  const prefix = newPrefix()
  onTestFinished(async () => {
    const redis = await connect()
    await sweep(redis, prefix)
    redis.disconnect()
  })
  return prefix
}

describe.each(stores)('with %s', (name, kind) => {
  const isHere = isRedisHere().then((is) => is || !name.includes('Redis'))

  test('disables a user, at once, and enables them again', async ({ skip }) => {
    if (!(await isHere)) skip()
    const { cli, logIn, seen, ask, look } = await project([ada, ben], kind())
    const cookies = await logIn('ada', 'ada', 'ben')
    expect(await cli('disable-user', 'ada')).toMatchObject({ code: 0, wasActive: true, sessions: 2 })
    expect(await seen(cookies)).toEqual([401, 401, 200])
    const [login] = await ask([{ url: '/login/', payload: { username: 'ada', password } }])
    expect(login).toMatchObject({ status: 403, code: 'ACCOUNTS_DISABLED' })
    expect(await cli('disable-user', 'ada')).toMatchObject({ code: 0, wasActive: false, sessions: 0 })
    expect(await cli('enable-user', 'ada')).toMatchObject({ code: 0, isActive: true, wasActive: false })
    // Enabling revives no session.
    expect(await seen(cookies)).toEqual([401, 401, 200])
    await logIn('ada')
    expect(await look()).toMatchObject([{ isActive: true }, { isActive: true }])
  })

  test('ends the sessions of one user', async ({ skip }) => {
    if (!(await isHere)) skip()
    const { cli, logIn, seen } = await project([ada, ben], kind())
    const cookies = await logIn('ada', 'ben', 'ada')
    expect(await cli('end-sessions', 'ada')).toMatchObject({ code: 0, sessions: 2, username: 'ada' })
    expect(await seen(cookies)).toEqual([401, 200, 401])
    await logIn('ada')
  })

  test('logs everybody out, if --yes says so', async ({ skip }) => {
    if (!(await isHere)) skip()
    const people = Array.from({ length: 12 }, (_, n) => ({ username: `user-${n}`, email: null }))
    const { cli, logIn, seen } = await project([ada, ben, ...people], kind())
    const cookies = await logIn('ada', 'ben', 'user-11')
    expect(await cli('end-sessions', '--all')).toEqual({ code: 0, users: 14 })
    expect(await seen(cookies)).toEqual([200, 200, 200])
    expect(await cli('end-sessions', '--all', '--yes')).toEqual({ code: 0, loggedOut: 14 })
    expect(await seen(cookies)).toEqual([401, 401, 401])
    await logIn('ada', 'user-11')
  })

  test('after a leaked secret, --all logs out who the change of the secret leaves logged in', async ({
    skip,
  }) => {
    if (!(await isHere)) skip()
    const [old, fresh] = [
      'an-old-secret-of-enough-bytes-for-a-test',
      'a-new-secret-of-enough-bytes-for-a-test!',
    ]
    const { cli, ask, seen } = await project([ada, ben], kind())
    const logins = [ada, ben].map(({ username }) => ({ url: '/login/', payload: { username, password } }))
    const [one, other] = (await ask(logins, { SECRET: old })).map(({ cookie = '' }) => cookie)
    if (one === undefined || other === undefined) throw new Error('nobody has logged in')
    const both = `${fresh},${old}`
    const [between] = await ask([{ url: '/me/', cookie: one }], { SECRET: both })
    const renewed = between?.cookie ?? ''
    // Seen with both secrets in the list, so the cookie is signed again; the other one wasn't seen.
    expect(await seen([renewed, one, other], { SECRET: fresh })).toEqual([200, 401, 401])
    expect(await cli('end-sessions', '--all', '--yes')).toEqual({ code: 0, loggedOut: 2 })
    expect(await seen([renewed, one, other], { SECRET: fresh })).toEqual([401, 401, 401])
    expect(await seen([other], { SECRET: both })).toEqual([401])
  })
})

const totp = { kind: 'totp', id: 'phone', sealed: 'x', step: 1, createdAt: '2026-01-01T00:00:00.000Z' }
const codes = [1, 2].map((n) => ({ kind: 'recovery-code', id: `code-${n}`, hash: 'x' }))
const passkey = { kind: 'passkey', id: 'key', use: 'login', createdAt: '2026-01-01T00:00:00.000Z' }
const secured = {
  ...ada,
  factors: ['totp'],
  credentials: [totp, ...codes, passkey],
  identityKeys: ['passkey:key'],
}

describe('reset-factors', () => {
  test('removes second factors and passkeys, and the service tells the owner', async () => {
    const { cli, logIn, seen, look, delivered } = await project([secured, { ...ben }])
    expect(await cli('reset-factors', 'ada')).toMatchObject({
      code: 0,
      factors: ['totp'],
      apps: 1,
      recoveryCodes: 2,
      passkeys: 1,
      keptPasskeys: 0,
      mail: 'waiting',
    })
    expect(await look()).toMatchObject([{ factors: [], kept: [], identityKeys: [] }, {}])
    expect(await delivered()).toMatchObject({ kind: 'factor-removed', to: 'Ada@example.org' })
    const cookies = await logIn('ada')
    // The second run has nothing to say.
    expect(await cli('reset-factors', 'ada')).toMatchObject({ code: 0, apps: 0, mail: 'none' })
    expect(await cli('outbox')).toMatchObject({ waiting: 0 })
    expect(await seen(cookies)).toEqual([200])
  })

  test('keeps the passkey that is the only way to log in', async () => {
    const { cli, text, look } = await project([{ ...secured, passwordHash: '!' }])
    const { stdout } = await text('reset-factors', 'ada')
    expect(stdout).toContain('removed: 1 authenticator app, 2 recovery codes, 0 passkeys')
    expect(stdout).toContain('kept: 1 passkey, because')
    expect(await look()).toMatchObject([{ factors: [], kept: ['key'], identityKeys: ['passkey:key'] }])
    expect(await cli('reset-factors', 'ada')).toMatchObject({ keptPasskeys: 1, passkeys: 0, mail: 'none' })
  })

  test('without an outbox sends the email itself, and says if it cannot', async () => {
    const own = (send: string) => ({
      options: `userStore: { ...userStore, outbox: undefined }, mailer: { async send(mail) { ${send} } },`,
    })
    const sends = await project([secured], own("(await import('node:fs')).writeFileSync('sent', mail.kind)"))
    expect(await sends.cli('reset-factors', 'ada')).toMatchObject({ code: 0, mail: 'sent' })
    expect(await (await import('node:fs/promises')).readFile(`${sends.folder}/sent`, 'utf8')).toBe(
      'factor-removed',
    )
    const fails = await project(
      [secured],
      own("throw Object.assign(new Error('550 no'), { responseCode: 550 })"),
    )
    expect(await fails.cli('reset-factors', 'ada')).toMatchObject({ code: 1, mail: 'failed', apps: 1 })
    const lacks = await project([secured], { options: 'userStore: { ...userStore, outbox: undefined },' })
    const { code, stdout } = await lacks.text('reset-factors', 'ada')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('neither an outbox nor a mailer'),
    })
  })

  test("needs the app's features", async () => {
    const { cli, look } = await project([secured], { options: 'features: [],' })
    expect(await cli('reset-factors', 'ada')).toEqual({
      code: 1,
      error: expect.stringContaining('no second factor or passkeys in the options of accounts.config.mjs'),
    })
    expect(await look()).toMatchObject([{ factors: ['totp'] }])
  })
})

const recent = { kind: 'passkey', id: 'thief', use: 'login', createdAt: new Date().toISOString() }

describe('secure-user', () => {
  test('does what the link of an email does, and the service tells the owner', async () => {
    const { cli, logIn, seen, ask, look, delivered } = await project([ada])
    const cookies = await logIn('ada')
    expect(await cli('secure-user', 'ada')).toMatchObject({ code: 0, sessions: 1, mail: 'waiting' })
    expect(await delivered()).toMatchObject({ kind: 'choose-password', to: 'Ada@example.org' })
    expect(await seen(cookies)).toEqual([401])
    const [login] = await ask([{ url: '/login/', payload: { username: 'ada', password } }])
    expect(login).toMatchObject({ status: 401, code: 'ACCOUNTS_INVALID_CREDENTIALS' })
    expect(await look()).toMatchObject([{ isActive: true }])
  })

  test('removes login methods added lately, and says what it removed', async () => {
    const added = [...secured.credentials, recent]
    const keys = ['passkey:key', 'passkey:thief']
    const { text, look } = await project([{ ...secured, credentials: added, identityKeys: keys }])
    const { stdout } = await text('secure-user', 'ada')
    expect(stdout).toContain('removed: 1 passkey, 0 authenticator apps,')
    const [{ factors, kept, identityKeys }] = await look()
    expect({ factors, identityKeys }).toEqual({ factors: ['totp'], identityKeys: ['passkey:key'] })
    expect(kept).toEqual(expect.arrayContaining(['phone', 'key']))
    expect(kept).not.toContain('thief')
  })

  test('emails no link to an address that a thief may have set', async () => {
    const changed = { ...ada, emailChangedAt: new Date(Date.now() - 3_600_000) }
    const { cli, look } = await project([changed])
    const refused = await cli('secure-user', 'ada')
    expect(refused).toEqual({ code: 1, error: expect.stringContaining('Ada@example.org would get the link') })
    expect(await look()).toMatchObject([{ version: 1 }])
    expect(await cli('outbox')).toMatchObject({ waiting: 0 })
    expect(await cli('secure-user', 'ada', '--yes')).toMatchObject({ code: 0, mail: 'waiting' })
    const before = { ...changed, emailChangedAt: new Date(Date.now() - 8 * 86_400_000) }
    expect(await (await project([before])).cli('secure-user', 'ada')).toMatchObject({ code: 0 })
  })

  test('says that a disabled user gets no email', async () => {
    const { cli, text } = await project([{ ...ada, isActive: false }])
    expect((await text('secure-user', 'ada')).stdout).toContain('still disabled, and gets no email')
    expect(await cli('secure-user', 'ada')).toMatchObject({ code: 0, isActive: false, mail: 'none' })
  })

  test("needs the app's options", async () => {
    const { folder } = await project([ada])
    const env = { DATABASE_URL: 'file:accounts.db' }
    const { rm } = await import('node:fs/promises')
    await rm(`${folder}/accounts.config.mjs`)
    expect(await runCli(folder, ['secure-user', 'ada'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("lacks the app's secret, baseUrl or invitationStore"),
    })
  })
})

test('end-sessions --all of a store without a list says what logs everybody out', async () => {
  const { cli } = await project([ada], {
    options: 'userStore: { ...userStore, list: undefined }, users: { list: false },',
  })
  for (const args of [['--all'], ['--all', '--yes']])
    expect(await cli('end-sessions', ...args)).toEqual({
      code: 1,
      error: expect.stringContaining('set a new secret, without the old one'),
    })
})

test('end-sessions --all says how far it came, if the store fails', async () => {
  const failing = `userStore: { ...userStore, update: (id, ...more) => ++globalThis.writes > 12 ? Promise.reject(new Error('disk full')) : userStore.update(id, ...more) }, ...(globalThis.writes = 0),`
  const people = Array.from({ length: 14 }, (_, n) => ({ username: `user-${n}`, email: null }))
  const { cli } = await project(people, { options: failing })
  expect(await cli('end-sessions', '--all', '--yes')).toEqual({
    code: 1,
    error: expect.stringContaining('stopped after 10 users; repeat the command'),
  })
})

test.each([
  [['disable-user']],
  [['enable-user']],
  [['reset-factors']],
  [['disable-user', 'ada', 'ben']],
  [['end-sessions']],
  [['end-sessions', 'ada', '--all']],
  [['end-sessions', 'ada', '--yes']],
  [['end-sessions', '--yes']],
])('%j is wrong usage', async (args) => {
  const { code, stderr } = await runCli(makeProject(), args, { env: { DATABASE_URL: 'file:accounts.db' } })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^.+\n$/) })
})
