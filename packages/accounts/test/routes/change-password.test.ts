import {
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'

const body = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }

const change = (service: TestApp, cookie: string, changes: object = {}) =>
  service.send('POST', '/change-password/', { ...body, ...changes }, { headers: { cookie } })

test.each([
  [
    'the old password again',
    { new_password: goodPassword, confirm_password: goodPassword },
    [['new_password', 'unchanged']],
  ],
  ['two passwords', { confirm_password: 'another one' }, [['confirm_password', 'mismatch']]],
  ['a short one', { new_password: 'short', confirm_password: 'short' }, [['new_password', 'too_short']]],
])('rejected: %s', async (_name, changes, faults) => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  const response = await change(service, cookie, changes)
  expect(response.json()).toMatchObject({ statusCode: 400, code: 'ACCOUNTS_INVALID_INPUT' })
  expect(
    response.json().fields.map((each: { field: string; code: string }) => [each.field, each.code]),
  ).toEqual(faults)
  expect(await whoIs(service, cookie)).toBe('alice')
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: goodPassword })).statusCode,
  ).toBe(200)
})

test('a logout during a password change wins: no session continues', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  const hash = service.hasher.hash
  service.hasher.hash = async (password) => {
    expect(
      (await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })).statusCode,
    ).toBe(204)
    return hash(password)
  }
  const response = await change(service, cookie)
  expect(response.statusCode).toBe(204)
  expect(response.headers['set-cookie']).toMatch(/^session=; Max-Age=0/)
  expect(service.sessions.rows.size).toBe(0)
})

test("FLT-07 change-password reports success even if the session can't continue afterwards", async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  service.sessions.change = async () => {
    throw new Error('connection lost')
  }
  const response = await change(service, cookie)
  expect(response.statusCode).toBe(204)
  const ofSession = [response.headers['set-cookie']].flat().filter((each) => each?.startsWith('session='))
  for (const each of ofSession) expect(each).toContain('Max-Age=0')
  expect(ofSession.length).toBeGreaterThan(0)
  expect(await service.users.findByUsername('alice')).toMatchObject({ sessionEpoch: 1 })
})
