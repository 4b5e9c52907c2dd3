import { createKey, keyApp, ordersOf, scopes, withKey } from '@fastify-accounts/test-support/api-keys'
import { as, countedSessions, goodPassword, testApp, testAppOn } from '@fastify-accounts/test-support/app'
import { registerSession } from '@fastify-accounts/test-support/host-session'

import { type Accounts, apiKeys } from 'fastify-accounts'
import { expect, expectTypeOf, test } from 'vitest'

test('shows a key once, lists it without, and lets a program in as far as its scopes go', async () => {
  const service = await keyApp()
  const { app, send, cookie } = service
  const made = await send('POST', '/api-keys/', { name: ' CI ', scopes: ['orders:read'] }, as(cookie))
  expect(made.statusCode, made.body).toBe(201)
  const { key, ...shown } = made.json()
  expect(key).toMatch(/^fa_[0-9A-Za-z]{16}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
  expect(shown).toMatchObject({ name: 'CI', scopes: ['orders:read'], last_used_on: null })
  expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(90 * 86_400_000)

  const read = await send('GET', '/orders', undefined, withKey(key))
  expect(read.json()).toEqual({
    user: 'alice',
    key: { id: shown.id, name: 'CI', scopes: ['orders:read'], resource: null },
  })
  const written = await send('POST', '/orders', {}, withKey(key))
  expect(written.statusCode).toBe(403)
  // Fastify's own error handler leaves the reason out, but not its text.
  expect(written.json()).toMatchObject({
    code: 'ACCOUNTS_FORBIDDEN',
    message: 'This API key isn’t allowed to do this.',
  })
  expect(written.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="orders:write"')

  await service.settle()
  const listed = await send('GET', '/api-keys/', undefined, as(cookie))
  const today = new Date().toISOString().slice(0, 10)
  expect(listed.json()).toEqual({
    results: [{ ...shown, last_used_on: today }],
    scopes: [
      { name: 'orders:read', description: 'Read orders' },
      { name: 'orders:write', description: 'Change orders' },
    ],
  })
  expect(listed.body).not.toContain(key.split('_')[2])

  const removed = await send('DELETE', `/api-keys/${shown.id}`, undefined, as(cookie))
  expect(removed.statusCode).toBe(204)
  expect((await send('GET', '/orders', undefined, withKey(key))).statusCode).toBe(401)
  expect((await send('DELETE', `/api-keys/${shown.id}`, undefined, as(cookie))).statusCode).toBe(404)
  await app.close()
})

test.each([
  [{ scopes: ['orders:read', 'nothing'] }, 'scopes'],
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['__proto__'] }, 'scopes'],
  [{ name: ' ' }, 'name'],
  [{ expires_in: 31_536_001 }, 'expires_in'],
  [{ expires_in: 1 }, 'expires_in'],
])('rejects %j', async (change, field) => {
  const { send, cookie } = await keyApp()
  const body = { name: 'CI', scopes: ['orders:read'], ...change }
  const response = await send('POST', '/api-keys/', body, as(cookie))
  expect(response.statusCode).toBe(400)
  expect(response.json().fields).toMatchObject([{ field }])
})

test('without the feature no key is read, and a reset says nothing of keys', async () => {
  const { app, send } = await testApp()
  expect(() => app.accounts.requireScope('orders:read')).toThrow(/apiKeys/)
  expect((await send('GET', '/api-keys/')).statusCode).toBe(404)
})

test.each([
  [{ scopes: [] }, /apiKeys\.scopes must name/],
  [{ scopes: ['a b'] }, /apiKeys\.scopes .*"a b"/],
  [{ scopes: ['a', 'a'] }, /apiKeys\.scopes has a twice/],
  [{ scopes: ['a'], lifetime: 1 }, /apiKeys\.lifetime .*got 1/],
  [{ scopes: ['a'], max: 0 }, /apiKeys\.max .*got 0/],
  [{ scopes: ['a'], imported: ['x'] }, /apiKeys\.imported .*x/],
  [{ scopes: ['a'], other: 1 }, /apiKeys\.other is not an option/],
])('stops the start with %j', async (options, message) => {
  await expect(testApp({ features: [apiKeys(options as never)] })).rejects.toThrow(message)
})

test('an unknown scope stops the start of the route', async () => {
  const { app } = await keyApp()
  expect(() => app.accounts.requireScope('nothing')).toThrow(/orders:read, orders:write; got nothing/)
})

test('the app itself creates, lists and removes keys', async () => {
  const { app, id, send } = await keyApp()
  const { key, ...made } = await app.accounts.createApiKey(id, { name: 'CI', scopes: ['orders:read'] })
  expect((await send('GET', '/orders', undefined, withKey(key))).statusCode).toBe(200)
  expect(await app.accounts.listApiKeys(id)).toMatchObject([{ id: made.id, name: 'CI' }])
  expect(await app.accounts.removeApiKey(id, made.id)).toBe(true)
  expect(await app.accounts.removeApiKey(id, made.id)).toBe(false)
  expect(await app.accounts.listApiKeys('nobody')).toBeNull()
  await expect(app.accounts.createApiKey('nobody', { name: 'x', scopes: ['orders:read'] })).rejects.toThrow(
    'Not found',
  )
})

test('an app names its scopes once, and requireScope takes no other', () => {
  type Scope = 'orders:read' | 'orders:write'
  type Own = Accounts<undefined, keyof typeof scopes>
  expectTypeOf<Parameters<Own['requireScope']>>().toEqualTypeOf<[scope: Scope]>()
  expectTypeOf<Parameters<Own['createApiKey']>[1]['scopes']>().toEqualTypeOf<readonly Scope[]>()
})

test('a key of an app in which only some routes take keys leaves its sessions as they are', async () => {
  const service = await keyApp()
  const { key } = await createKey(service)
  const both = withKey(key, { cookie: service.cookie })
  expect((await service.send('POST', '/logout/', undefined, both)).statusCode).toBe(401)
  expect((await service.send('GET', '/people', undefined, as(service.cookie))).statusCode).toBe(200)
})

test('keys work in an app with sessions of its own, and in a process without the routes', async () => {
  const service = await testApp(
    { features: [apiKeys({ scopes })] },
    { before: async (app) => [await registerSession(app), ordersOf(app)] },
  )
  const input = { username: 'alice', password: goodPassword }
  const { id } = await service.app.accounts.createUser(input)
  const { key } = await service.app.accounts.createApiKey(id, { name: 'CI', scopes: ['orders:read'] })
  expect((await service.send('GET', '/orders', undefined, withKey(key))).json()).toMatchObject({
    user: 'alice',
  })
  expect((await service.send('GET', '/people', undefined, withKey(key))).statusCode).toBe(401)
  const login = await service.send('POST', '/login/', input)
  const cookie = `sessionId=${login.cookies.find(({ name }) => name === 'sessionId')?.value}`
  expect((await service.send('GET', '/orders', undefined, as(cookie))).json()).toEqual({
    user: 'alice',
    key: null,
  })

  const { users } = service
  const other = await testAppOn(
    { users, sessions: countedSessions() },
    { features: [apiKeys({ scopes })], auth: false, users: false },
    { before: ordersOf },
  )
  expect((await other.send('GET', '/api-keys/')).statusCode).toBe(404)
  expect((await other.send('GET', '/orders', undefined, withKey(key))).statusCode).toBe(200)
})
