import { generateKeyPairSync } from 'node:crypto'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { read } from '@fastify-accounts/test-support/source'
import { composeFeatures } from '../../packages/accounts/src/features/compose.js'
import { shippedFeatures } from '../../packages/accounts/src/features/shipped.js'
import type { Visit } from './project.js'

/** How a code block on a page is tested. */
export type Sample =
  | Module
  /** Interfaces, which must equal those that `fastify-accounts`, or `from`, exports. */
  | { kind: 'shape'; of: string[]; given?: string; from?: string }
  /** The content of a whole file in the repository. */
  | { kind: 'file'; named: string }
  /** Lines of a file in the repository, apart from their indentation. */
  | { kind: 'excerpt'; named: string }
  /** `npm install` of existing packages. */
  | { kind: 'install' }
  /** Commands in the repository, whose scripts and files must exist. */
  | { kind: 'commands' }
  /** Well-formed JSON. */
  | { kind: 'json' }
  /** Run by another test, which names the page. */
  | { kind: 'elsewhere'; test: string; before?: string }
  /** One step of docs/start.md. */
  | { kind: 'story'; before?: string }
  /** Compiled if it is code, but not run. */
  | { kind: 'shown'; why: string; before?: string; after?: string }

/** Code that is compiled and run on its own. */
interface Module {
  kind: 'app' | 'script' | 'suite' | 'part'
  /** Goes above the code: what its page assumes. */
  before?: string
  after?: string
  /** Its file name, if another sample imports it. */
  file?: string
  env?: Record<string, string>
  needs?: Service | 'better-sqlite3'
  /** `app`: the requests to send. */
  visit?: (visit: Visit) => Promise<void>
  /** `app`, `script`: what it must print. */
  prints?: RegExp
  /** `suite`: what runs it, if it isn't node:test. */
  runner?: 'vitest'
  /** `suite`: all that it leaves unchecked. */
  unchecked?: string[]
}

export type Service = 'postgres' | 'mariadb' | 'redis'

export const urls = {
  postgres: process.env.ACCOUNTS_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  mariadb: process.env.ACCOUNTS_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql',
  redis: process.env.ACCOUNTS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379',
} satisfies Record<Service, string>

const password = 'seven-green-lanterns'

/** Signs up, logs in and requests /me/. */
export async function logsIn(visit: Visit, prefix = ''): Promise<void> {
  await must(visit, 201, 'POST', `${prefix}/signup/`, {
    username: 'ada',
    password,
    confirm_password: password,
  })
  await knows(visit, prefix)
}

async function knows(visit: Visit, prefix = ''): Promise<void> {
  await must(visit, 200, 'POST', `${prefix}/login/`, { username: 'ada', password })
  await must(visit, 200, 'GET', `${prefix}/me/`)
}

/** @throws Error if the status differs */
export async function must(visit: Visit, status: number, ...request: Parameters<Visit>): Promise<unknown> {
  const response = await visit(...request)
  if (response.status === status) return response.body
  throw new Error(`${request[0]} ${request[1]} returned ${response.status}: ${JSON.stringify(response.body)}`)
}

// What pages assume.
const secret = `const secret = 'a sample needs no better secret than this one'`
const newApp = `import Fastify from 'fastify'\nconst app = Fastify()`
const appAndAccounts = `${newApp}\nimport accounts from 'fastify-accounts'`
const plain = `${appAndAccounts}\n${secret}`
const mounted = `${plain}\nconst password = '${password}'
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', users: true })`
const withTokens = `${plain}\nimport { tokens } from 'fastify-accounts'\nconst password = '${password}'
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', users: true, features: [tokens()] })`
const database = `import { migrate, openSqlite } from '@fastify-accounts/kysely'
const db = openSqlite(':memory:')
await migrate(db)`
const redis = `import { Redis } from 'ioredis'\nconst redis = new Redis('${urls.redis}')`
const listen = `await app.listen({ port: 3000 })`
const seed = `await app.accounts.createUser({ username: 'ada', password: '${password}', isVerified: true })\n${listen}`

/** An app with organizations, without any. */
const organized = `${plain}
import { organizations as feature } from '@fastify-accounts/organizations'
import { apiKeys, invitations } from 'fastify-accounts'
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', users: true,
  features: [invitations(), apiKeys({ scopes: ['projects:read'] }), feature({ roles: { owner: ['org:*'], admin: ['projects:write'], member: ['projects:read'] } })] })
const ada = await app.accounts.createUser({ username: 'ada', email: 'ada@example.org', password: '${password}', isVerified: true })`

const app = (more: Partial<Module> = {}): Module => ({ kind: 'app', ...more })
const script = (more: Partial<Module> = {}): Module => ({ kind: 'script', ...more })
const suite = (more: Partial<Module> = {}): Module => ({ kind: 'suite', ...more })
const part = (file: string, more: Partial<Module> = {}): Module => ({ kind: 'part', file, ...more })
const shape = (of: string[], given = '', from?: string): Sample => ({
  kind: 'shape',
  of,
  given,
  ...(from && { from }),
})
const file = (named: string): Sample => ({ kind: 'file', named })
const excerpt = (named: string): Sample => ({ kind: 'excerpt', named })
const elsewhere = (test: string, before = ''): Sample => ({ kind: 'elsewhere', test, before })
const install: Sample = { kind: 'install' }
const commands: Sample = { kind: 'commands' }
const json: Sample = { kind: 'json' }
const story: Sample = { kind: 'story' }
const storyWith = (before: string): Sample => ({ kind: 'story', before })
const shown = (why: string, before = '', after = ''): Sample => ({ kind: 'shown', why, before, after })

/** An app without sign-up, whose user is created by code. */
const seeded = (more: Partial<Module> = {}): Module =>
  app({ before: plain, after: seed, visit: (visit) => knows(visit), ...more })

/** Options without the call around them. */
const options = (more: Partial<Module> = {}): Module =>
  seeded({
    before: `${plain}\nawait app.register(accounts, { secret, baseUrl: 'http://localhost:3000',`,
    after: `})\n${seed}`,
    ...more,
  })

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const privateKey = String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
const publicKey = String(keys.publicKey.export({ type: 'spki', format: 'pem' }))

const hello = async (visit: Visit) => {
  await logsIn(visit)
  const body = await must(visit, 200, 'GET', '/hello')
  if (JSON.stringify(body) !== '{"hello":"ada"}') throw new Error(`/hello returned ${JSON.stringify(body)}`)
}

/** A sample of the client, with a service to send requests to. */
const client = ({ after = '', ...more }: Partial<Module> = {}): Module =>
  script({ before: atService, after: `${after}\nprocess.exit()`, ...more })

/** Starts a service in the same process and redirects the sample's requests to it. */
const atService = `import createApp from 'fastify'
import service, { tokens as withTokens } from 'fastify-accounts'
{
  const app = createApp()
  await app.register(service, {
    secret: 'a sample needs no better secret than this one',
    baseUrl: 'http://localhost:3000',
    users: { fields: { type: 'object', properties: { display_name: { type: 'string' } } } },
    features: [withTokens()],
  })
  app.get('/orders', { onRequest: app.accounts.requireUser }, async () => ['tea'])
  await app.accounts.createUser({ username: 'ada', password: '${password}', isVerified: true })
  const here = await app.listen({ port: 0, host: '127.0.0.1' })
  app.server.unref()
  const real = globalThis.fetch
  globalThis.fetch = (input, init) => real(String(input).replace('https://api.example.org', here), init)
}`

const clientOfService = `import { createAccountsClient } from '@fastify-accounts/client'
const accounts = createAccountsClient({ baseUrl: 'https://api.example.org' })`

const otherSystem = 'runs psql on the database of the system that users come from'

/** Functions of an app's tables, which the page leaves out. */
const ownTables = `const prisma = { $transaction: (run) => run(prisma) }
const [find, insert, compareAndSwap, replaceIdentities, remove, page] = Array.from({ length: 6 }, () => async () => null)
const [due, dead, count] = [page, page, page]
const outbox = { insert, find, due, dead, count, compareAndSwap, remove }
const sessionFunctions = {
  insert, find, compareAndSwap, remove, listByUser: find, removeByUser: remove, removeExpired: remove,
}`

/** Every code block of every page, in order. */
export const samples: Record<string, Sample[]> = {
  'README.md': [app({ visit: hello }), commands],
  'CONTRIBUTING.md': [commands, commands, commands],
  'docs/releasing.md': [
    commands,
    elsewhere('test/release.test.ts'),
    elsewhere('test/release.test.ts'),
    commands,
    commands,
    elsewhere('test/release.test.ts'),
  ],
  'examples/server/README.md': [
    commands,
    commands,
    commands,
    commands,
    shown('uses Docker, which the tests do not'),
  ],
  'packages/accounts/README.md': [app({ visit: hello })],
  'packages/client/README.md': [client({ prints: /^Hello ada$/m })],
  'packages/hashes/README.md': [script({ before: 'import "node:fs"' })],
  'packages/kysely/README.md': [script()],
  'packages/nodemailer/README.md': [script({ env: { SMTP_URL: 'smtp://127.0.0.1' } })],
  'packages/organizations/README.md': [script()],
  'packages/pages/README.md': [script()],
  'packages/passkeys/README.md': [script()],
  'packages/providers/README.md': [script()],
  'packages/redis/README.md': [
    script({ env: { REDIS_URL: urls.redis }, after: 'redis.disconnect()', needs: 'redis' }),
  ],
  'packages/table-stores/README.md': [script({ before: ownTables })],
  'packages/testing/README.md': [suite()],
  'packages/benchmark/README.md': Array.from({ length: 9 }, () => commands),
  'docs/cli.md': Array.from({ length: 12 }, () => elsewhere('test/cli/docs.test.ts')),
  'docs/client.md': [
    install,
    client({ prints: /^Hello ada$/m }),
    client({
      after: `
globalThis.fetch = async (input) => { console.log('asked', String(input)); return Response.json({}) }
await createAccountsClient({ baseUrl: 'https://api.example.org', paths }).logIn({ username: 'ada', password: '' })`,
      prints: /^asked https:\/\/api.example.org\/session\/$/m,
    }),
    client({ before: `${atService}\n${clientOfService}` }),
    client(),
    shown('the second step: packages/client/test/tokens.test.ts', clientOfService),
    client({ prints: /^Hello ada\n200$/m }),
    shown('lists need a logged-in user: packages/client/test/client.test.ts', clientOfService),
    client(),
    client(),
  ],
  'docs/deployment.md': [
    script({ before: "import Fastify from 'fastify'" }),
    script({ before: mounted }),
    script({ before: "import Fastify from 'fastify'\nconst key = ''\nconst cert = ''" }),
    elsewhere('packages/accounts/test/outages.test.ts'),
    elsewhere('packages/accounts/test/outages.test.ts'),
    elsewhere('packages/accounts/test/outages.test.ts'),
    script({ before: mounted }),
    script({ before: mounted }),
    script({ before: mounted }),
  ],
  'docs/emails.md': [
    seeded({
      before: `${plain}\n${database}
import { createKyselyUserStore } from '@fastify-accounts/kysely'
const userStore = createKyselyUserStore({ db })
const options = { secret, baseUrl: 'http://localhost:3000' }`,
    }),
    seeded({
      visit: async (visit) => {
        await knows(visit)
        await must(visit, 202, 'POST', '/forgot/', { email: 'nobody@example.org' })
      },
    }),
    seeded({ before: `${newApp}\n${secret}` }),
    options(),
  ],
  'docs/events.md': [
    app({
      before: `${newApp}\n${secret}\n${database}
import { createKyselyUserStore } from '@fastify-accounts/kysely'
const crmUrl = 'https://crm.example.org/events'
globalThis.fetch = async (url, init) => {
  const { id, type, user } = JSON.parse(String(init?.body))
  console.log(url, type, id === new Headers(init?.headers).get('idempotency-key'), user.version)
  return new Response()
}`,
      after: `await app.accounts.createUser({ username: 'ada', email: 'ada@example.org', password: '${password}', isVerified: true })\n${listen}`,
      visit: (visit) => knows(visit),
      prints: /crm\.example\.org\/events user\.verified true 1/,
    }),
    json,
    app({
      before: `${mounted}\nconst countFailure = (userId, ip, reason) => console.log('counted', reason)`,
      after: listen,
      visit: async (visit) => {
        await logsIn(visit)
        await must(visit, 401, 'POST', '/login/', { username: 'ada', password: 'another one' })
      },
      prints: /counted ACCOUNTS_INVALID_CREDENTIALS/,
    }),
    script({
      before: `${mounted}
const { id } = await app.accounts.createUser({ username: 'ada', password })
app.accounts.events.on('audit', ({ action, host }) => console.log(action, host?.reason))`,
      prints: /end-user-sessions stolen laptop/,
    }),
    seeded({
      before: `${plain}
const deleteShares = async (id: string) => console.log('delete those of', id)
const disableShares = deleteShares`,
    }),
  ],
  'docs/languages.md': [seeded(), options({}), options(), seeded({ before: plain })],
  'docs/openapi.md': [
    script({ prints: /"operationId": "accountsLogIn"/, before: '', env: { SECRET: password.repeat(3) } }),
  ],
  'docs/options.md': [seeded()],
  'docs/options/adapters.md': [
    seeded({ before: `${plain}\n${database}`, env: { SMTP_URL: 'smtp://127.0.0.1' } }),
  ],
  'docs/options/limits.md': [seeded({ before: `${plain}\n${redis}`, needs: 'redis' }), seeded()],
  'docs/options/brand.md': [seeded()],
  'docs/options/mails.md': [seeded()],
  'docs/options/routes.md': [
    app({
      before: plain,
      after: `await app.accounts.createUser({ username: 'ada', password: '${password}', isVerified: true, fields: { display_name: 'Ada' } })\n${listen}`,
      visit: async (visit) => {
        await knows(visit)
        const user = { username: 'grace', email: 'grace@example.org', password, confirm_password: password }
        await must(visit, 400, 'POST', '/user/', { ...user, display_name: 'Grace'.repeat(20) })
        await must(visit, 202, 'POST', '/user/', { ...user, display_name: 'Grace' })
      },
    }),
    seeded({
      visit: async (visit) => {
        await must(visit, 200, 'POST', '/session/', { username: 'ada', password })
        await must(visit, 404, 'POST', '/login/', { username: 'ada', password })
        await must(visit, 201, 'POST', '/join/', { username: 'grace', password, confirm_password: password })
      },
    }),
  ],
  'docs/options/rules.md': [
    seeded({
      visit: async (visit) => {
        await must(visit, 403, 'POST', '/signup/', {
          username: 'grace',
          password,
          confirm_password: password,
        })
        await knows(visit)
      },
    }),
    elsewhere('packages/accounts/test/password-check.test.ts', plain),
  ],
  'docs/options/service.md': [
    seeded({
      before: `${appAndAccounts}\nconst [newSecret, oldSecret] = ['a new secret of thirty-two bytes or so', 'an old secret of thirty-two bytes or so']`,
      visit: (visit) => knows(visit, '/accounts'),
    }),
  ],
  'docs/tokens.md': [
    elsewhere('test/samples/tokens.test.ts'),
    elsewhere('test/samples/tokens.test.ts'),
    json,
    ...Array.from({ length: 4 }, () => elsewhere('test/samples/tokens.test.ts')),
    script({
      before: `${withTokens}
const verifyAssertion = async (body) => app.accounts.findUser({ username: 'ada' })`,
      after: `await app.accounts.createUser({ username: 'ada', password })
const delivered = async (headers) => {
  const response = await app.inject({ method: 'POST', url: '/partner-login/', headers, payload: {} })
  return [Object.keys(response.json()), Object.keys(response.headers).filter((name) => /cookie|state/.test(name))].join(' ')
}
console.log(await delivered({ 'accounts-delivery': 'tokens' }), '|', await delivered({}))`,
      prints: /^tokens {2}\| {2}set-cookie$/m,
    }),
    script({
      before: `${plain}\nimport { tokens } from 'fastify-accounts'`,
      after: `await app.accounts.createUser({ username: 'ada', password: '${password}' })
const headers = { origin: origins[0], 'sec-fetch-site': 'cross-site', 'accounts-delivery': 'tokens' }
const asked = 'authorization,content-type,accounts-delivery,accounts-state,accounts-refresh'
const preflight = { 'access-control-request-method': 'DELETE', 'access-control-request-headers': asked }
const allowed = await app.inject({ method: 'OPTIONS', url: '/login/', headers: { ...headers, ...preflight } })
const payload = { username: 'ada', password: '${password}' }
const login = await app.inject({ method: 'POST', url: '/login/', headers, payload })
console.log(
  allowed.statusCode,
  String(allowed.headers['access-control-allow-headers']).toLowerCase().replaceAll(' ', '') === asked,
  login.statusCode,
  login.headers['access-control-expose-headers'],
)`,
      prints: /^204 true 200 Retry-After, WWW-Authenticate, Accounts-State$/m,
    }),
    elsewhere('test/samples/tokens.test.ts'),
  ],
  'docs/routes.md': [json, json],
  'docs/security.md': [suite()],
  'docs/start.md': [
    install,
    install,
    story,
    story,
    story,
    story,
    install,
    storyWith(`${appAndAccounts}\nimport { pages } from '@fastify-accounts/pages'`),
    story,
    install,
    storyWith(newApp),
  ],
  'docs/guides/own-routes.md': [
    app({
      before: mounted,
      after: listen,
      visit: async (visit) => {
        await must(visit, 401, 'GET', '/settings')
        if ((await must(visit, 200, 'GET', '/news')) !== 'for everybody')
          throw new Error('/news recognizes an anonymous visitor')
        await logsIn(visit)
        await must(visit, 200, 'GET', '/settings')
        if ((await must(visit, 200, 'GET', '/news')) !== 'for ada')
          throw new Error('/news does not recognize the user')
      },
    }),
    app({
      before: `${mounted}\nconst deleteProject = async () => 'gone'`,
      after: listen,
      visit: async (visit) => {
        await must(visit, 401, 'DELETE', '/project')
        await logsIn(visit)
        await must(visit, 200, 'DELETE', '/project')
      },
    }),
    app({
      before: `${mounted}\nconst figures = async () => 'many'`,
      after: listen,
      visit: async (visit) => {
        await must(visit, 401, 'GET', '/figures')
        await logsIn(visit)
        await must(visit, 403, 'GET', '/figures')
      },
    }),
    app({
      before: `${mounted}\nconst requireStaff = app.accounts.requireUser\nconst saveFigures = async () => 'saved'`,
      after: listen,
      visit: async (visit) => {
        await must(visit, 401, 'POST', '/figures')
        await logsIn(visit)
        await must(visit, 200, 'POST', '/figures')
      },
    }),
  ],
  'docs/guides/cross-site.md': [
    app({
      before: `${mounted}\nconst createProject = async () => 'made'`,
      after: `app.inject({ method: 'POST', url: '/project', headers: { origin: 'https://evil.example' } }).then(
  ({ statusCode }) => { if (statusCode !== 403) throw new Error(\`another site got \${statusCode}\`) })
${listen}`,
      visit: async (visit) => {
        await must(visit, 401, 'POST', '/project')
        await logsIn(visit)
        await must(visit, 200, 'POST', '/project')
      },
    }),
  ],
  'docs/guides/websockets.md': [
    script({
      before: withTokens,
      after: `import { once } from 'node:events'
await app.accounts.createUser({ username: 'ada', password })
const login = await app.inject({ method: 'POST', url: '/login/', payload: { username: 'ada', password } })
const cookie = [login.headers['set-cookie']].flat().map((each) => String(each).split(';')[0]).join('; ')
const connect = (origin) => app.injectWS('/live', { headers: { cookie, origin } })
const refused = await connect('https://evil.example').catch((error) => error.message)
const socket = await connect('http://localhost:3000')
socket.send('hello')
const [said] = await once(socket, 'message')
await app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
const [code, reason] = await once(socket, 'close')
console.log([refused, said, code, reason].join(', '))

const headers = { 'accounts-delivery': 'tokens' }
const logIn = await app.inject({ method: 'POST', url: '/login/', headers, payload: { username: 'ada', password } })
const authorization = \`Bearer \${logIn.json().tokens.access_token}\`
const ofApp = await app.injectWS('/live', { headers: { authorization } })
const sayHello = async () => {
  ofApp.send('hello')
  return String((await once(ofApp, 'message'))[0])
}
const before = await sayHello()
const now = Date.now
Date.now = () => now() + 16 * 60_000
const afterExpiry = await sayHello()
Date.now = now
await app.inject({ method: 'POST', url: '/logout/', headers: { authorization } })
console.log(before, afterExpiry, (await once(ofApp, 'close'))[0])
process.exit()`,
      prints:
        /^Unexpected server response: 403, ada says hello, 1008, ACCOUNTS_LOGIN_REQUIRED\nada says hello ada says hello 1008$/m,
    }),
    script({
      before: `${newApp}
import websocket from '@fastify/websocket'
import service, { tokens } from 'fastify-accounts'
import { createAccountsClient } from '@fastify-accounts/client'
${secret}
const password = '${password}'
await app.register(service, { secret, baseUrl: 'http://localhost:3000', users: true, features: [tokens()] })
await app.register(websocket)
app.get('/live', { websocket: true, onRequest: app.accounts.requireUser }, () => {})
await app.accounts.createUser({ username: 'ada', password })
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
let kept = null
/** The app, as it starts with what is stored. */
const start = () => createAccountsClient({
  baseUrl,
  tokens: { load: () => kept, save(stored) { kept = stored } },
})
let accounts = start()`,
      after: `
const live = baseUrl.replace('http', 'ws') + '/live'
const open = () => openSocket(live).then(() => 'open', ({ message }) => message)
console.log(await open())
await accounts.logIn({ username: 'ada', password })
const { access } = kept
console.log(await open())
// It was stored when the device's clock was ahead.
kept.until += 16 * 60_000
const now = Date.now
Date.now = () => now() + 16 * 60_000
accounts = start()
console.log(await open(), kept.access !== access)
await openSocket(live + '/else').catch(({ message }) => console.log(message))
const { id } = await app.accounts.findUser({ username: 'ada' })
await app.accounts.endUserSessions(id)
console.log(await open())
process.exit()`,
      prints: /^Log in first\.\nopen\nopen true\nUnexpected server response: 404\nLog in first\.$/m,
    }),
  ],
  'docs/guides/sessions.md': [
    app({
      before: plain,
      after: seed,
      visit: async (visit) => {
        await knows(visit)
        const { results } = (await must(visit, 200, 'GET', '/sessions/')) as {
          results: { created_at: string; expires_at: string }[]
        }
        const lasts = results.map((each) => Date.parse(each.expires_at) - Date.parse(each.created_at))
        if (String(lasts) !== String(12 * 3_600_000)) throw new Error(`sessions last ${lasts} ms`)
      },
    }),
    part('idle.ts', {
      before: `const location = { reload() {} }\nconst addEventListener = (..._: unknown[]) => {}`,
      after: 'clearTimeout(timer)',
    }),
    part('devices.ts'),
    app({
      before: mounted,
      after: listen,
      visit: async (visit) => {
        await logsIn(visit)
        await must(visit, 204, 'POST', '/log-out-everywhere', {})
        await must(visit, 401, 'GET', '/me/')
      },
    }),
  ],
  'docs/guides/managing-users.md': [
    commands,
    commands,
    app({
      before: mounted,
      after: `await app.accounts.createUser({ username: 'eve', password, isStaff: true })\n${listen}`,
      visit: async (visit) => {
        await logsIn(visit)
        const { id } = (await must(visit, 200, 'GET', '/me/')) as { id: string }
        await must(visit, 403, 'GET', `/support/users/${id}`)
        await must(visit, 200, 'POST', '/login/', { username: 'eve', password })
        const found = JSON.stringify(await must(visit, 200, 'GET', `/support/users/${id}`))
        if (!/"username":"ada".*"sessions":\[\]/.test(found)) throw new Error(found)
        await must(visit, 404, 'GET', '/support/users/nobody')
      },
    }),
    script({
      before: `${mounted}\nfor (const name of ['trial-1', 'trial-2', 'ada']) await app.accounts.createUser({ username: name, password })`,
      after: `const { users } = await app.accounts.listUsers({ isActive: true })\nconsole.log(users.map(({ username }) => username))`,
      prints: /^\[ 'ada' \]$/m,
    }),
  ],
  'docs/guides/roles.md': [
    app({
      before: `${plain}\nconst publish = async () => 'published'`,
      after: listen,
      visit: async (visit) => {
        await must(visit, 401, 'POST', '/posts')
        await logsIn(visit)
        await must(visit, 403, 'POST', '/posts')
      },
    }),
    app({
      before: plain,
      after: seed,
      visit: async (visit) => {
        await must(visit, 403, 'POST', '/signup/', {
          username: 'grace',
          password,
          confirm_password: password,
        })
        await knows(visit)
      },
    }),
  ],
  'docs/guides/typescript.md': [
    part('declarations.ts'),
    part('own-roles.ts', {
      after: `import type { Accounts, OwnEmails } from 'fastify-accounts'
// @ts-expect-error: no such role
export const wrong: Parameters<Accounts<undefined, string, OwnEmails, OwnRoles>['updateUser']>[1] = { roles: ['edtor'] }`,
    }),
  ],
  'docs/guides/serverless.md': [
    script({
      before: mounted,
      after: `import { once } from 'node:events'
import { createServer } from 'node:http'
await app.accounts.createUser({ username: 'ada', password })
const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  await api(Object.assign(request, { rawBody: Buffer.concat(chunks) }), response)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = Object(server.address())
const { status } = await fetch(\`http://127.0.0.1:\${port}/login/\`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'ada', password }),
})
console.log('login', status)
server.close()`,
      prints: /^login 200$/m,
    }),
    script({
      before: mounted,
      after: `
await app.accounts.createUser({ username: 'ada', password })
const body = JSON.stringify({ username: 'ada', password })
const event = { httpMethod: 'POST', path: '/login/', headers: { 'content-type': 'application/json' }, body }
console.log('login', (await handler(event, {})).statusCode)`,
      prints: /^login 200$/m,
    }),
    script({
      before: `${plain}
const mailer = { send: async ({ kind }) => console.log('sent', kind) }
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', users: true, mailer })
await app.accounts.createUser({ username: 'ada', email: 'ada@example.org', password: '${password}', isVerified: true })
await app.inject({ method: 'POST', url: '/forgot/', payload: { email: 'ada@example.org' } })`,
      prints: /^sent reset-password$/m,
    }),
  ],
  'docs/guides/without-http.md': [
    script({
      before: `${plain}\nimport { apiKeys, createMemoryActivityStore, invitations } from 'fastify-accounts'\nconst password = '${password}'
const welcome = () => ({ subject: '', text: '', html: '' })
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', users: true, ownEmails: { welcome }, activity: createMemoryActivityStore(), features: [apiKeys({ scopes: ['orders:read'] }), invitations()] })`,
      after: 'console.log(await app.accounts.findUser({ username: "ada" }))',
      prints: /^null$/m,
    }),
    script({
      before: `${mounted}\napp.accounts.events.on('audit', ({ host }) => console.log(host?.actor, host?.reason))`,
      prints: /^support: grace ticket 4711/m,
    }),
    script({
      before: `${plain}
import { google, providers } from '@fastify-accounts/providers'
const features = [providers([google({ clientId: 'app', clientSecret: 'secret' })])]
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', features })
const user = await app.accounts.createUser({ username: 'ada', password: '${password}' })`,
      after: 'console.log(owner?.username, await app.accounts.listIdentities(user.id))',
      prints: /^ada \[\]$/m,
    }),
  ],
  'docs/guides/own-emails.md': [
    app({
      before: plain,
      after: `const { id } = await app.accounts.createUser({ username: 'ben', password: '${password}', email: 'ben@example.org', isVerified: true, fields: { name: 'Ben' } })
await app.accounts.mail('welcome', id, { plan: 'free' })\n${listen}`,
      visit: async (visit) => {
        await logsIn(visit)
        await must(visit, 200, 'POST', '/plan', {})
      },
      prints: /^Hi Ben,\n\nyour plan is free\.$/m,
    }),
    part('own-mails.ts'),
    install,
    app({
      before: `${plain}
const mailer: import('fastify-accounts').Mailer = { send: async ({ html, text }) => console.log('sent', html, text) }`,
      after: `const { id } = await app.accounts.createUser({ username: 'ben', password: '${password}', email: 'ben@example.org', isVerified: true, fields: { name: 'Ben <3' } })
await app.accounts.mail('welcome', id, { plan: 'free' })\n${listen}`,
      visit: logsIn,
      prints:
        /^sent .*<p[^>]*>Hi Ben &lt;3,<\/p>.*<a href="https:\/\/example\.org\/start"[\s\S]*Hi Ben <3,\n\nyour plan is free\.\n\nGet started https:\/\/example\.org\/start$/m,
    }),
  ],
  'docs/guides/existing-table.md': [
    commands,
    elsewhere('test/cli/adopt.test.ts'),
    commands,
    script(),
    elsewhere('test/cli/adopt-identities.test.ts'),
    commands,
  ],
  'docs/guides/own-fields.md': [
    ...Array.from({ length: 2 }, () =>
      app({
        before: appAndAccounts,
        after: listen,
        visit: async (visit) => {
          const user = { username: 'ada', password, confirm_password: password }
          await must(visit, 400, 'POST', '/signup/', user)
          await must(visit, 201, 'POST', '/signup/', { ...user, display_name: 'Ada' })
        },
      }),
    ),
    app({
      before: plain,
      after: listen,
      visit: async (visit) => {
        const user = { username: 'ada', password, confirm_password: password, company: 'Engines' }
        await must(visit, 201, 'POST', '/signup/', user)
        await must(visit, 401, 'GET', '/user/?search=engine&search_in=fields')
      },
    }),
  ],
  'docs/guides/own-rules.md': [
    app({
      before: `${newApp}\n${secret}`,
      after: listen,
      visit: async (visit) => {
        const user = { username: 'ada', password, confirm_password: password }
        await must(visit, 403, 'POST', '/signup/', user)
        await must(visit, 403, 'POST', '/signup/', { ...user, email: 'ada@example.com' })
        await must(visit, 201, 'POST', '/signup/', { ...user, email: 'ada@EXAMPLE.org' })
      },
    }),
    part('refusal.ts', { before: `import { RuleError } from 'fastify-accounts'` }),
    app({
      before: `${newApp}\n${secret}
globalThis.fetch = async (_, init) => Response.json({ success: String(init?.body).endsWith('response=good') })`,
      after: listen,
      visit: async (visit) => {
        const user = { username: 'ada', password, confirm_password: password }
        await must(visit, 400, 'POST', '/signup/', user)
        await must(visit, 403, 'POST', '/signup/', { ...user, captcha: 'bad' })
        await must(visit, 201, 'POST', '/signup/', { ...user, captcha: 'good' })
      },
    }),
    app({
      before: `${newApp}\n${secret}`,
      after: listen,
      visit: async (visit) => {
        const user = { username: 'ada', password, confirm_password: password }
        await must(visit, 403, 'POST', '/signup/', user)
        await must(visit, 201, 'POST', '/signup/', { ...user, invitation: 'spring-2027-x7k2m9' })
      },
    }),
    app({
      before: plain,
      after: listen,
      visit: async (visit) => {
        const user = { username: 'ada', password, confirm_password: password }
        await must(visit, 400, 'POST', '/signup/', user)
        const made = await must(visit, 201, 'POST', '/signup/', { ...user, accept_terms: true })
        const { terms_version: version } = made as { terms_version?: string }
        if (version !== '2026-11') throw new Error(`the version is ${version}`)
      },
    }),
    app({
      before: `${newApp}\n${secret}`,
      after: listen,
      visit: async (visit) => {
        const user = { username: 'ada', password, confirm_password: password, city: 'Berlin' }
        await must(visit, 403, 'POST', '/signup/', user)
        await must(visit, 201, 'POST', '/signup/', { ...user, invitation: 'b-7' })
      },
    }),
    part('codes.ts', { before: `import '@fastify-accounts/client'` }),
  ],
  'docs/guides/own-tables.md': [
    app({
      env: { SECRET: 'a sample needs no better secret than this one' },
      visit: async (visit) => {
        await logsIn(visit)
        const body = await must(visit, 200, 'GET', '/workspace')
        if (JSON.stringify(body) !== '{"title":"ada\'s workspace"}')
          throw new Error(`/workspace returned ${JSON.stringify(body)}`)
        const { id } = (await must(visit, 200, 'GET', '/me/')) as { id: string }
        await must(visit, 204, 'DELETE', `/user/${id}`)
      },
    }),
    script({
      before: `${plain}
import { createKyselySessionStore, createKyselyUserStore, migrate, openSqlite } from '@fastify-accounts/kysely'
const db = openSqlite<{
  organizations: { id: string; domain: string }
  members: { user_id: string; organization_id: string }
}>(':memory:')
await migrate(db)
const { schema } = db
await schema.createTable('organizations').addColumn('id', 'text').addColumn('domain', 'text').execute()
await schema.createTable('members').addColumn('user_id', 'text', (column) => column.primaryKey())
  .addColumn('organization_id', 'text').execute()
await db.insertInto('organizations').values({ id: 'acme', domain: 'example.org' }).execute()`,
      after: `await app.register(accounts, {
  secret, baseUrl: 'http://localhost:3000', users: true,
  userStore, sessionStore: createKyselySessionStore({ db, userStore }),
})
const ada = { username: 'ada', password: '${password}', email: 'ada@example.org' }
const { id } = await app.accounts.createUser(ada)
const members = () => db.selectFrom('members').selectAll().execute()
const before = await members()
await app.accounts.updateUser(id, { isVerified: true })
console.log(before.length, (await members()).map((member) => member.organization_id))
await app.close()
await db.destroy()`,
      prints: /^0 \[ 'acme' \]$/m,
    }),
    part('with-drizzle.ts', {
      before: `import { createKyselyUserStore, openPostgres } from '@fastify-accounts/kysely'
import { pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
const db = openPostgres(new pg.Pool())
const workspaces = pgTable('workspaces', { ownerId: text('owner_id').notNull() })`,
    }),
  ],
  'docs/guides/realms.md': [
    app({
      before: `${mounted}
import { createMemorySessionStore, createMemoryUserStore } from 'fastify-accounts'
const [staffStore, staffSessions] = [createMemoryUserStore(), createMemorySessionStore()]`,
      after: listen,
      visit: async (visit) => {
        await must(visit, 401, 'POST', '/login/', { username: 'ada', password })
        await knows(visit, '/staff')
      },
    }),
    part('realm-tables.ts'),
  ],
  'docs/guides/testing.md': [
    file('packages/compatibility/jest/app.js'),
    suite({ runner: 'vitest', file: 'vitest.test.js' }),
    suite(),
    suite(),
    suite(),
    suite(),
    file('packages/compatibility/jest/jest.config.json'),
  ],
  'docs/adapters/hashes.md': [
    install,
    seeded({
      before: `${newApp}
${secret}
import { createMemoryUserStore } from 'fastify-accounts'
const baseUrl = 'http://localhost:3000'
const userStore = createMemoryUserStore()`,
    }),
    shown('queries a table; the hash tests cover its format'),
    script({
      before: `import { createMigratingHasher, djangoPbkdf2 } from '@fastify-accounts/hashes'
import { createScryptHasher } from 'fastify-accounts'`,
      after: 'console.log(passwordHasher.needsRehash())',
      prints: /^false$/m,
    }),
  ],
  'docs/adapters/kysely.md': [
    install,
    app({ visit: (visit) => logsIn(visit) }),
    script({ env: { DATABASE_URL: urls.postgres }, after: 'await db.destroy()', needs: 'postgres' }),
    script({ env: { DATABASE_URL: urls.mariadb }, after: 'await db.destroy()', needs: 'mariadb' }),
    script({ after: 'await db.destroy()' }),
    script({ after: 'await db.destroy()', file: 'newer/pglite.js' }),
    elsewhere('packages/kysely/test/postgres-dialect.test.ts'),
    script(),
    script(),
    script({ prints: /create table if not exists/i }),
    elsewhere('packages/kysely/test/privileges.test.ts'),
    ...Array.from({ length: 6 }, () => elsewhere('packages/kysely/test/application-tables.test.ts')),
  ],
  'docs/adapters/mailer.md': [
    shape(['Mail', 'Mailer'], `import type { AnyMailKind } from 'fastify-accounts'`),
    part('api-mailer.ts'),
  ],
  'docs/passkeys.md': [install, seeded(), json],
  'docs/providers.md': [
    install,
    seeded(),
    script({ env: { APPLE_PRIVATE_KEY: privateKey } }),
    script(),
    json,
    script(),
  ],
  'docs/guides/providers-apps.md': [
    script(),
    elsewhere('packages/providers/test/expo.test.ts'),
    script({ env: { APPLE_PRIVATE_KEY: privateKey } }),
    elsewhere('packages/providers/test/expo.test.ts'),
    elsewhere('packages/providers/test/expo.test.ts'),
  ],
  'docs/adapters/mongoose.md': [
    file('examples/mongoose/src/database.ts'),
    part('app.ts'),
    part('suite.test.ts'),
  ],
  'docs/adapters/drizzle.md': [
    install,
    file('examples/drizzle/drizzle.config.ts'),
    commands,
    ...['database', 'user-store', 'workspaces', 'app'].map((name) => file(`examples/drizzle/src/${name}.ts`)),
  ],
  'docs/adapters/prisma.md': [
    install,
    excerpt('examples/prisma/prisma/schema.prisma'),
    commands,
    excerpt('examples/prisma/prisma/schema.prisma'),
    ...['database', 'user-store', 'app'].map((name) => file(`examples/prisma/src/${name}.ts`)),
  ],
  'docs/adapters/nodemailer.md': [
    install,
    app({
      env: { SMTP_URL: 'smtp://127.0.0.1:9' },
      visit: async (visit) => {
        const user = { username: 'ada', email: 'ada@example.org', password, confirm_password: password }
        await must(visit, 202, 'POST', '/signup/', user)
      },
    }),
  ],
  'docs/adapters/password-hasher.md': [
    shape(['PasswordHasher']),
    script({
      after: `
const hasher = createMigratingHasher()
const key = await derive('lètmein', 'sea+salt', 10000, 32, 'sha256')
console.log(await hasher.verify('lètmein', \`pbkdf2_sha256$10000$sea+salt$\${key.toString('base64')}\`))`,
      prints: /^true$/m,
    }),
    suite(),
  ],
  'docs/adapters/redis.md': [
    install,
    app({ needs: 'redis', env: { REDIS_URL: urls.redis } }),
    script({
      before: `import { Redis } from 'ioredis'\nconst redis = new Redis('${urls.redis}', {`,
      after: '})\nredis.disconnect()',
      needs: 'redis',
    }),
    script({
      before: `${newApp}\nimport { createClient } from 'redis'`,
      after: 'await app.close()',
      env: { REDIS_URL: urls.redis },
      needs: 'redis',
    }),
    elsewhere('packages/redis/test/access-control.test.ts'),
  ],
  'docs/adapters/activity-store.md': [
    shape(
      ['ActivityActor', 'ActivityEntry', 'ActivityListQuery', 'ActivityStore'],
      `import type { JsonValue, TableDescription } from 'fastify-accounts'`,
    ),
  ],
  'docs/adapters/invitation-store.md': [
    shape(
      ['Invitation', 'InvitationChanges', 'InvitationListQuery', 'InvitationStore'],
      `import type { JsonValue, Outbox, PendingMessage, TableDescription } from 'fastify-accounts'`,
    ),
  ],
  'docs/adapters/organization-store.md': [
    shape(
      [
        'Organization',
        'Membership',
        'OrganizationKey',
        'OrganizationWrite',
        'OrganizationListQuery',
        'MemberListQuery',
        'MembershipListQuery',
        'OrganizationStore',
      ],
      `import type { JsonValue, Outbox, PendingMessage, TableDescription, UserStore } from 'fastify-accounts'`,
      '@fastify-accounts/organizations/store',
    ),
  ],
  'docs/adapters/session-store.md': [
    shape(
      ['Session', 'SessionState', 'SessionUpdate', 'SessionChanges', 'SessionStore'],
      `import type { PendingMessage, StoredUser, TableDescription, User, UserChanges, UserStore } from 'fastify-accounts'`,
    ),
    app({
      before: `${appAndAccounts}\nimport { createClient } from 'redis'\nconst redis = await createClient({ url: '${urls.redis}' }).connect()`,
      after: `await app.accounts.createUser({ username: 'ada', password: '${password}', isVerified: true })\n${listen}`,
      env: { SESSION_SECRET: 'a secret of thirty-two bytes or a few more' },
      needs: 'redis',
      visit: async (visit) => {
        await must(visit, 200, 'POST', '/login/', { username: 'ada', password })
      },
    }),
  ],
  'docs/adapters/sql.md': [
    excerpt('examples/sql/src/tables.js'),
    app({ needs: 'better-sqlite3' }),
    suite({
      needs: 'better-sqlite3',
      unchecked: ['a list by flags', 'a list by prefix', 'a list by search', 'now', 'realms'],
    }),
  ],
  'docs/adapters/table-stores.md': [
    script({ before: ownTables }),
    script({
      before: `${ownTables}\nimport { createTableUserStore } from '@fastify-accounts/table-stores'
const transaction = (run) => run(prisma)
const userStore = createTableUserStore({ transaction, find, insert, compareAndSwap, replaceIdentities, remove })
const organizationFunctions = {
  insert, find, page, compareAndSwap, remove, insertMember: insert, findMember: find, changeMember: insert,
  removeMembers: remove, pageOfMembers: page, pageOfUser: page, countOfUser: count,
}`,
    }),
    script({
      before: `${ownTables}\nimport { createTableUserStore } from '@fastify-accounts/table-stores'
const table = { transaction: (run) => run(prisma), find, insert, compareAndSwap, replaceIdentities, remove }`,
    }),
  ],
  'docs/adapters/throttle-store.md': [shape(['ThrottleStore'])],
  'docs/adapters/token-signer.md': [
    shape(['TokenContext', 'TokenClaims', 'TokenSigner']),
    part('jwt-signer.ts'),
    suite(),
  ],
  'docs/adapters/user-store.md': [
    shape(
      ['UserStore'],
      `import type { ImportedUser, ImportOutcome, NewUser, Outbox, PendingMessage, StoredUser, TableDescription, UserChanges } from 'fastify-accounts'`,
    ),
    script({
      before: `import Fastify from 'fastify'
import { closable, createMemoryUserStore } from 'fastify-accounts'
const app = Fastify()
const pool = { end: () => console.log('ended') }
const createMyStore = (_: typeof pool) => createMemoryUserStore()`,
      after: `await app.close()`,
      prints: /^ended$/m,
    }),
    shape(['Outbox'], `import type { DeadMessage, OutboxEntry, PendingMessage } from 'fastify-accounts'`),
    elsewhere('packages/kysely/test/sql-on-pages.test.ts'),
    elsewhere('examples/own-store/test/suite.test.ts'),
    elsewhere('examples/own-store/test/suite.test.ts'),
    shown('the output of the sample above'),
    excerpt('examples/own-store/src/json-user-store.ts'),
  ],
  'docs/adapters/your-database.md': [
    script({ env: { DATABASE_URL: urls.postgres }, after: 'await db.destroy()', needs: 'postgres' }),
  ],
  'docs/guides/failover.md': [elsewhere('packages/kysely/test/faults.test.ts')],
  'docs/guides/proxy.md': [
    script(),
    part('trust-proxies.js'),
    script({ before: "import Fastify from 'fastify'\nconst app = Fastify()" }),
    elsewhere('test/proxy-guide.test.ts'),
    elsewhere('test/proxy-guide.test.ts'),
    elsewhere('test/proxy-guide.test.ts'),
    elsewhere('test/proxy-guide.test.ts'),
    script({
      before: `import { writeFileSync } from 'node:fs'
writeFileSync('cloudflare.txt', '173.245.48.0/20\\n104.16.0.0/13\\n2a06:98c0::/29')`,
      after: `app.get('/whoami', async ({ ip }) => ip)
const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' }
const { body } = await app.inject({ url: '/whoami', headers, remoteAddress: '104.16.1.1' })
console.log(body)`,
      prints: /^192\.0\.2\.1$/m,
    }),
    elsewhere('test/proxy-guide.test.ts'),
    elsewhere('test/proxy-guide.test.ts'),
    elsewhere('test/proxy-guide.test.ts'),
    script({ before: mounted }),
  ],
  'docs/guides/runbook.md': Array.from({ length: 5 }, () => elsewhere('test/cli/docs.test.ts')),
  'docs/guides/backups.md': [commands, commands, commands, commands, commands, commands],
  'docs/guides/from-better-auth.md': [
    elsewhere('test/cli/moving-in.test.ts'),
    shown(otherSystem),
    elsewhere('test/cli/guides.test.ts'),
    elsewhere('test/cli/guides.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
  ],
  'docs/guides/from-devise.md': [
    shown(otherSystem),
    elsewhere('test/cli/guides.test.ts'),
    elsewhere('test/cli/guides.test.ts'),
  ],
  'docs/guides/from-django.md': [
    elsewhere('test/cli/moving-in.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
    shown(otherSystem),
    elsewhere('test/cli/guides.test.ts'),
    elsewhere('test/cli/guides.test.ts'),
  ],
  'docs/guides/from-fastify-jwt.md': [
    script({
      before: `const rows = [{ id: 7, email: 'ada@example.org', password_hash: '$2b$10$x', verified: true }]`,
      prints: /"id":"7".*"passwordHash":"\$2b\$10\$x"/,
    }),
    elsewhere('test/cli/docs.test.ts'),
    script({
      before: `${newApp}
import { createMemorySessionStore, createMemoryUserStore } from 'fastify-accounts'
process.env.JWTS_END = new Date(Date.now() + 10 * 60_000).toISOString()
const [userStore, sessionStore] = [createMemoryUserStore(), createMemorySessionStore()]`,
      after: `
const { id } = await app.accounts.createUser({ email: 'ada@example.org', password: '${password}' })
const jwt = app.jwt.sign({ sub: id })
const orders = async (token) =>
  (await app.inject({ url: '/orders', headers: { authorization: \`Bearer \${token}\` } })).statusCode
const exchange = (token) =>
  app.inject({ method: 'POST', url: '/exchange', headers: { authorization: \`Bearer \${token}\`, 'accounts-delivery': 'tokens' } })
const exchanged = await exchange(jwt)
const token = exchanged.json().tokens.access_token
const forged = (await orders(jwt + 'x')) + (await exchange(jwt + 'x')).statusCode
console.log('before', await orders(jwt), exchanged.statusCode, await orders(token), await orders(token + 'x'), forged)
const now = Date.now
Date.now = () => now() + 11 * 60_000
console.log('after', await orders(jwt), (await exchange(jwt)).statusCode, await orders(token))
await app.accounts.updateUser(id, { isActive: false })
Date.now = now
console.log('disabled', await orders(jwt), (await exchange(jwt)).statusCode, await orders(token))`,
      env: { JWT_SECRET: 'another secret of thirty-two bytes or more' },
      prints: /^before 200 200 200 401 802\nafter 401 401 200\ndisabled 401 401 401$/m,
    }),
    elsewhere('test/samples/tokens.test.ts'),
    script({
      before: withTokens,
      after: `await app.accounts.createUser({ username: 'ada', password })
const headers = { 'accounts-delivery': 'tokens' }
const login = await app.inject({ method: 'POST', url: '/login/', headers, payload: { username: 'ada', password } })
const authorization = \`Bearer \${login.json().tokens.access_token}\`
const response = await app.inject({ method: 'POST', url: '/service-token', headers: { authorization } })
const { sub, exp, iat, aud } = app.jwt['services'].verify(response.json().token)
console.log(sub === login.json().id, exp - iat, aud)`,
      env: { JWT_PRIVATE_KEY: privateKey, JWT_PUBLIC_KEY: publicKey },
      prints: /^true 300 billing$/m,
    }),
    part('jwt-user.ts', { before: `import '@fastify/jwt'` }),
  ],
  'docs/guides/from-hosted.md': [
    shown(otherSystem),
    elsewhere('test/cli/hosted.test.ts'),
    elsewhere('test/cli/hosted.test.ts'),
    elsewhere('test/cli/hosted.test.ts'),
    shown(otherSystem),
    elsewhere('test/cli/hosted.test.ts'),
    elsewhere('test/cli/hosted.test.ts'),
    ...Array.from({ length: 5 }, () => elsewhere('test/cli/hosted.test.ts')),
  ],
  'docs/guides/from-passport.md': [
    script({
      before: `const rows = [{ id: 7, username: 'ada', email: 'ada@example.org', password: '$2b$10$x' }]`,
      prints: /"passwordHash":"\$2b\$10\$x"/,
    }),
    elsewhere('test/cli/guides.test.ts'),
    elsewhere('test/cli/moving-in.test.ts'),
    elsewhere('test/cli/guides.test.ts'),
    elsewhere('test/cli/guides.test.ts'),
  ],
  'docs/errors.md': [
    json,
    json,
    app({
      before: mounted,
      after: listen,
      visit: async (visit) => {
        const { fields } = (await must(visit, 400, 'POST', '/login/', {})) as { fields?: unknown[] }
        if (fields?.length !== 2) throw new Error('the error handler dropped the fields')
      },
    }),
  ],
  'docs/guides/activity.md': [
    app({
      before: `${newApp}\n${secret}\n${database}`,
      after: `await app.accounts.createUser({ username: 'ada', password: '${password}', isVerified: true })\n${listen}`,
      visit: async (visit) => {
        await must(visit, 200, 'POST', '/login/', { username: 'ada', password })
        const { next } = (await must(visit, 200, 'GET', '/me/activity/')) as { next: null }
        if (next !== null) throw new Error('there is another page')
      },
    }),
    json,
    script({
      before: `${plain}
import { createMemoryActivityStore } from 'fastify-accounts'
const activityStore = createMemoryActivityStore()
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', activity: activityStore })
const { id } = await app.accounts.createUser({ username: 'ada', password: '${password}' })
await activityStore.add([{ id: '1', userId: id, type: 'user.updated', at: new Date(), actor: 'host', device: null, network: null, data: {} }], 9)`,
      prints: /user\.updated host/,
    }),
  ],
  'docs/guides/pages.md': [
    app({
      env: { SECRET: 'a sample needs no better secret than this one' },
      visit: async (visit) => {
        await must(visit, 401, 'GET', '/')
        const page = await visit.open('/signup/')
        if (!/<form method="post">.*name="password"/s.test(page))
          throw new Error(`no form to sign up: ${page}`)
      },
    }),
    script({
      before: `${plain}\nimport { pages } from '@fastify-accounts/pages'
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', features: [pages()] })`,
      after: `console.log(header(null), header({}))`,
      prints: /href="\/login\/\?next=%2Forders".*action="\/logout\/"/s,
    }),
    elsewhere('packages/pages/test/templates.test.ts'),
    part('layout.ts', {
      after: `${plain}
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', features })
console.log((await app.inject({ url: '/login/', headers: { accept: 'text/html' } })).body.includes('site.css'))`,
    }),
    part('fields.ts', {
      before:
        "import type { AccountsOptions } from 'fastify-accounts'\nexport const options: Partial<AccountsOptions> = {",
      after: '}',
    }),
  ],
  'docs/guides/privacy.md': [
    script({
      before: `${mounted}\nconst { id } = await app.accounts.createUser({ username: 'ada', password })`,
      after: `console.log(document?.account.username)`,
      prints: /^ada$/m,
    }),
    script({
      before: `${plain}\nconst ordersOf = async (id: string) => [{ number: 7, total: id.length }]`,
      after: `await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', features: [orders] })
const { id } = await app.accounts.createUser({ username: 'ada', password: '${password}' })
console.log((await app.accounts.exportUser(id))?.features)`,
      prints: /orders: .*number: 7/,
    }),
  ],
  'docs/guides/own-feature.md': [
    elsewhere(
      'examples/own-feature/test/own-feature.test.ts',
      `${plain}\ndeclare function closeAccount(options: object): import('fastify-accounts/features').Feature`,
    ),
    excerpt('examples/own-feature/src/routes.ts'),
    excerpt('examples/own-feature/src/index.ts'),
  ],
  'docs/guides/email-code.md': [
    app({
      after: listen,
      visit: async (visit) => {
        await must(visit, 202, 'POST', '/login/code/', { email: 'ada@example.org' })
      },
    }),
  ],
  'docs/guides/second-factor.md': [
    app({
      after: listen,
      visit: async (visit) => {
        await must(visit, 201, 'POST', '/signup/', { username: 'ada', password, confirm_password: password })
        await must(visit, 200, 'POST', '/login/', { username: 'ada', password })
        await must(visit, 200, 'GET', '/second-factor/')
        await must(visit, 200, 'POST', '/second-factor/totp/')
      },
    }),
  ],
  'docs/guides/api-keys.md': [
    elsewhere('test/samples/api-keys.test.ts'),
    elsewhere('test/samples/api-keys.test.ts'),
    json,
    elsewhere('test/samples/api-keys.test.ts'),
    script({ before: "import { apiKeys } from 'fastify-accounts'" }),
  ],
  'docs/guides/invitations.md': [
    app({
      after: `await app.accounts.createUser({ username: 'ada', password: '${password}', isStaff: true, isVerified: true })
${listen}`,
      visit: async (visit) => {
        await must(visit, 403, 'POST', '/user/', { username: 'eve', password, confirm_password: password })
        await must(visit, 200, 'POST', '/login/', { username: 'ada', password })
        const body = blocksOf('docs/guides/invitations.md').find(({ language }) => language === 'json')
        const given = JSON.parse(body?.code ?? '')
        await must(visit, 202, 'POST', '/invitations/', given)
        const list = (await must(visit, 200, 'GET', '/invitations/')) as {
          results: { id: string; email: string; roles: string[]; fields: object }[]
        }
        for (const { id, email, fields, roles } of list.results) {
          if (JSON.stringify({ email, fields, roles }) !== JSON.stringify(given))
            throw new Error(`the list has ${JSON.stringify(list)}`)
          await must(visit, 204, 'POST', `/invitations/${id}/send/`)
          await must(visit, 204, 'DELETE', `/invitations/${id}`)
          await must(visit, 404, 'DELETE', `/invitations/${id}`)
        }
        if (list.results.length !== 1) throw new Error(`the list has ${JSON.stringify(list)}`)
      },
    }),
    json,
    script({
      before: `${plain}
await app.register(accounts, {
  secret,
  baseUrl: 'http://localhost:3000',
  users: true,
  roles: { editor: ['posts:write'] },
  features: [feature()],
})
const password = '${password}'`.replace(
        "import accounts from 'fastify-accounts'",
        "import accounts, { invitations as feature } from 'fastify-accounts'",
      ),
      after: 'await app.close()',
      prints: /^invited until 20.*Z$/m,
    }),
    app({
      before: `${newApp}\nimport accounts, { invitations } from 'fastify-accounts'\n${secret}`,
      after: seed,
      visit: (visit) => knows(visit),
    }),
    part('accept.ts', {
      before: `const location = { hash: '#MQ/worn', pathname: '/welcome' }
const history = { replaceState(..._: unknown[]) {} }`,
    }),
  ],
  'docs/guides/organizations.md': [
    app({
      env: { SECRET: 'a sample needs no better secret than this one' },
      after: `
const person = (username: string, domain = 'example.org', roles: 'support'[] = []) =>
  app.accounts.createUser({ username, email: \`\${username}@\${domain}\`, password: '${password}', isVerified: true, roles })
await app.ready()
const { id: ownerId } = await person('ada')
await person('grace')
await person('sam', 'example.org', ['support'])
const lambda = await app.accounts.organizations.create({ name: 'Lambda', slug: 'lambda', ownerId })
await db.insertInto('domains').values({ domain: 'lambda.example', organization_id: lambda.id }).execute()
await person('lin', 'lambda.example')
${listen}`,
      visit: async (visit) => {
        const [created, invited] = blocksOf('docs/guides/organizations.md')
          .filter(({ language }) => language === 'json')
          .map(({ code }) => JSON.parse(code))
        const logIn = (username: string) => must(visit, 200, 'POST', '/login/', { username, password })
        const projects = '/o/acme/projects'
        await logIn('ada')
        await must(visit, 201, 'POST', '/organizations/', created)
        await must(visit, 201, 'POST', projects, { title: 'Roadrunner' })
        await must(visit, 202, 'POST', '/organizations/acme/invitations/', invited)
        await logIn('grace')
        await must(visit, 404, 'GET', projects)
        const waiting = (await must(visit, 200, 'GET', '/me/invitations/')) as { results: { id: string }[] }
        await must(visit, 200, 'POST', `/me/invitations/${waiting.results[0]?.id}/accept/`)
        const seen = JSON.stringify(await must(visit, 200, 'GET', projects))
        if (!/Roadrunner.*"may_write":false/.test(seen)) throw new Error(`${projects} returned ${seen}`)
        await must(visit, 403, 'POST', projects, { title: 'Coyote' })
        await logIn('sam')
        await must(visit, 200, 'GET', '/organizations/')
        await must(visit, 404, 'GET', projects)
        await logIn('lin')
        while ((await visit('GET', '/o/lambda/projects')).status === 404);
        await must(visit, 200, 'GET', '/o/lambda/projects')
      },
    }),
    json,
    json,
    part('by-host.ts', { before: "import { organizations } from '@fastify-accounts/organizations'" }),
    script({
      before: `${organized}\nawait app.accounts.organizations.create({ name: 'Acme', slug: 'acme', ownerId: ada.id })`,
      after: 'console.log(key)\nawait app.close()',
      prints: /^fa_/m,
    }),
    script({ before: `${organized}\nconst listProjects = async () => []`, after: 'await app.close()' }),
    script({ before: organized, after: 'await app.close()', prints: /^acme \[ 'owner' \]$/m }),
  ],
  'docs/guides/keep-your-paths.md': [
    app({
      before: `${plain}
await app.register(accounts, { secret, baseUrl: 'http://localhost:3000', prefix: '/accounts', users: { names: 'none' } })`,
      after: `await app.accounts.createUser({ email: 'ada@example.org', password: '${password}', isVerified: true })\n${listen}`,
      visit: async (visit) => {
        const ada = { mail: 'ada@example.org', pass: password }
        await must(visit, 401, 'GET', '/api/profile')
        await must(visit, 400, 'POST', '/api/register', { mail: 'grace@example.org' })
        await must(visit, 400, 'POST', '/api/login')
        await must(visit, 200, 'POST', '/api/register', { ...ada, mail: 'grace@example.org' })
        const refused = await must(visit, 401, 'POST', '/api/login', { ...ada, pass: 'another one' })
        if (!JSON.stringify(refused).startsWith('{"ok":false,"error":"ACCOUNTS_INVALID_CREDENTIALS"'))
          throw new Error(`a wrong password is ${JSON.stringify(refused)}`)
        await must(visit, 200, 'POST', '/api/login', ada)
        await must(visit, 200, 'GET', '/api/profile')
        await must(visit, 200, 'POST', '/api/logout', {})
        await must(visit, 401, 'GET', '/api/profile')
      },
    }),
    file('examples/prisma/src/old-api.ts'),
  ],
  'docs/guides/own-login.md': [
    app({
      before: `${mounted}
const verifyAssertion = async (body) => {
  if (body?.assertion !== 'of ada') throw Object.assign(new Error('forged'), { statusCode: 403 })
  return 'ada'
}`,
      after: listen,
      visit: async (visit) => {
        await must(visit, 403, 'POST', '/partner-login/', { assertion: 'of eve' })
        await must(visit, 201, 'POST', '/signup/', { username: 'ada', password, confirm_password: password })
        await must(visit, 401, 'GET', '/me/')
        await must(visit, 200, 'POST', '/partner-login/', { assertion: 'of ada' })
        await must(visit, 200, 'GET', '/me/')
        await must(visit, 204, 'DELETE', '/me/')
      },
    }),
  ],
  'docs/guides/scale.md': [commands, commands],
  'docs/guides/sveltekit.md': [
    app({ visit: (visit) => logsIn(visit, '/accounts') }),
    shown('creates the app in packages/compatibility/sveltekit, apart from its name'),
    elsewhere('packages/compatibility/test/sveltekit.test.ts'),
    elsewhere('packages/compatibility/test/sveltekit.test.ts'),
    file('packages/compatibility/sveltekit/src/lib/server/accounts.ts'),
    file('packages/compatibility/sveltekit/src/hooks.server.ts'),
    file('packages/compatibility/sveltekit/src/routes/+page.server.ts'),
  ],
  'docs/guides/nestjs.md': [install, file('packages/compatibility/frameworks/nest.ts')],
  'docs/guides/saml.md': [
    shown('neither package belongs to this project'),
    script({ env: { SAML_ENTRY_POINT: 'https://idp.example.org/', SAML_CERTIFICATE: 'MIIB' } }),
  ],
  'docs/guides/graphql-trpc.md': [install, file('packages/compatibility/frameworks/graphql.ts')],
  'docs/guides/react.md': [
    app({ visit: (visit) => logsIn(visit, '/accounts') }),
    install,
    file('packages/compatibility/react/vite.config.ts'),
    file('packages/compatibility/react/src/accounts.ts'),
    file('packages/compatibility/react/src/useAccount.ts'),
  ],
  'docs/guides/vue.md': [
    install,
    file('packages/compatibility/vue/vite.config.ts'),
    file('packages/compatibility/vue/src/accounts.ts'),
  ],
  'docs/guides/nextjs.md': [
    install,
    file('packages/compatibility/nextjs/next.config.ts'),
    file('packages/compatibility/nextjs/lib/accounts.ts'),
  ],
  'docs/guides/tokens-react-native.md': [
    install,
    part('accounts.ts'),
    client({
      after: `
console.log(await firstScreen(), await logIn('ada', 'wrong'))
console.log(await logIn('ada', '${password}'), await firstScreen(), await orders())
console.log((await logOut()).ok, await firstScreen())`,
      prints: /^login Incorrect login details\.\nhome Hello ada \[ 'tea' \]\ntrue login$/m,
    }),
  ],
  'docs/guides/tokens-command-line.md': [
    client({
      after: `
import { readdir, stat } from 'node:fs/promises'
await list().catch(({ message }) => console.log(message))
await logIn('ada', '${password}')
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
console.log(await list(), await mode(file), await mode(dirname(file)), await readdir(dirname(file)))
// The next command, in a process of its own.
const next = createAccountsClient({ baseUrl: 'https://api.example.org', tokens: { ...tokens } })
const sessions = await next.listSessions()
console.log(sessions.ok && sessions.data.results[0]?.name?.startsWith('orders on '))
await logOut()
console.log((await readFile(file, 'utf8')).includes('far_'))`,
      prints: /^Run .orders login. first\.\n\[ 'tea' \] 600 700 \[ 'login.json' \]\ntrue\nfalse$/m,
    }),
  ],
  'docs/guides/tokens-spa.md': [client({ prints: /^show the form$/m })],
  'docs/guides/tokens-service.md': [
    client({
      after: `
let token: unknown
const tokens = { load: () => null, save: (stored: { access?: unknown } | null) => (token = stored?.access) }
await createAccountsClient({ baseUrl: 'https://api.example.org', tokens }).logIn({ username: 'ada', password: '${password}' })
const ask = async (authorization: string) => {
  const response = await app.inject({ url: '/orders', headers: { authorization } })
  return [response.statusCode, response.json().of]
}
console.log(await ask(\`Bearer \${token}\`), await ask('Bearer fat_forged'), await ask('Bearer else'))
globalThis.fetch = async () => { throw new Error('down') }
console.log(await ask(\`Bearer \${token}\`))`,
      prints: /^\[ 200, 'ada' \] \[ 401, undefined \] \[ 401, undefined \]\n\[ 503, undefined \]$/m,
    }),
  ],
  'docs/guides/single-page-app.md': [
    app({ after: seed, visit: (visit) => knows(visit) }),
    client({ prints: /^show the form$/m }),
    client({
      before: `${atService}
const location = { hash: '#uid64=MQ&token=worn', pathname: '/reset' }
const history = { replaceState(..._: unknown[]) {} }`,
      prints: /link is invalid/,
    }),
  ],
}

/** Modules that samples import but leave to the reader. */
export const supplied: Record<string, string> = {
  // The part of Expo's that the page uses, without a device.
  'node_modules/expo-secure-store/package.json': '{ "type": "module", "exports": "./index.js" }',
  'node_modules/expo-secure-store/index.js': `const kept = new Map()
export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = 1
export const getItemAsync = async (key) => kept.get(key) ?? null
export const deleteItemAsync = async (key) => void kept.delete(key)
export async function setItemAsync(key, value) {
  if (typeof value !== 'string' || value.length > 2048) throw new Error('invalid value')
  kept.set(key, value)
}`,
  'node_modules/expo-secure-store/index.d.ts': `interface Options { keychainAccessible?: number }
export const AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: number
export function getItemAsync(key: string, options?: Options): Promise<string | null>
export function setItemAsync(key: string, value: string, options?: Options): Promise<void>
export function deleteItemAsync(key: string, options?: Options): Promise<void>`,
  // The ws that @fastify/websocket has.
  'node_modules/ws/package.json': '{ "type": "module", "exports": "./index.js" }',
  'node_modules/ws/index.js': `import { createRequire } from 'node:module'
export default createRequire(import.meta.resolve('@fastify/websocket'))('ws')`,
  // The platforms' part of what the page shows.
  'node_modules/firebase-functions/package.json':
    '{ "type": "module", "exports": { "./https": "./https.js" } }',
  'node_modules/firebase-functions/https.js': 'export const onRequest = (handler) => handler',
  'node_modules/firebase-functions/https.d.ts': `import type { IncomingMessage, ServerResponse } from 'node:http'
type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>
export function onRequest(handler: Handler): Handler`,
  'node_modules/@fastify/aws-lambda/package.json': '{ "type": "module", "exports": "./index.js" }',
  'node_modules/@fastify/aws-lambda/index.js': `export default (app) => ({ httpMethod: method, path: url, headers, body }) =>
  app.inject({ method, url, headers, payload: Buffer.from(body), remoteAddress: '192.0.2.1' })`,
  'node_modules/@fastify/aws-lambda/index.d.ts': `import type { FastifyInstance } from 'fastify'
declare function handle(app: FastifyInstance): (event: object, context: object) => Promise<{ statusCode: number }>
export default handle`,
  // The page shows it.
  'docs-guides-testing/app.js': read('packages/compatibility/jest/app.js'),
  // The pages link to them.
  'docs-adapters-user-store/json-user-store.ts': read('examples/own-store/src/json-user-store.ts'),
  'docs-adapters-mongoose/user-store.ts': read('examples/mongoose/src/user-store.ts'),
  'docs-adapters-mongoose/session-store.ts': read('examples/mongoose/src/session-store.ts'),
  'docs-adapters-sql/schema.sql': read('examples/sql/src/schema.sql'),
  'docs-adapters-sql/database.js': read('examples/sql/src/database.js'),
  'docs-adapters-sql/tables.js': read('examples/sql/src/tables.js'),
  // A complete language, standing in for a translation.
  'docs-languages/polish.ts': `import type { Texts } from 'fastify-accounts'
export const polish: Texts = ${JSON.stringify(composeFeatures(shippedFeatures).names.catalogue.en)}\n`,
}
