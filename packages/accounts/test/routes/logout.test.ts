import { expect, test } from 'vitest'
import { logIn, signUp, testApp, whoIs } from '../support/app.js'

test('OUT-01 POST /logout/ ends the session and clears the cookie as it was set', async () => {
  const service = await testApp({ baseUrl: 'https://example.org' })
  await signUp(service)
  const cookie = await logIn(service)
  const response = await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
  expect(response.statusCode).toBe(204)
  expect(response.body).toBe('')
  expect(response.headers['clear-site-data']).toBe('"cookies"')
  expect(response.headers['set-cookie']).toBe(
    '__Host-session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
  )
  expect(await whoIs(service, cookie)).toBeNull()
  expect(service.sessions.rows.size).toBe(0)
})

test('OUT-04 it is 204 also when nobody is logged in, and leaves nothing behind', async () => {
  const service = await testApp()
  for (const headers of [{}, { cookie: 'session=nonsense' }]) {
    const response = await service.app.inject({ method: 'POST', url: '/logout/', headers })
    expect(response.statusCode).toBe(204)
  }
  expect(service.sessions.rows.size).toBe(0)
})

test('an empty JSON body is no fault', async () => {
  const service = await testApp()
  const response = await service.app.inject({
    method: 'POST',
    url: '/logout/',
    headers: { 'content-type': 'application/json' },
  })
  expect(response.statusCode).toBe(204)
})

test('OUT-02 a request under way does not bring the session back', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  // Older than the interval of "last seen", so that the slow request wants to write.
  for (const row of service.sessions.rows.values()) {
    await service.sessions.touch(row.id, {
      lastSeenAt: new Date(Date.now() - 3_600_000),
      expiresAt: row.expiresAt,
    })
  }
  const findById = service.users.findById
  service.users.findById = async (id) => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    return findById(id)
  }
  const slow = whoIs(service, cookie)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const out = await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
  expect(out.statusCode).toBe(204)
  expect(await slow).toBe('alice')
  expect(await whoIs(service, cookie)).toBeNull()
})

test('OUT-03 GET and HEAD do nothing', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  for (const method of ['GET', 'HEAD'] as const) {
    const response = await service.app.inject({ method, url: '/logout/', headers: { cookie } })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('POST')
  }
  expect(await whoIs(service, cookie)).toBe('alice')
})

test('OUT-05 where the store fails the answer is 503, the cookie goes, and the session ends once the store is back', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  const remove = service.sessions.delete
  service.sessions.delete = async () => {
    throw new Error('connection refused')
  }
  const response = await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })
  expect(response.statusCode).toBe(503)
  expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
  expect(response.headers['set-cookie']).toContain('Max-Age=0')
  service.sessions.delete = remove
  await expect.poll(() => whoIs(service, cookie), { timeout: 5000 }).toBeNull()
})
