import { pages } from '@fastify-accounts/pages'
import { baseUrl, cheapHasher, goodPassword, outbox, secret } from '@fastify-accounts/test-support/app'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import accounts, {
  type Accounts,
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  frameworkErrors,
} from 'fastify-accounts'
import { expect, it } from 'vitest'
import { browser } from './pages-app.js'

/** An app of several mounts of pages, each with ada. */
async function appOf(
  mounts: readonly Partial<AccountsOptions>[],
  server: FastifyServerOptions = {},
): Promise<FastifyInstance> {
  const app = Fastify(server) as unknown as FastifyInstance
  const stores = { userStore: createMemoryUserStore(), sessionStore: createMemorySessionStore() }
  for (const mount of mounts) {
    await app.register(accounts, {
      ...{ secret, baseUrl, mailer: outbox(), passwordHasher: cheapHasher(), throttle: false },
      ...{ users: true, features: [pages()], ...stores, ...mount },
    } as AccountsOptions)
    const { instance = 'accounts' } = mount.decorateAs ?? {}
    const realm = (app as unknown as Record<string, Accounts>)[instance] as Accounts
    const path = mount.prefix ?? ''
    if (!app.hasRoute({ method: 'GET', url: `${path}/secret/` }))
      app.get(`${path}/secret/`, { onRequest: realm.requireUser }, async () => 'in')
  }
  await app.ready()
  return app
}

const ada = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }

it('of several versions the first serves browsers, and programs choose theirs', async () => {
  const strategies: NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']> = {
    client: {
      name: 'client',
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
  const names = (instance: string) => ({ decorateAs: { instance, request: `${instance}User` } })
  for (const [constraint, header] of [
    ['version', 'accept-version'],
    ['client', 'x-client'],
  ] as const) {
    const app = await appOf(
      [
        { constraints: { [constraint]: '1.0.0' }, ...names('one') },
        { constraints: { [constraint]: '2.0.0' }, ...names('two') },
      ],
      { routerOptions: { constraints: strategies } },
    )
    await (app as unknown as { one: Accounts }).one.createUser(ada)
    const visitor = browser(app)
    expect((await visitor.open('/secret/')).heading).toBe('Log in to localhost:3000')
    const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
    expect(back).toMatchObject({ url: '/secret/', html: 'in' })
    for (const version of ['1.0.0', '2.0.0']) {
      const headers = { [header]: version, accept: 'application/json' }
      const login = await app.inject({ method: 'POST', url: '/login/', payload: {}, headers })
      expect([constraint, login.statusCode, login.json().code]).toEqual([
        ...[constraint, 400, 'ACCOUNTS_INVALID_INPUT'],
      ])
    }
  }
})

it('leads to the pages of the mount whose guard refuses', async () => {
  const app = await appOf([
    {},
    {
      prefix: '/staff',
      decorateAs: { instance: 'staff', request: 'staffUser' },
      session: { cookieName: 'staff' },
      userStore: createMemoryUserStore(),
      sessionStore: createMemorySessionStore(),
    },
  ])
  const realms = app as unknown as { accounts: Accounts; staff: Accounts }
  await realms.accounts.createUser(ada)
  const visitor = browser(app)
  expect((await visitor.open('/secret/')).url).toBe('/login/?next=%2Fsecret%2F')
  expect((await visitor.submit('Log in', { username: 'ada', password: goodPassword })).html).toBe('in')
  expect((await visitor.open('/staff/secret/')).url).toBe('/staff/login/?next=%2Fstaff%2Fsecret%2F')
  const refused = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(refused.status).toBe(401)
  await realms.staff.createUser(ada)
  expect((await visitor.submit('Log in', { username: 'ada', password: goodPassword })).html).toBe('in')
})

it.each([
  ['that ignores slashes at the end', { routerOptions: { ignoreTrailingSlash: true } }],
  ['of HTTP/2', { http2: true }],
  ['that ignores case', { routerOptions: { caseSensitive: false } }],
])('serves browsers in an app %s', async (_, server) => {
  const app = await appOf([{}], server as FastifyServerOptions)
  await app.accounts.createUser(ada)
  for (const path of ['/login/', '/login']) {
    const visitor = browser(app)
    expect((await visitor.open(path)).heading).toBe('Log in to localhost:3000')
    const landed = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
    expect(landed).toMatchObject({ status: 200, url: '/account/' })
  }
})

it('has the path of a proxy in every URL, as browsers see them', async () => {
  const app = await appOf([{ baseUrl: 'http://localhost:3000/shop', trustedOrigins: [] }])
  await app.accounts.createUser(ada)
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
  const refused = await app.inject({ url: '/secret/?a=1', headers })
  expect(refused.headers.location).toBe('/shop/login/?next=%2Fshop%2Fsecret%2F%3Fa%3D1')
  const { body } = await app.inject({ url: '/login/?next=%2Fshop%2Fsecret%2F', headers })
  const urls = [...body.matchAll(/(?:href|action)="(\/[^"]*)"/g)].map(([, url]) => url)
  expect(urls.length).toBeGreaterThan(0)
  for (const url of urls) expect(url).toMatch(/^\/shop\//)
  const link = await app.inject({ url: '/not-me/YQ/forged/', headers })
  expect(link.body).toContain('href="/shop/login/"')
})

it('leads no handshake of a WebSocket, and no prefetch of a program', async () => {
  const app = await appOf([{}])
  for (const headers of [
    { 'sec-fetch-mode': 'websocket', upgrade: 'websocket', accept: '*/*' },
    { upgrade: 'websocket', connection: 'upgrade' },
    { 'sec-fetch-mode': 'no-cors', accept: 'text/html' },
  ]) {
    const { statusCode } = await app.inject({ url: '/secret/', headers: headers as Record<string, string> })
    expect(statusCode).toBe(401)
  }
})

it('shows the page of an invalid link for a URL that cannot be decoded', async () => {
  const visitor = browser(await appOf([{}], { frameworkErrors }))
  const shown = await visitor.open('/not-me/%zz/echo/')
  expect(shown).toMatchObject({ status: 400, heading: 'This link doesn’t work' })
  expect(shown.html).not.toContain('echo')
  expect((await visitor.follow('Log in')).status).toBe(200)
})

it('leads to no host that a router takes for a path', async () => {
  const app = await appOf([{}], { routerOptions: { ignoreDuplicateSlashes: true } })
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
  const { statusCode, body } = await app.inject({ url: '//login/', headers })
  expect(statusCode).toBe(200)
  expect(body).not.toMatch(/(?:href|action|value)="(?:\/|&#47;){2}/)
  const guarded = await app.inject({ url: '//secret/', headers })
  expect([303, 404]).toContain(guarded.statusCode)
  expect(String(guarded.headers.location ?? '/')).toMatch(/^\/(?!\/)/)
})
