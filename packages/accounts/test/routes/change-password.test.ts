import { expect, test } from 'vitest'
import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '../support/app.js'

const body = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }

const change = (service: TestApp, cookie: string, changes: object = {}) =>
  service.send('POST', '/change-password/', { ...body, ...changes }, { headers: { cookie } })

test('CHG-02 this session goes on under a new id, all others die, and a notice is mailed', async () => {
  const service = await testApp()
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const others = [await logIn(service), await logIn(service)]
  const cookie = await logIn(service)
  const response = await change(service, cookie)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  const renewed = cookieOf(response)
  for (const each of [...others, cookie]) expect(await whoIs(service, each)).toBeNull()
  expect(await whoIs(service, renewed)).toBe('alice')
  expect(service.sessions.rows.size).toBe(1)
  const notice = await service.mail('password-changed', 'alice@example.org')
  expect(notice.text + notice.html).not.toMatch(/correct horse|staple gun/)
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: goodPassword })).statusCode,
  ).toBe(401)
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: otherPassword })).statusCode,
  ).toBe(200)
})

test.each([
  ['the wrong old password', { old_password: 'wrong-password' }, [['old_password', 'incorrect']]],
  [
    'the old password again',
    { new_password: goodPassword, confirm_password: goodPassword },
    [['new_password', 'unchanged']],
  ],
  ['two passwords', { confirm_password: 'another one' }, [['confirm_password', 'mismatch']]],
  ['a short one', { new_password: 'short', confirm_password: 'short' }, [['new_password', 'too_short']]],
  ['nothing', { old_password: undefined }, [['old_password', 'required']]],
  ['another user', { username: 'bob' }, [['username', 'unknown']]],
])('refused: %s', async (_name, changes, faults) => {
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

test('nobody without a session changes anything, and a bad body is not even looked at', async () => {
  const service = await testApp()
  await signUp(service)
  for (const payload of [body, {}]) {
    const response = await service.send('POST', '/change-password/', payload)
    expect(response.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
  }
})

test('CHG-05 of two changes at the same moment one wins, and the other is told', async () => {
  const service = await testApp()
  await signUp(service)
  const cookies = [await logIn(service), await logIn(service)]
  const passwords = ['the first new password', 'the second new password']
  const answers = await Promise.all(
    cookies.map((cookie, index) =>
      change(service, cookie, { new_password: passwords[index], confirm_password: passwords[index] }),
    ),
  )
  expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([204, 409])
  expect(answers.find((answer) => answer.statusCode === 409)?.json().code).toBe('ACCOUNTS_CONFLICT')
  for (const [index, password] of passwords.entries()) {
    const login = await service.send('POST', '/login/', { username: 'alice', password })
    expect(login.statusCode).toBe(answers[index]?.statusCode === 204 ? 200 : 401)
  }
})

test('a login that races a change of password does not outlive it', async () => {
  const service = await testApp()
  const user = await signUp(service)
  const cookie = await logIn(service)
  const update = service.users.update
  let raced = false
  service.users.update = async (id, changes, version) => {
    // Between the check of the password and the note of the login, somebody changes the password.
    if (changes.lastLoginAt && !raced) {
      raced = true
      expect((await change(service, cookie)).statusCode).toBe(204)
    }
    return update(id, changes, version)
  }
  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  expect(raced).toBe(true)
  expect(login.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  expect((await service.sessions.listByUser(user.id)).length).toBe(1)
})

test('a hash made anew at login never restores an old password', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  service.hasher.needsRehash = () => true
  const [login, changed] = await Promise.all([
    service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
    change(service, cookie),
  ])
  expect(changed.statusCode).toBe(204)
  expect([200, 401]).toContain(login.statusCode)
  if (login.statusCode === 200) expect(await whoIs(service, cookieOf(login))).toBeNull()
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: goodPassword })).statusCode,
  ).toBe(401)
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: otherPassword })).statusCode,
  ).toBe(200)
})

test('ROT-05 a password is hashed anew at login where the parameters rose', async () => {
  const service = await testApp()
  const user = await signUp(service)
  service.hasher.needsRehash = () => true
  await logIn(service)
  const stored = (await service.users.findById(user.id))?.passwordHash
  expect(stored).not.toBe(user.passwordHash)
  service.hasher.needsRehash = () => false
  await logIn(service)
  expect((await service.users.findById(user.id))?.passwordHash).toBe(stored)
})

test('a logout while the password is being changed stands: no session goes on', async () => {
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
  expect(response.headers['set-cookie']?.[0]).toMatch(/^session=; Max-Age=0/)
  expect(service.sessions.rows.size).toBe(0)
})

test('FLT-07 where the session cannot go on the answer still tells the truth: the password is changed', async () => {
  const service = await testApp()
  await signUp(service)
  const cookie = await logIn(service)
  service.sessions.create = async () => {
    throw new Error('connection lost')
  }
  const response = await change(service, cookie)
  expect(response.statusCode).toBe(204)
  const ofSession = [response.headers['set-cookie']].flat().filter((each) => each?.startsWith('session='))
  for (const each of ofSession) expect(each).toContain('Max-Age=0')
  expect(ofSession.length).toBeGreaterThan(0)
  expect(await service.users.findByUsername('alice')).toMatchObject({ sessionEpoch: 1 })
})
