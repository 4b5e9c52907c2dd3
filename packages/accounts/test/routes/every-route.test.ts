import { signUp, testApp } from '@fastify-accounts/test-support/app'
import { mountedOperations } from '@fastify-accounts/test-support/operations'
import { expect, test } from 'vitest'

const form = 'application/x-www-form-urlencoded'

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
  const { app, routes } = await mountedOperations({ features: [], login: {}, activity: undefined })
  await app.close()
  const methodsByPath = new Map<string, string[]>()
  for (const route of routes.values()) {
    const [method = '', path = ''] = route.split(' ')
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
  }
  const expected = [...methodsByPath].map(([path, methods]) => ({
    methods: methods.toSorted(),
    href: `https://example.org${isUsers(path) ? '/people' : '/auth'}${path}`,
  }))
  const byHref = (a: { href: string }, b: { href: string }) => a.href.localeCompare(b.href)
  const sorted = listed.map((each) => ({ ...each, methods: each.methods.toSorted() }))
  expect(sorted.toSorted(byHref)).toEqual(expected.toSorted(byHref))
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
] as const)('POST %s accepts a form with the same fields', async (url, payload, status) => {
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

test('an empty JSON body is valid if there are no fields', async () => {
  const service = await testApp()
  const headers = { 'content-type': 'application/json' }
  const response = await service.app.inject({ method: 'POST', url: '/logout/', headers })
  expect(response.statusCode).toBe(204)
})

test('missing, unknown, too long and invalid fields are reported by name', async () => {
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
    (await service.send('POST', '/login/', { username: 'a'.repeat(255), password: 'x' })).json().fields[0],
  ).toMatchObject({ field: 'username', code: 'too_long' })
  expect(
    (await service.send('POST', '/login/', { username: 'a\0', password: 'x\ud800' })).json().fields,
  ).toHaveLength(2)
})

test.each([
  [{ auth: false }, ['/login/', '/me/', '/reset/d/'], ['/api-root/', '/user/', '/signup/']],
  [{ users: false }, ['/user/', '/signup/', '/user/v/'], ['/login/', '/me/', '/api-root/']],
  [{ users: { variant: 'user' } }, ['/signup/', '/signup/v/'], ['/user/', '/user/v/']],
  [{ users: { variant: 'signup' } }, ['/user/', '/user/x', '/user/v/'], ['/signup/', '/signup/v/']],
] as const)("what is turned off is the host's 404: %j", async (options, off, on) => {
  const service = await testApp(options as Parameters<typeof testApp>[0])
  for (const url of off)
    expect([url, (await service.send('GET', url)).json().message]).toEqual([
      url,
      `Route GET:${url} not found`,
    ])
  for (const url of on) expect([url, (await service.send('PUT', url)).statusCode]).toEqual([url, 405])
})

test('with variant B alone, Location is a mounted path', async () => {
  const service = await testApp({ users: { variant: 'signup' } })
  const body = {
    username: 'alice',
    password: 'correct horse battery',
    confirm_password: 'correct horse battery',
  }
  const { headers } = await service.send('POST', '/signup/', body)
  expect(headers.location).toBe('http://localhost:3000/me/')
})

test('at most 20 errors are reported', async () => {
  const service = await testApp()
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, 1]))
  for (const url of ['/logout/', '/login/']) {
    const response = await service.send('POST', url, many)
    expect([url, response.statusCode, response.json().fields.length]).toEqual([url, 400, 20])
  }
})

test.each(['/logout/', '/user/v/dQ/x/'])('POST %s has no fields, so any field is unknown', async (url) => {
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

test('without a route that shows a new user, there is no Location', async () => {
  const service = await testApp({ auth: false, users: { variant: 'signup' } })
  const body = {
    username: 'alice',
    password: 'correct horse battery',
    confirm_password: 'correct horse battery',
  }
  const response = await service.send('POST', '/signup/', body)
  expect([response.statusCode, response.headers.location]).toEqual([201, undefined])
})
