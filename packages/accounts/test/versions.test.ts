import {
  baseUrl,
  browser,
  cheapHasher,
  formTarget,
  goodPassword,
  logIn,
  otherPassword,
  outbox,
  secret,
  type TestApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { causes, mailKinds, withoutLink } from '@fastify-accounts/test-support/mails'
import Fastify, { type FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import accounts, {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  type Mail,
  type SessionStore,
} from '../src/index.js'

const email = 'alice@example.org'
const linkKinds = mailKinds.filter((kind) => !withoutLink.includes(kind))
const pressed = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }

/** How clients say which of several mounts they mean. */
interface Choice {
  constraint: string
  header: string
}

const byVersion: Choice = { constraint: 'version', header: 'accept-version' }
/** A strategy of the app's own. */
const byClient: Choice = { constraint: 'client', header: 'x-client' }

type Strategies = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>
const strategies: Strategies = {
  client: {
    name: 'client',
    // An unknown value leads nowhere, as with versions.
    mustMatchWhenDerived: true,
    storage() {
      const handlers = new Map<unknown, never>()
      return {
        get: (key) => handlers.get(key) ?? null,
        set: (key, handler) => void handlers.set(key, handler as never),
      }
    },
    validate: () => true,
    deriveConstraint: ({ headers }) => headers['x-client'] as string,
  },
}

/** A service with a mount for each kind of API client, with alice in it, and its log. */
async function versioned(
  versions: readonly string[],
  { constraint, header }: Choice = byVersion,
  options: Partial<AccountsOptions> = {},
): Promise<TestApp<SessionStore> & { lines: string[] }> {
  const lines: string[] = []
  const users = createMemoryUserStore()
  const sessions = createMemorySessionStore()
  const shared = { requireEmailConfirmation: true, ...options }
  const [last = '', ...earlier] = versions.toReversed()
  const service = await testAppOn(
    { users, sessions },
    { ...shared, constraints: { [constraint]: last } },
    {
      // Fastify's own request serializer and its own 404: both log the path.
      server: {
        logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } },
        routerOptions: { constraints: strategies },
      },
      async before(app) {
        for (const [at, version] of earlier.toReversed().entries()) {
          await app.register(accounts, {
            secret,
            baseUrl,
            users: true,
            userStore: users,
            sessionStore: sessions,
            passwordHasher: cheapHasher(),
            mailer: outbox(),
            throttle: false,
            ...shared,
            brand: { name: `Version ${version}` },
            constraints: { [constraint]: version },
            decorateAs: { instance: `accounts${at}`, request: `user${at}` },
          })
        }
      },
    },
  )
  const { send } = service
  await service.app.accounts.createUser({
    username: 'alice',
    password: goodPassword,
    email,
    isVerified: true,
  })
  return {
    ...service,
    lines,
    send: (method, url, payload, extra) =>
      send(method, url, payload, { ...extra, headers: { [header]: last, ...extra?.headers } }),
  }
}

/** The path and query of an emailed link, and its token. */
function linkOf({ text }: Mail): { target: string; token: string } {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '')
  return { target: pathname + search, token: pathname.split('/').at(-2) ?? '' }
}

describe.each([
  ['one version', ['1.2.0'], byVersion],
  ['two versions', ['1.2.0', '2.0.0'], byVersion],
  ['one value of a header', ['ios'], byClient],
  ['two values of a header', ['ios', 'web'], byClient],
])('with %s', (_what, versions, choice) => {
  const ranges = choice === byVersion ? ['1.x', ...(versions.length > 1 ? ['2.x'] : [])] : []

  test.each(linkKinds)('a browser follows the link of %s, which never appears in the log', async (kind) => {
    const service = await versioned(versions, choice)
    const { app, lines } = service
    const { target, token } = linkOf(await causes[kind](service, {}))
    expect(token.length).toBeGreaterThan(30)

    const page = await app.inject({ url: target, headers: browser })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<form method="post"')
    expect((await app.inject({ method: 'HEAD', url: target, headers: browser })).statusCode).toBe(200)
    const wrong = await app.inject({ method: 'PUT', url: target, headers: browser })
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    const fields = target.startsWith('/reset/')
      ? { new_password: otherPassword, confirm_password: otherPassword }
      : // This browser hasn't signed up.
        kind === 'verify-email' && { password: goodPassword }
    const payload = new URLSearchParams(fields || {}).toString()
    const url = kind === 'verify-email' ? formTarget(page.body, target, 'password') : target
    let done = await app.inject({
      method: 'POST',
      url: url.replace(/\/(\?|$)/, '$1'),
      headers: pressed,
      payload,
    })
    if (done.statusCode === 303)
      done = await app.inject({ url: String(done.headers.location), headers: browser })
    expect([done.statusCode, done.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(done.body).not.toContain('<form')
    expect(lines.filter((line) => line.includes('"incoming request"')).length).toBeGreaterThan(3)
    expect(lines.filter((line) => line.includes(token))).toEqual([])
  })

  test.each(linkKinds)('a client that says its version follows the link of %s', async (kind) => {
    const service = await versioned(versions, choice)
    const { target } = linkOf(await causes[kind](service, {}))
    for (const version of [...versions, ...ranges]) {
      const headers = { [choice.header]: version, accept: 'application/json' }
      const response = await service.app.inject({ url: target, headers })
      expect([version, response.statusCode, response.json().valid]).toEqual([version, 200, true])
    }
    const unknown = await service.app.inject({ url: target, headers: { [choice.header]: '9.x' } })
    expect(unknown.statusCode).toBe(404)
  })

  test('the well-known URL leads a browser to the form, which changes the password', async () => {
    const service = await versioned(versions, choice)
    const headers = { ...browser, cookie: await logIn(service) }
    const { app } = service
    const sent = await app.inject({ url: '/.well-known/change-password', headers })
    const url = new URL(String(sent.headers.location)).pathname
    expect((await app.inject({ url, headers })).body).toContain('name="old_password"')
    const payload = new URLSearchParams({
      old_password: goodPassword,
      new_password: otherPassword,
      confirm_password: otherPassword,
    }).toString()
    const done = await app.inject({ method: 'POST', url, headers: { ...pressed, ...headers }, payload })
    expect([done.statusCode, done.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    await logIn(service, 'alice', otherPassword)
  })

  test('routes other than pages stay with their version', async () => {
    const { app } = await versioned(versions, choice)
    const payload = { username: 'alice', password: goodPassword }
    for (const [headers, status] of [
      [{}, 404],
      [{ [choice.header]: ranges[0] ?? versions[0] }, 200],
      [{ [choice.header]: '9.x' }, 404],
    ] as const) {
      const login = await app.inject({ method: 'POST', url: '/login/', headers, payload })
      expect([headers, login.statusCode]).toEqual([headers, status])
    }
    expect((await app.inject('/api-root/')).statusCode).toBe(404)
  })
})

test('of two versions, the first one registered serves links without a version', async () => {
  const { app } = await versioned(['1.2.0', '2.0.0'])
  const page = async (headers: object) =>
    (await app.inject({ url: '/reset/d/', headers: { ...browser, ...headers } })).body
  expect(await page({})).toContain('Version 1.2.0')
  expect(await page({ 'accept-version': '1.x' })).toContain('Version 1.2.0')
  expect(await page({ 'accept-version': '2.x' })).not.toContain('Version 1.2.0')
})

test.each([{ version: '1.0.0' }, { client: 'ios' }])(
  'the hosts of tenants apply to links as well, with %j',
  async (own) => {
    const app = Fastify({ routerOptions: { constraints: strategies } })
    for (const site of ['a', 'b']) {
      await app.register(accounts, {
        baseUrl: `http://${site}.localhost`,
        mailer: outbox(),
        brand: { name: `Site ${site}` },
        decorateAs: { instance: `${site}Accounts`, request: `${site}User` },
        session: { cookieName: site },
        secret: secret + site,
        constraints: { host: `${site}.localhost`, ...own },
      })
    }
    const page = (host: string) => app.inject({ url: '/reset/d/', headers: { ...browser, host } })
    for (const site of ['a', 'b']) expect((await page(`${site}.localhost`)).body).toContain(`Site ${site}`)
    expect((await page('c.localhost')).statusCode).toBe(404)
    await app.close()
  },
)

test('browsers get the mount without constraints, if it is registered first', async () => {
  const app = Fastify()
  const shared = { secret, baseUrl, userStore: createMemoryUserStore(), mailer: outbox() }
  await app.register(accounts, { ...shared, brand: { name: 'First' } })
  await app.register(accounts, {
    ...{ ...shared, brand: { name: 'Second' }, constraints: { version: '2.0.0' } },
    decorateAs: { instance: 'second', request: 'secondUser' },
  })
  const page = async (headers: object) =>
    (await app.inject({ url: '/reset/d/', headers: { ...browser, ...headers } })).body
  expect(await page({})).toContain('First')
  expect(await page({ 'accept-version': '2.x' })).toContain('Second')
  await app.close()
})

const userStore = createMemoryUserStore()
test.each<[string, RegExp, Partial<AccountsOptions>]>([
  [
    'other users',
    / different users: emailed links /,
    { userStore: createMemoryUserStore(), session: { cookieName: 'second' } },
  ],
  ['another secret', / links carry no version or other header/, { userStore, secret: `${secret}x` }],
  [
    'another baseUrl',
    / links carry no version or other header/,
    { userStore, baseUrl: 'http://localhost:4000' },
  ],
])(
  'a second version with %s needs a prefix, since the first would reject its links',
  async (_what, why, second) => {
    const start = async (prefix: string) => {
      const app = Fastify()
      const shared = { secret, baseUrl, userStore, mailer: outbox() }
      await app.register(accounts, { ...shared, constraints: { version: '1.0.0' } })
      await app.register(accounts, {
        ...shared,
        ...second,
        prefix,
        constraints: { version: '2.0.0' },
        decorateAs: { instance: 'second', request: 'secondUser' },
      })
      await app.close()
    }
    await expect(start('')).rejects.toThrow(/^fastify-accounts: the option prefix must differ /)
    await expect(start('')).rejects.toThrow(why)
    await start('/v2')
  },
)
