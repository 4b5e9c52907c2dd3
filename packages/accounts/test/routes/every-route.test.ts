import { expect, test } from 'vitest'
import { browser, logIn, signUp, testApp } from '../support/app.js'

const form = 'application/x-www-form-urlencoded'

/** The contract's table of routes: path, methods. */
const contract: [string, string[]][] = [
  ['/login/', ['POST']],
  ['/logout/', ['POST']],
  ['/forgot/', ['POST']],
  ['/reset/{uid64}/{token}/', ['GET', 'POST']],
  ['/reset/d/', ['GET']],
  ['/change-password/', ['POST']],
  ['/me/', ['GET']],
  ['/api-root/', ['GET']],
  ['/user/', ['GET', 'POST']],
  ['/user/{pk}', ['GET', 'DELETE']],
  ['/user/v/{uid64}/{token}/', ['GET', 'POST']],
  ['/user/v/', ['POST']],
  ['/signup/', ['POST']],
  ['/signup/v/{uid64}/{token}/', ['GET', 'POST']],
  ['/signup/v/', ['POST']],
]
const concrete = (path: string): string =>
  path.replace('{uid64}', 'dQ').replace('{token}', 'tok').replace('{pk}', 'x')

test('GET /api-root/ lists every route with its methods and its absolute URL', async () => {
  const service = await testApp({
    baseUrl: 'https://example.org',
    auth: { prefix: '/auth' },
    users: { prefix: '/people' },
  })
  const response = await service.send('GET', '/auth/api-root/')
  expect(response.statusCode).toBe(200)
  const listed = Object.values(response.json<Record<string, { methods: string[]; href: string }>>())
  const isUsers = (path: string) => path.startsWith('/user/') || path.startsWith('/signup/')
  const expected = contract.map(([path, methods]) => ({
    methods: methods.toSorted(),
    href: `https://example.org${isUsers(path) ? '/people' : '/auth'}${path}`,
  }))
  const byHref = (a: { href: string }, b: { href: string }) => a.href.localeCompare(b.href)
  const sorted = listed.map((each) => ({ ...each, methods: each.methods.toSorted() }))
  expect(sorted.toSorted(byHref)).toEqual(expected.toSorted(byHref))
})

test.each(contract)(
  '%s answers with and without the slash, and 405 with Allow to every other method',
  async (path, methods) => {
    const service = await testApp()
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    const url = concrete(path)
    const other = url.endsWith('/') ? url.slice(0, -1) : `${url}/`
    for (const spelled of [url, other]) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
        const response = await service.app.inject({ method, url: spelled })
        const shown = [method, spelled, response.statusCode]
        if (allowed.includes(method)) {
          expect(shown).not.toEqual([method, spelled, 405])
          if (!spelled.includes('/x')) expect(shown).not.toEqual([method, spelled, 404])
        } else {
          expect(shown).toEqual([method, spelled, 405])
          expect(response.headers.allow?.split(', ')).toEqual(allowed.toSorted())
          if (method !== 'HEAD') expect(response.json().code).toBe('ACCOUNTS_METHOD_NOT_ALLOWED')
        }
        expect(response.headers['cache-control']).toBe('no-store')
        expect(response.headers['x-content-type-options']).toBe('nosniff')
      }
    }
  },
)

test.each(contract.filter(([path]) => /token|reset\/d/.test(path)))(
  '%s carries the headers of a link page, as page and as JSON',
  async (path, methods) => {
    const service = await testApp()
    for (const method of methods as ('GET' | 'POST')[]) {
      for (const headers of [browser, { accept: 'application/json' }, {}]) {
        const response = await service.app.inject({ method, url: concrete(path), headers })
        expect(response.headers['referrer-policy']).toBe('strict-origin')
        expect(response.headers['content-security-policy']).toContain("default-src 'none'")
        expect(response.headers['x-frame-options']).toBe('DENY')
        expect(response.headers['content-type']).toContain(
          headers === browser ? 'text/html' : 'application/json',
        )
      }
    }
  },
)

const posts = contract.filter(([, methods]) => methods.includes('POST')).map(([path]) => path)

test.each(posts)('CSR-01 POST %s refuses what a browser sends for another site', async (path) => {
  const service = await testApp({ trustedOrigins: ['https://app.example.org'] })
  const code = async (headers: Record<string, string>) =>
    (await service.app.inject({ method: 'POST', url: concrete(path), headers })).body.includes(
      'ACCOUNTS_CROSS_SITE',
    )
  const site = 'http://localhost:3000'
  expect(await code({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).toBe(true)
  expect(await code({ 'sec-fetch-site': 'cross-site' })).toBe(true)
  expect(await code({ 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost' })).toBe(true)
  expect(await code({ 'sec-fetch-site': 'cross-site', origin: site })).toBe(true)
  expect(await code({ 'sec-fetch-site': 'nonsense' })).toBe(true)
  expect(await code({ origin: 'https://evil.example' })).toBe(true)
  expect(await code({ origin: 'null' })).toBe(true)
  expect(await code({ origin: 'https://localhost:3000' })).toBe(true)
  expect(await code({ 'sec-fetch-site': 'same-origin', origin: 'null' })).toBe(false)
  expect(await code({ 'sec-fetch-site': 'none' })).toBe(false)
  expect(await code({ origin: site })).toBe(false)
  expect(await code({ 'sec-fetch-site': 'cross-site', origin: 'https://app.example.org' })).toBe(false)
  expect(await code({ origin: 'https://app.example.org' })).toBe(false)
  expect(await code({})).toBe(false)
})

test('the cross-site rule holds for DELETE too', async () => {
  const service = await testApp()
  const user = await signUp(service)
  const cookie = await logIn(service)
  const headers = { cookie, 'sec-fetch-site': 'cross-site' }
  const response = await service.app.inject({ method: 'DELETE', url: `/user/${user.id}`, headers })
  expect(response.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_CROSS_SITE' })
  expect(response.json().message).toContain('trustedOrigins')
  expect(await service.users.findById(user.id)).not.toBeNull()
})

test.each(posts)('CSR-02 POST %s takes JSON and forms, and nothing else', async (path) => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  const post = (type: string, payload: string | Buffer = '{"x":1}') =>
    service.app.inject({
      method: 'POST',
      url: concrete(path),
      payload,
      headers: { 'content-type': type, cookie },
    })
  for (const type of [
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-seq',
    'x',
    ' ',
  ]) {
    expect([type, (await post(type)).statusCode]).toEqual([type, 415])
  }
  const malformed = [
    '{',
    '{"x":}',
    'NaN',
    '{"a":1}garbage',
    '['.repeat(15_000),
    Buffer.from([0x22, 0xff, 0x22]),
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
  ]
  for (const payload of malformed) {
    const response = await post('application/json', payload)
    expect([response.statusCode, response.json().code]).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
    expect(response.json().fields).toMatchObject([{ field: '', code: 'invalid' }])
  }
  for (const type of ['application/json', form]) {
    expect((await post(type, 'x'.repeat(16 * 1024 + 1))).statusCode).toBe(413)
  }
  expect(Reflect.get({}, 'x')).toBeUndefined()
})

test.each([
  ['/login/', 'username=alice&password=correct+horse+battery', 200],
  ['/forgot/', 'email=a%40example.org', 202],
  [
    '/signup/',
    'username=bob&password=correct+horse+battery&confirm_password=correct+horse+battery&email=',
    201,
  ],
  ['/user/v/', 'email=a%40example.org', 202],
] as const)('POST %s takes a form with the same fields', async (url, payload, status) => {
  const service = await testApp()
  await signUp(service)
  const response = await service.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': form },
  })
  expect([response.statusCode, response.body]).toEqual([status, response.body])
})

test('an empty JSON body is no fault where there are no fields', async () => {
  const service = await testApp()
  const headers = { 'content-type': 'application/json' }
  const response = await service.app.inject({ method: 'POST', url: '/logout/', headers })
  expect(response.statusCode).toBe(204)
})

test('what is missing, unknown, too long or no text that can be kept is told by its name', async () => {
  const service = await testApp()
  const nothing = await service.app.inject({ method: 'POST', url: '/login/' })
  expect(
    nothing.json().fields.map((each: { field: string; code: string }) => [each.field, each.code]),
  ).toEqual([
    ['username', 'required'],
    ['password', 'required'],
  ])
  for (const body of [{}, { username: 'a' }, { password: 'x' }, { username: '', password: '' }]) {
    expect((await service.send('POST', '/login/', body)).json().fields[0].code).toBe('required')
  }
  expect(
    (await service.send('POST', '/login/', { username: 'a', password: 'x', next: '//e.com' })).statusCode,
  ).toBe(400)
  expect(
    (await service.send('POST', '/login/', { username: 'a'.repeat(151), password: 'x' })).json().fields[0],
  ).toMatchObject({ field: 'username', code: 'too_long' })
  expect(
    (await service.send('POST', '/login/', { username: 'a\0', password: 'x\ud800' })).json().fields,
  ).toHaveLength(2)
})

test.each([
  [{ auth: false }, ['/login/', '/me/', '/reset/d/'], ['/api-root/', '/user/', '/signup/']],
  [{ users: false }, ['/user/', '/signup/', '/user/v/'], ['/login/', '/me/', '/api-root/']],
  [{ apiRoot: false }, ['/api-root/'], ['/login/', '/user/']],
  [{ users: { variant: 'user' } }, ['/signup/', '/signup/v/'], ['/user/', '/user/v/']],
  [{ users: { variant: 'signup' } }, ['/user/', '/user/x', '/user/v/'], ['/signup/', '/signup/v/']],
] as const)('what is switched off is the 404 of the host: %j', async (options, off, on) => {
  const service = await testApp(options as Parameters<typeof testApp>[0])
  for (const url of off)
    expect([url, (await service.send('GET', url)).json().message]).toEqual([
      url,
      `Route GET:${url} not found`,
    ])
  for (const url of on) expect([url, (await service.send('PUT', url)).statusCode]).toEqual([url, 405])
})

test('with variant B alone, Location names a place that is mounted', async () => {
  const service = await testApp({ users: { variant: 'signup' } })
  const body = {
    username: 'alice',
    password: 'correct horse battery',
    confirm_password: 'correct horse battery',
  }
  const { headers } = await service.send('POST', '/signup/', body)
  expect(headers.location).toBe('http://localhost:3000/me/')
})

test('HDR-02 a fault of our own shows nothing of itself', async () => {
  const service = await testApp({
    authorize: {
      listUsers: () => {
        throw new Error('select * from secrets where key = hunter2')
      },
    },
  })
  await signUp(service)
  const cookie = await logIn(service)
  const response = await service.app.inject({ url: '/user/', headers: { cookie } })
  expect(response.json()).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'Something went wrong.',
  })
})

test('different malformed bytes of a form never become one password', async () => {
  const service = await testApp()
  const headers = { 'content-type': form }
  const bodies = [
    Buffer.concat([
      Buffer.from('username=alice&password='),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('longenough'),
    ]),
    'username=alice&password=longenough%ff',
    'username=alice&password=longenough%zz',
    'username=alice&password=longenough%',
  ]
  for (const payload of bodies) {
    const response = await service.app.inject({ method: 'POST', url: '/login/', payload, headers })
    expect(response.json()).toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
      fields: [{ field: '', code: 'invalid' }],
    })
  }
})

test.each(['/logout/', '/user/v/dQ/x/'])('POST %s has no fields, so each one is unknown', async (url) => {
  const service = await testApp()
  const response = await service.send('POST', url, { everywhere: true })
  expect(response.json()).toMatchObject({
    statusCode: 400,
    fields: [{ field: 'everywhere', code: 'unknown' }],
  })
  const text = { payload: '"x"', headers: { 'content-type': 'application/json' } }
  expect((await service.app.inject({ method: 'POST', url, ...text })).json().fields).toMatchObject([
    { code: 'invalid' },
  ])
})

test('where nothing shows a new user, there is no Location', async () => {
  const service = await testApp({ auth: false, users: { variant: 'signup' } })
  const body = {
    username: 'alice',
    password: 'correct horse battery',
    confirm_password: 'correct horse battery',
  }
  const response = await service.send('POST', '/signup/', body)
  expect([response.statusCode, response.headers.location]).toEqual([201, undefined])
})
