import {
  as,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
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

test('the first verification through a reset removes what was there; a later one removes nothing', async () => {
  const service = await factorApp()
  const email = 'bob@example.org'
  const { id } = await signUp(service, 'bob', { email })
  const squatter = await logIn(service, 'bob')
  const added = { credentials: [passkey], identityKeys: ['passkey:stolen', 'oidc:issuer|bob'] }
  await edit(service, id, () => added)
  await reset(service, email)
  expect(await whoIs(service, squatter)).toBeNull()
  expect(await service.users.findById(id)).toMatchObject({
    isVerified: true,
    credentials: [],
    notes: { removed: { passkeys: 1, identities: 1 } },
    identityKeys: [],
    factors: [],
  })
  await edit(service, id, () => added)
  await reset(service, email)
  expect(await service.users.findById(id)).toMatchObject(added)
})

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

test('the body of a verification is strict, and optional', async () => {
  const service = await testApp({ users: { names: 'none' }, features: [secondFactor()] })
  const email = 'bob@example.org'
  const password = goodPassword
  await service.send('POST', '/user/', { email, password, confirm_password: password })
  await service.send('POST', '/user/v/', { email })
  const link = linkPath(await service.mail('verify-email', email))
  const faultsOf = async (body: object) => (await service.send('POST', link, body)).json().fields
  expect(await faultsOf({ password: 1 })).toMatchObject([{ field: 'password', code: 'invalid' }])
  expect(await faultsOf({ code: '123456' })).toMatchObject([{ field: 'code', code: 'unknown' }])
  expect(await faultsOf({ password, new_password: otherPassword })).toMatchObject([
    { field: 'new_password', code: 'invalid' },
  ])
  expect(await faultsOf({ confirm_password: otherPassword })).toMatchObject([
    { field: 'new_password', code: 'required' },
  ])
  expect(await faultsOf({ new_password: otherPassword, confirm_password: password })).toMatchObject([
    { field: 'confirm_password', code: 'mismatch' },
  ])
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
  const response = await service.send('POST', link, choice)
  expect(response.cookies.map(({ name }) => name)).toEqual(['session-device'])
  expect((await service.mail('password-changed', email)).text).toContain('1 passkey')
})
