import fastifySwagger from '@fastify/swagger'
import {
  baseUrl,
  browser,
  cheapHasher,
  cookieOf,
  formTarget,
  goodPassword,
  logIn,
  otherPassword,
  outbox,
  secret,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { causes, mailKinds, type OwnKind, withoutLink } from '@fastify-accounts/test-support/mails'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import accounts, { type AccountsOptions, createMemoryUserStore, type Mail } from '../src/index.js'

type Index = Record<string, { methods: string[]; href: string }>

const email = 'alice@example.org'
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
const linkKinds = mailKinds.filter((kind) => !withoutLink.includes(kind))

/** The contract's paths by name, as mounted by default. */
const usual: Index = await (async () => {
  const { app } = await testApp()
  return (await app.inject('/api-root/')).json()
})()
const pathOf = (name: string) => usual[name]?.href.replace(baseUrl, '') ?? ''

/** Moves every route: without its words, with its parameters reversed, and between other segments. */
const moved = Object.fromEntries(
  Object.keys(usual).map((name, at) => {
    const params = [...pathOf(name).matchAll(/\{\w+\}/g)].map(([param]) => param).toReversed()
    return [name, `/moved.${at}/${params.map((param) => `${param}/-/`).join('')}`]
  }),
)

const other = {
  secret,
  baseUrl,
  users: true,
  mailer: outbox(),
  passwordHasher: cheapHasher(),
  session: { cookieName: 'other-session' },
  decorateAs: { instance: 'others', request: 'otherUser' },
}
const realms: [string, string, string, Partial<AccountsOptions>, AccountsOptions][] = [
  ['at the root', '', '', {}, { ...other, prefix: '/staff', paths: moved }],
  [
    'below prefixes',
    '/staff/a',
    '/staff/u',
    { prefix: '/staff', auth: { prefix: '/a' }, users: { prefix: '/u' } },
    { ...other, paths: moved },
  ],
]

/** A service with alice and every route moved, next to another realm with every route moved as well. */
async function movedService(
  [, auth, users, options, neighbor]: (typeof realms)[number],
  more: Partial<AccountsOptions> = {},
): Promise<TestApp & { lines: string[]; at: (url: string) => string }> {
  const lines: string[] = []
  const service = await testApp(
    { requireEmailConfirmation: true, ...options, ...more, paths: moved },
    {
      server: { logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } } },
      async before(app) {
        await app.register(fastifySwagger, { openapi: { openapi: '3.1.0' } })
        await app.register(accounts, neighbor)
      },
    },
  )
  await service.app.accounts.createUser({
    username: 'alice',
    password: goodPassword,
    email,
    isVerified: true,
  })
  /** Where the route with this default path is. */
  const at = (url: string): string => {
    const name = Object.keys(usual).find((each) => pathOf(each) === url)
    if (name === undefined) return url
    return `${/^(user|signup)/.test(name) ? users : auth}${moved[name]}`
  }
  return { ...service, lines, at, send: (method, url, ...rest) => service.send(method, at(url), ...rest) }
}

const linksOf = ({ text }: Mail) => [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url))
const tokenIn = (target: string) => target.split(/[/?]/).find((part) => part.length > 40) ?? ''

describe.each(realms)('every path changed, in a realm %s', (...realm) => {
  const [, auth, users] = realm

  test('nothing is left at the default paths, and everything is at the new ones', async () => {
    const { app } = await movedService(realm)
    const index: Index = (await app.inject(`${auth}${moved['api-root']}`)).json()
    expect(Object.keys(index)).toEqual(Object.keys(usual))
    for (const [name, { methods, href }] of Object.entries(index)) {
      const base = /^(user|signup)/.test(name) ? users : auth
      expect(href).toBe(`${baseUrl}${base}${moved[name]}`)
      expect(methods).toEqual(usual[name]?.methods)
      for (const method of methods as 'GET'[]) {
        const before = await app.inject({ method, url: base + pathOf(name).replaceAll(/[{}]/g, '') })
        expect([method, pathOf(name), before.statusCode]).toEqual([method, pathOf(name), 404])
        for (const spelling of [href, href.replace(/\/$/, '')]) {
          const url = spelling.replace(baseUrl, '').replaceAll(/[{}]/g, '')
          expect([url, (await app.inject({ method, url })).body]).not.toEqual([url, before.body])
          expect((await app.inject({ method, url })).headers['cache-control']).toBe('no-store')
        }
      }
      const wrong = await app.inject({ method: 'PUT', url: href.replace(baseUrl, '') })
      expect([wrong.statusCode, wrong.headers.allow?.toString().split(', ')]).toEqual([
        405,
        expect.arrayContaining(methods),
      ])
    }
  })

  test('OpenAPI describes the new paths', async () => {
    const { app } = await movedService(realm)
    await app.ready()
    const { paths = {} } = app.swagger()
    const isOwn = (path: string) =>
      path.startsWith('/staff') === auth.startsWith('/staff') && !path.startsWith('/.well-known')
    const expected = Object.keys(usual).map(
      (name) => (/^(user|signup)/.test(name) ? users : auth) + moved[name],
    )
    expect(Object.keys(paths).filter(isOwn).toSorted()).toEqual(expected.toSorted())
  })

  test.each(linkKinds)(
    'the link of %s leads there, as page and as JSON, and never appears in the log',
    async (kind) => {
      const { app, lines, ...service } = await movedService(realm)
      const mail = await causes[kind]({ app, ...service }, {})
      for (const { origin, pathname, search } of linksOf(mail).toReversed()) {
        expect([origin, pathname]).toEqual([baseUrl, expect.stringMatching(/\/moved\.\d+\//)])
        const target = pathname + search
        expect((await app.inject({ url: target })).json()).toMatchObject({ valid: true })
        const page = await app.inject({ url: target, headers: browser })
        expect([page.statusCode, page.headers['referrer-policy']]).toEqual([200, 'strict-origin'])
        expect(page.body).toContain('<form method="post"')
        const isReset = kind !== 'verify-email' && page.body.includes('new_password')
        const fields = isReset
          ? { new_password: otherPassword, confirm_password: otherPassword }
          : // This browser hasn't signed up.
            kind === 'verify-email' && { password: goodPassword }
        const payload = new URLSearchParams(fields || {}).toString()
        const url = kind === 'verify-email' ? formTarget(page.body, target, 'password') : target
        expect(url).toMatch(/\/moved\.\d+\//)
        let done = await app.inject({ method: 'POST', url, headers: form, payload })
        if (isReset) {
          expect([done.statusCode, done.headers.location]).toEqual([303, auth + moved['reset-done']])
          done = await app.inject({ url: String(done.headers.location), headers: browser })
        }
        expect(done.statusCode).toBe(200)
        expect(done.body).not.toContain('<form')
        expect(lines.filter((line) => line.includes(tokenIn(target)))).toEqual([])
      }
    },
  )

  test('the page that undoes a change links to the one that keeps it', async () => {
    const service = await movedService(realm)
    const [undo] = linksOf(await causes['email-changed'](service, {}))
    const { body } = await service.app.inject({
      url: undo?.pathname + String(undo?.search),
      headers: browser,
    })
    const [, keep = ''] = /<a href="([^"]+\?email=[^"]+)"/.exec(body) ?? []
    expect(keep).toContain(`${auth}/moved.`)
    expect((await service.app.inject({ method: 'POST', url: keep, headers: form })).statusCode).toBe(200)
  })

  test('sign-up, login, paged listing and deletion work', async () => {
    const { app, send, mail, at } = await movedService(realm)
    const who = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
    for (const [variant, username] of [
      ['user', 'bob'],
      ['signup', 'eve'],
    ] as const) {
      const address = `${username}@example.org`
      const created = await send('POST', `/${variant}/`, { ...who, username, email: address })
      expect(created.statusCode).toBe(202)
      const [verify] = linksOf(await mail('verify-email', address))
      const verified = await app.inject({ method: 'POST', url: verify?.pathname ?? '' })
      expect(verified.json()).toMatchObject({ verified: true, username })
      expect((await send('POST', `/${variant}/v/`, { email: address })).statusCode).toBe(202)
    }
    const cookie = await logIn({ send }, 'bob')
    const me = await app.inject({ url: at('/me/'), headers: { cookie } })
    expect(me.json()).toMatchObject({ username: 'bob' })
    const list = await app.inject({ url: `${at('/user/')}?limit=1`, headers: { cookie } })
    const next = new URL(list.json().next)
    expect(next.pathname).toBe(at('/user/'))
    expect(list.headers.link).toContain(next.pathname)
    const second = await app.inject({ url: next.pathname + next.search, headers: { cookie } })
    expect(second.json().results).toEqual([expect.objectContaining({ username: 'bob' })])
    const url = at('/user/{pk}').replace('{pk}', me.json().id)
    expect((await app.inject({ method: 'DELETE', url, headers: { cookie } })).statusCode).toBe(204)
  })

  test('a created user is found at its Location', async () => {
    const service = await movedService(realm, { requireEmailConfirmation: false })
    const who = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
    const { headers } = await service.send('POST', '/signup/', who)
    const cookie = await logIn(service, 'bob')
    const url = String(headers.location).replace(baseUrl, '')
    expect((await service.app.inject({ url, headers: { cookie } })).json()).toMatchObject({ username: 'bob' })
  })

  test('a password manager is led to the form, and sessions can be listed and ended', async () => {
    const { app, at, ...service } = await movedService(realm)
    const cookie = await logIn(service)
    // Two realms share this URL; the first one gets it.
    const sent = await app.inject({ url: '/.well-known/change-password', headers: browser })
    expect(String(sent.headers.location)).toMatch(
      new RegExp(`^${baseUrl}.*${moved['change-password-form']}$`),
    )
    const page = await app.inject({ url: at('/change-password/form/'), headers: { ...browser, cookie } })
    expect(page.body).toContain('name="old_password"')
    const own = await app.inject({ url: at('/sessions/'), headers: { cookie } })
    const url = at('/sessions/{id}').replace('{id}', own.json().results[0].id)
    expect((await app.inject({ method: 'DELETE', url, headers: { cookie } })).statusCode).toBe(204)
    expect((await app.inject({ url: at('/me/'), headers: { cookie } })).statusCode).toBe(401)
  })
})

test("with variant signup alone, Location is the user's own page", async () => {
  const service = await testApp({ users: { variant: 'signup' }, paths: { me: '/i' } })
  const who = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', '/signup/', who)).headers.location).toBe(`${baseUrl}/i`)
})

test('two versions have their own paths, and links lead to those of the mount that sends them', async () => {
  const userStore = createMemoryUserStore()
  const older = { ...other, session: {}, userStore, constraints: { version: '1.0.0' } }
  const service = await testApp(
    {
      userStore,
      constraints: { version: '2.0.0' },
      paths: { login: '/session/', reset: '/new/{uid64}/{token}/' },
    },
    { before: (app) => app.register(accounts, older) },
  )
  await service.app.accounts.createUser({
    username: 'alice',
    password: goodPassword,
    email,
    isVerified: true,
  })
  const post = (url: string, version: string, payload: object) =>
    service.app.inject({ method: 'POST', url, payload, headers: { 'accept-version': version } })
  const credentials = { username: 'alice', password: goodPassword }
  expect((await post('/login/', '1.x', credentials)).statusCode).toBe(200)
  expect((await post('/login/', '2.x', credentials)).statusCode).toBe(404)
  expect((await post('/session/', '2.x', credentials)).statusCode).toBe(200)
  await post('/forgot/', '2.x', { email })
  const [link] = linksOf(await service.mail('reset-password'))
  expect(link?.pathname).toMatch(/^\/new\//)
  expect((await service.app.inject({ url: link?.pathname ?? '', headers: browser })).statusCode).toBe(200)
})

describe('the start stops with one line that names the path', () => {
  const startOf = async (options: Partial<AccountsOptions>, before?: (app: FastifyInstance) => unknown) => {
    const app = Fastify()
    before?.(app)
    const mounting = async () => {
      await app.register(accounts, {
        secret,
        baseUrl,
        users: true,
        passwordHasher: cheapHasher(),
        ...options,
      })
      await app.ready()
    }
    const error = await mounting().then(
      () => null,
      (thrown: Error) => thrown.message,
    )
    await app.close().catch(() => {})
    return error
  }
  const shape = /must be a path such as \/session\/, .*, got /

  test.each<[string, Readonly<Record<string, string>>, string, RegExp]>([
    [
      'an unknown name',
      { signin: '/session/' },
      'signin',
      /does not name a mounted route; those are: login, /,
    ],
    ['a name of Object', { constructor: '/x/' }, 'constructor', /does not name a mounted route/],
    ['no slash at the beginning', { login: 'session/' }, 'login', shape],
    ['nothing', { login: '' }, 'login', shape],
    ['the root', { login: '/' }, 'login', shape],
    ['two slashes', { login: '//evil.example' }, 'login', shape],
    ['a query', { login: '/session?x' }, 'login', shape],
    ['a percent sign', { login: '/s%2fion' }, 'login', shape],
    ['a wildcard', { login: '/*' }, 'login', shape],
    ["Fastify's spelling", { reset: '/new/:uid64/:token/' }, 'reset', shape],
    ['a parameter within a segment', { reset: '/new/{uid64}-{token}/' }, 'reset', shape],
    ['dots that browsers take off', { login: '/a/../b/' }, 'login', shape],
    ['no text', { login: 5 as never }, 'login', shape],
    [
      'a missing parameter',
      { reset: '/new/{token}/' },
      'reset',
      /must have \{token\} and \{uid64\}, once, and no/,
    ],
    ['a foreign one', { reset: '/new/{uid64}/{token}/{pk}/' }, 'reset', /must have \{token\} and \{uid64\}/],
    ['one twice', { 'user-detail': '/u/{pk}/{pk}' }, 'user-detail', /must have \{pk\}, once/],
    ['one where there is none', { login: '/session/{id}/' }, 'login', /must have no parameters/],
    [
      'the path of another',
      { login: '/logout' },
      'login',
      /must not be the path of logout, which is \/logout\/$/,
    ],
    ['two at one', { login: '/x/', me: '/x' }, 'me', /must not be the path of login/],
    [
      'the shape of another',
      { 'not-me': '/reset/{token}/{uid64}/' },
      'not-me',
      /must not be the path of reset, which is /,
    ],
    ['the well-known path', { login: '/.well-known/change-password' }, 'login', /the app has a route at /],
  ])('%s', async (_what, paths, name, expected) => {
    const error = await startOf({ paths })
    expect(error).toMatch(new RegExp(`^fastify-accounts: the option paths.${name} .*${expected.source}`))
    expect(error).not.toContain('\n')
  })

  test("a value that isn't an object", async () => {
    expect(await startOf({ paths: '/x/' as never })).toBe(
      'fastify-accounts: the option paths must be an object',
    )
  })

  test("a route that isn't mounted", async () => {
    expect(await startOf({ users: false, paths: { signup: '/join/' } })).toMatch(
      /paths\.signup does not name a mounted route/,
    )
  })

  test('two groups that collide because of their prefixes', async () => {
    const met = { auth: { prefix: '/a' }, users: { prefix: '/a/b' }, paths: { login: '/b/signup/' } }
    expect(await startOf(met)).toMatch(/paths\.login must not be the path of signup, which is /)
  })

  test("a path that the app's own route uses, with any method", async () => {
    for (const method of ['GET', 'POST'] as const) {
      const taken = (app: FastifyInstance) => app.route({ method, url: '/session', handler: async () => '' })
      expect(await startOf({ paths: { login: '/session/' } }, taken)).toBe(
        'fastify-accounts: the option paths.login must be another path, or the option prefix: the app has a route at /session already',
      )
    }
  })

  test('a second realm with the paths of the first, or its prefix', async () => {
    const shared = createMemoryUserStore()
    const first = (userStore: AccountsOptions['userStore']) => (app: FastifyInstance) =>
      app.register(accounts, { ...other, session: {}, ...(userStore && { userStore }) })
    expect(await startOf({ userStore: shared }, first(shared))).toMatch(/paths\.login must be another path/)
    // Tokens are bound to the prefix: those of one realm would be valid in the other.
    const apart = { session: { cookieName: 'apart' }, paths: moved }
    expect(await startOf(apart, first(undefined))).toMatch(
      /prefix must differ between two mounts with different users/,
    )
    expect(await startOf({ userStore: shared, paths: moved }, first(shared))).toBeNull()
  })
})

describe('links.pages', () => {
  afterEach(() => void vi.unstubAllEnvs())
  const site = 'https://app.example.org'
  const pages = {
    reset: `${site}/reset/{uid64}/{token}`,
    'user-verify': `${site}/?token={token}&user={uid64}`,
    'signup-verify': '/app/verify/{token}/{uid64}',
    'email-confirm': `${site}/#/email/{uid64}/{token}/{email}`,
    'email-undo': `${site}/undo?u={uid64}&t={token}&e={email}`,
    'email-release': `${site}/release/{email}/{uid64}/{token}`,
    'not-me': `${site}/not-me/{uid64}/{token}`,
  }
  const withPages = (more: Partial<AccountsOptions> = {}) =>
    testApp({ requireEmailConfirmation: true, trustedOrigins: [site], links: { pages }, ...more })

  /** What a page's script finds in its URL, following the option's template. */
  function read(template: string, url: string): Record<string, string> {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const pattern = template.replaceAll(/[?.#]/g, '\\$&').replaceAll(/\{\w+\}/g, '([^/?#&]+)')
    const [, ...values] = new RegExp(`^${pattern}$`).exec(url) ?? []
    return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')]))
  }

  test.each<[OwnKind, (keyof typeof pages)[]]>([
    ['reset-password', ['reset']],
    ['choose-password', ['reset']],
    ['account-exists', ['reset']],
    ['verify-email', ['user-verify']],
    ['change-email', ['email-confirm', 'email-release']],
    ['email-changed', ['email-undo']],
    ['new-device', ['not-me']],
  ])('%s leads to %s, with everything the route needs', async (kind, names) => {
    // Triggering some emails requires following links of others: those use the built-in routes here.
    const own = Object.fromEntries(names.map((name) => [name, pages[name]]))
    const service = await withPages({ links: { pages: own } })
    await service.app.accounts.createUser({
      username: 'alice',
      password: goodPassword,
      email,
      isVerified: true,
    })
    const { text, html } = await causes[kind](service, {})
    const urls = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => url)
    expect(urls).toHaveLength(names.length)
    for (const [at, name] of names.entries()) {
      const { uid64, token, email: about } = read(pages[name], urls[at] ?? '')
      expect(html).toContain(token)
      const query = about === undefined ? '' : `?${new URLSearchParams({ email: about })}`
      const route =
        pathOf(name)
          .replace('{uid64}', uid64 ?? '')
          .replace('{token}', token ?? '') + query
      expect((await service.app.inject(route)).json()).toMatchObject({ valid: true })
      // The built-in page stays available.
      expect((await service.app.inject({ url: route, headers: browser })).statusCode).toBe(200)
    }
  })

  test('a path is relative to the site, for its own variant', async () => {
    const { send, mail } = await withPages({ baseUrl: 'http://localhost:3000/below', prefix: '/accounts' })
    const who = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
    await send('POST', '/accounts/signup/', { ...who, email })
    expect((await mail('verify-email')).text).toContain('\nhttp://localhost:3000/app/verify/')
  })

  test('the forms of the built-in page post to where a proxy has the service', async () => {
    const { app, send, mail } = await testApp({
      ...{ baseUrl: 'http://localhost:3000/below', prefix: '/accounts', requireEmailConfirmation: true },
    })
    const who = { username: 'bob', password: goodPassword, confirm_password: goodPassword }
    await send('POST', '/accounts/signup/', { ...who, email })
    const [link] = linksOf(await mail('verify-email'))
    const target = link?.pathname ?? ''
    const shown = await app.inject({ url: target.replace('/below', ''), headers: browser })
    expect(formTarget(shown.body, target, 'password')).toBe(`${target}password/`)
    expect(formTarget(shown.body, target, 'new_password')).toBe(`${target}new-password/`)
  })

  test('with moved routes, the page calls the new path', async () => {
    const { app, send, mail } = await withPages({ paths: { reset: '/r/{uid64}/{token}/' } })
    await app.accounts.createUser({ username: 'alice', password: goodPassword, email, isVerified: true })
    await send('POST', '/forgot/', { email })
    const [url = ''] = /https:\S+/.exec((await mail('reset-password')).text) ?? []
    const { uid64, token } = read(pages.reset, url)
    const body = { new_password: otherPassword, confirm_password: otherPassword }
    const headers = { origin: site, 'sec-fetch-site': 'same-site' }
    expect((await send('POST', `/r/${uid64}/${token}/`, body, { headers })).statusCode).toBe(204)
    const cookie = cookieOf(await send('POST', '/login/', { username: 'alice', password: otherPassword }))
    expect(await whoIs({ app }, cookie)).toBe('alice')
  })

  const why = async (links: Record<string, unknown>, more: Partial<AccountsOptions> = {}) => {
    const service = withPages({ links: { pages: links as Record<string, string> }, ...more })
    return service.then(
      async ({ app }) => void (await app.close()),
      (error: Error) => error.message,
    )
  }
  const link = '{uid64}/{token}'

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a route that no mail links to',
      { forgot: `/x/${link}` },
      /forgot is not a route that emails link to; those are: reset, /,
    ],
    [
      'a page that no mail links to',
      { 'email-keep': `/x/${link}` },
      /email-keep is not a route that emails link to/,
    ],
    [
      'no token',
      { reset: '/reset/{uid64}' },
      /reset must have \{uid64\}, \{token\}, each once, and no other/,
    ],
    ['a token twice', { reset: `/reset/${link}/{token}` }, /reset must have \{uid64\}, \{token\}, each once/],
    ['no address', { 'email-undo': `/x/${link}` }, /email-undo must have \{uid64\}, \{token\}, \{email\}/],
    ['an address too many', { reset: `/x/${link}/{email}` }, /reset must have \{uid64\}, \{token\}, each/],
    [
      'a foreign site',
      { reset: `https://evil.example/${link}` },
      /reset must be on the origin .* since its links carry tokens: http:\/\/localhost:3000, https:\/\/app.example.org$/,
    ],
    [
      'a site below a trusted one',
      { reset: `https://x.app.example.org/${link}` },
      /reset must be on the origin/,
    ],
    [
      'another scheme of a trusted one',
      { reset: `http://app.example.org/${link}` },
      /reset must be on the origin/,
    ],
    ['a site by two slashes', { reset: `//evil.example/${link}` }, /reset must be a path or an http/],
    ['a site by a backslash', { reset: `/\\evil.example/${link}` }, /reset must be a path or an http/],
    [
      'credentials',
      { reset: `https://app.example.org@evil.example/${link}` },
      /reset must be a path or an http/,
    ],
    [
      'a placeholder in the host',
      { reset: `https://{token}.example.org/{uid64}` },
      /reset must be a path or an http/,
    ],
    ['a script', { reset: `javascript:alert('${link}')` }, /reset must be a path or an http/],
    ['a half placeholder', { reset: `/x/${link}/{` }, /reset must be a path or an http/],
    ['a blank', { reset: `/x y/${link}` }, /reset must be a path or an http/],
    ['no text', { reset: 5 }, /reset must be a path or an http.*, got 5$/],
  ])('%s stops the start with one line', async (_what, given, expected) => {
    expect(await why(given)).toMatch(
      new RegExp(`^fastify-accounts: the option links.pages.${expected.source}`),
    )
  })

  test('an unmounted route stops it as well', async () => {
    expect(await why({ reset: `/x/${link}` }, { auth: false })).toMatch(
      /reset is not a route that emails link to/,
    )
    expect(await why({ 'user-verify': `/x/${link}` }, { users: { variant: 'signup' } })).toMatch(
      /user-verify is no/,
    )
  })

  test('brand.url counts; in production, http is only allowed on loopback', async () => {
    const given = { reset: `http://www.example.org/${link}` }
    const brand = { brand: { url: 'http://www.example.org/start' }, baseUrl: 'http://api.example.org' }
    expect(await why(given, brand)).toBeUndefined()
    vi.stubEnv('NODE_ENV', 'production')
    expect(await why(given, brand)).toMatch(/links\.pages\.reset must be https in production/)
    expect(await why({ reset: `http://localhost:3000/${link}` })).toBeUndefined()
    expect(await why({ reset: `${site}/${link}` })).toBeUndefined()
  })
})
