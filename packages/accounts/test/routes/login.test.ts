import { expect, test } from 'vitest'
import { goodPassword, logIn, signUp, testApp } from '../support/app.js'

test('POST /login/ answers with the own user and sets a session cookie', async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({
    id: user.id,
    username: 'alice',
    email: 'alice@example.org',
    is_verified: false,
    is_staff: false,
    is_active: true,
    created_at: user.createdAt.toISOString(),
    last_login_at: (await service.users.findById(user.id))?.lastLoginAt?.toISOString(),
  })
  expect(response.json().last_login_at).not.toBeNull()
  expect(response.cookies.map((each) => each.name)).toEqual(['session', 'session-device'])
  expect(response.cookies[0]).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(response.cookies[0]).not.toHaveProperty('secure')
  expect(response.cookies[0]).not.toHaveProperty('domain')
  expect(response.cookies[0]).not.toHaveProperty('expires')
})

test('the session is kept under a hash: the id in the cookie is nowhere in the store', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = decodeURIComponent(await logIn(service))
  const sessionId = cookie.slice('session='.length, cookie.lastIndexOf('.'))
  expect(sessionId).toMatch(/^[\w-]{32}$/)
  expect(JSON.stringify([...service.sessions.rows])).not.toContain(sessionId)
})

test('CRE-03 every spelling of a name is one account', async () => {
  const service = await testApp()
  await signUp(service, 'alice')
  for (const username of ['ALICE', 'Alice', 'ａｌｉｃｅ']) {
    expect((await service.send('POST', '/login/', { username, password: goodPassword })).statusCode).toBe(200)
  }
})
