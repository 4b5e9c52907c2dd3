import {
  as,
  browser,
  formTarget,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import {
  codeOf,
  enroll,
  factorApp,
  firstStep,
  secondStep,
} from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { expect, test } from 'vitest'
import type { StoredUser, UserChanges } from '../src/user.js'

const choice = { new_password: otherPassword, confirm_password: otherPassword }
/** A passkey, as far as it matters here. */
const passkey = { kind: 'passkey', id: 'stolen', createdAt: '2020-01-01T00:00:00.000Z' }

async function edit({ users }: TestApp, id: string, changes: (user: StoredUser) => UserChanges) {
  const user = await users.findById(id)
  if (user === null) throw new Error('the user is not there')
  if ((await users.update(id, changes(user), user.version)) === null) throw new Error('the user has changed')
}

async function reset(service: TestApp, email: string) {
  service.mails.splice(0)
  await service.send('POST', '/forgot/', { email })
  const response = await service.send('POST', linkPath(await service.mail('reset-password', email)), choice)
  expect(response.statusCode, response.body).toBe(204)
}

test("an app can't be turned on behind an unverified address", async () => {
  const service = await factorApp()
  await signUp(service, 'bob', { email: 'bob@example.org' })
  const cookie = await logIn(service, 'bob')
  const response = await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
  expect(response.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_NOT_VERIFIED' })
})

test('the reader of an inbox that staff mistyped gets no further than the second factor', async () => {
  const service = await factorApp()
  const { secret } = await enroll(service)
  await edit(service, service.id, ({ credentials }) => ({
    credentials: [...credentials, passkey],
    identityKeys: ['passkey:stolen'],
  }))
  await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
  const boss = await logIn(service, 'boss')
  const mistyped = 'alicia@example.org'
  const moved = await service.send('PATCH', `/user/${service.id}`, { email: mistyped }, as(boss))
  expect(moved.statusCode, moved.body).toBe(200)
  await reset(service, mistyped)
  const pending = await firstStep(service, { password: otherPassword })
  expect((await secondStep(service, pending, '000000')).statusCode).toBe(401)
  const user = await service.users.findById(service.id)
  expect(user).toMatchObject({ factors: ['totp'], identityKeys: [], notes: { removed: { passkeys: 1 } } })
  expect(new Set(user?.credentials.map(({ kind }) => kind))).toEqual(new Set(['totp', 'recovery-code']))
  expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(200)
})

test('a verification by a button takes no field, and each proof has a path and a body of its own', async () => {
  const service = await testApp({ users: { names: 'none' }, features: [secondFactor()] })
  const email = 'bob@example.org'
  const password = goodPassword
  await service.send('POST', '/user/', { email, password, confirm_password: password })
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('verify-email', email))
  const faultsOf = async (way: string, body: object) => {
    const response = await service.send('POST', `${link}${way}`, body)
    expect([response.statusCode, response.json().code]).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
    return response.json().fields.map(({ field, code }: Record<string, string>) => `${field} ${code}`)
  }
  expect(await faultsOf('', { password })).toEqual(['password unknown'])
  expect(await faultsOf('', choice)).toEqual(['new_password unknown', 'confirm_password unknown'])
  expect(await faultsOf('', { code: '123456' })).toEqual(['code unknown'])
  expect(await faultsOf('password/', {})).toEqual(['password required'])
  expect(await faultsOf('password/', { password: 1 })).toEqual(['password invalid'])
  expect(await faultsOf('password/', { password, ...choice })).toEqual([
    'new_password unknown',
    'confirm_password unknown',
  ])
  expect(await faultsOf('new-password/', { new_password: otherPassword })).toEqual([
    'confirm_password required',
  ])
  expect(await faultsOf('new-password/', { ...choice, confirm_password: password })).toEqual([
    'confirm_password mismatch',
  ])
  expect(await faultsOf('new-password/', { ...choice, profile: 'some' })).toEqual(['profile invalid'])
  // Accounts have no names here.
  expect(await faultsOf('new-password/', { ...choice, username: 'bob' })).toEqual(['username unknown'])
  // Without passkeys there is no such path.
  const absent = await service.send('POST', `${link}passkey/`)
  expect(absent.json()).toMatchObject({ statusCode: 400, code: 'ACCOUNTS_INVALID_LINK' })
  expect((await service.users.findByEmail(email))?.isVerified).toBe(false)
  const response = await service.app.inject({
    method: 'POST',
    url: link,
    headers: { 'content-type': 'application/json' },
    payload: '{}',
  })
  expect([response.statusCode, response.json()]).toEqual([200, { valid: true, verified: true }])
})

test('a new password by a verification link makes the device known, and tells the owner what was removed', async () => {
  const service = await factorApp()
  const email = 'bob@example.org'
  const { id } = await signUp(service, 'bob', { email })
  await edit(service, id, () => ({ credentials: [passkey], identityKeys: ['passkey:stolen'] }))
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('verify-email', email))
  const response = await service.send('POST', `${link}new-password/`, choice)
  expect(response.cookies.map(({ name }) => name)).toEqual(['session-device'])
  expect((await service.mail('password-changed', email)).text).toContain('1 passkey')
})

test('the page asks the new owner of an unused account for a name, and shows again what was typed', async () => {
  const service = await factorApp()
  const email = 'bob@example.org'
  await signUp(service, 'bob', { email })
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('verify-email', email))
  const shown = await service.send('GET', link, undefined, { headers: browser })
  const url = formTarget(shown.body, link, 'username')
  expect(url).toBe(`${link}new-password/`)
  const typed = { username: 'robert"<', ...choice, confirm_password: 'another' }
  const again = await service.send('POST', url, typed, { headers: browser })
  expect([again.statusCode, again.body]).toEqual([400, expect.stringContaining('value="robert&#34;&#60;"')])
  expect(again.body).not.toContain(otherPassword)
  const done = await service.send('POST', url, { username: 'robert', ...choice }, { headers: browser })
  expect(done.statusCode, done.body).toBe(200)
  expect(await service.users.findByEmail(email)).toMatchObject({ username: 'robert', isVerified: true })
})
