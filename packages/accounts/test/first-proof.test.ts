import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import {
  as,
  codeOf,
  enroll,
  factorApp,
  firstStep,
  secondStep,
} from '@fastify-accounts/test-support/second-factor'
import { expect, test } from 'vitest'
import type { StoredUser, UserChanges } from '../src/user.js'

const choice = { new_password: otherPassword, confirm_password: otherPassword }
/** A passkey, as far as it matters here. */
const passkey = { kind: 'passkey', id: 'stolen', createdAt: '2020-01-01T00:00:00.000Z' }

async function edit({ users }: TestApp, id: string, changes: (user: StoredUser) => UserChanges) {
  const user = await users.findById(id)
  if (user === null) throw new Error('the user is not there')
  await users.update(id, changes(user), user.version)
}

async function reset(service: TestApp, email: string) {
  service.mails.splice(0)
  await service.send('POST', '/forgot/', { email })
  const answer = await service.send('POST', linkPath(await service.mail('reset-password', email)), choice)
  expect(answer.statusCode, answer.body).toBe(204)
}

test('the first verification through a reset voids what was there; a later one removes nothing', async () => {
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
    credentials: [{ kind: 'removed', passkeys: 1, identities: 1 }],
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
  const answer = await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
  expect(answer.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_NOT_VERIFIED' })
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
  expect(user).toMatchObject({ factors: ['totp'], identityKeys: [] })
  expect(new Set(user?.credentials.map(({ kind }) => kind))).toEqual(
    new Set(['totp', 'recovery-code', 'removed']),
  )
  expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(200)
})
