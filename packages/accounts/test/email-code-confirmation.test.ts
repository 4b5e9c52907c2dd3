import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import {
  askCode,
  askConfirmation,
  confirmationCode,
  confirmBy,
  email,
  logInByCode,
  otherThan,
} from '@fastify-accounts/test-support/email-code'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AccountsOptions, createMemoryThrottleStore, secondFactor } from '../src/index.js'
import { noPassword } from '../src/user.js'

const minute = 60_000
const wrong = {
  code: 'ACCOUNTS_INVALID_INPUT',
  fields: [{ field: 'email_code', code: 'incorrect' }],
}
const _refused = { statusCode: 403, code: 'ACCOUNTS_CONFIRMATION_REQUIRED' }

/** An app, and alice, who has no password and whose login is no longer recent. */
async function codeApp(
  options: Partial<AccountsOptions> = {},
): Promise<TestApp & { id: string; cookie: string }> {
  const service = await testApp({ login: { emailCode: true }, adapterTimeout: 10 * minute, ...options })
  const alice = { username: 'alice', password: goodPassword, email, isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  await change(service, id, { passwordHash: noPassword })
  const cookie = await logInByCode(service)
  wait(16 * minute)
  return { ...service, id, cookie }
}

async function change({ users }: TestApp, id: string, changes: object): Promise<void> {
  const { version = 0 } = (await users.findById(id)) ?? {}
  expect(await users.update(id, changes, version)).not.toBeNull()
}

const wait = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test('is off unless login codes are on', async () => {
  const service = await testApp()
  await service.app.accounts.createUser({
    username: 'alice',
    password: goodPassword,
    email,
    isVerified: true,
  })
  const cookie = await logIn(service)
  expect((await askConfirmation(service, cookie)).statusCode).toBe(404)
  const body = (await confirmBy(service, cookie, 'ABCD-EFGH')).json()
  expect(body).toMatchObject({ fields: [{ field: 'email_code', code: 'unknown' }] })
})

test("doesn't confirm an account that meanwhile got a password or whose address became unverified", async () => {
  const service = await codeApp()
  for (const changes of [{ passwordHash: 'a hash' }, { isVerified: false }, { sessionEpoch: 9 }]) {
    const before = await service.users.findById(service.id)
    const code = await confirmationCode(service, service.cookie)
    vi.spyOn(service.users, 'update').mockImplementationOnce(async () => {
      await change(service, service.id, changes)
      return null
    })
    const response = await confirmBy(service, service.cookie, code)
    expect(response.json()).toMatchObject(wrong)
    expect(response.cookies).toEqual([])
    const { passwordHash, isVerified, sessionEpoch } = before ?? {}
    await change(service, service.id, { passwordHash, isVerified, sessionEpoch })
  }
})

test("has a rate limit for attempts, which a login doesn't reset", async () => {
  const limits = { loginCode: { max: 4, window: 60 * minute } }
  const service = await codeApp({ throttle: { store: createMemoryThrottleStore(), limits } })
  const { cookie } = service
  for (let round = 0; round < 2; round += 1) {
    const code = await confirmationCode(service, cookie)
    for (let n = 0; n < 2; n += 1) await confirmBy(service, cookie, otherThan(code))
  }
  await logInByCode(service)
  const code = await confirmationCode(service, cookie)
  expect((await confirmBy(service, cookie, code)).json()).toMatchObject({ statusCode: 429 })
})

test("is sent even if strangers used up the address's login codes, five times an hour", async () => {
  const service = await codeApp({ throttle: { store: createMemoryThrottleStore() } })
  for (let n = 0; n < 6; n += 1) await askCode(service)
  await service.settle()
  for (let n = 0; n < 5; n += 1) await confirmationCode(service, service.cookie)
  service.mails.length = 0
  expect((await askConfirmation(service, service.cookie)).statusCode).toBe(202)
  await service.settle()
  expect(service.mails).toEqual([])
})

test('is not sent to an address the account no longer has', async () => {
  const service = await codeApp()
  service.mails.length = 0
  await askConfirmation(service, service.cookie)
  const address = 'alice@example.net'
  await change(service, service.id, { email: address, emailKey: address })
  await service.settle()
  expect(service.mails).toEqual([])
})

test('is not counted as an attempt if the store fails', async () => {
  const limits = { loginCode: { max: 1, window: 60 * minute } }
  const service = await codeApp({ throttle: { store: createMemoryThrottleStore(), limits } })
  const code = await confirmationCode(service, service.cookie)
  vi.spyOn(service.users, 'update').mockRejectedValueOnce(new Error('the database is down'))
  expect((await confirmBy(service, service.cookie, code)).statusCode).toBe(503)
  expect((await confirmBy(service, service.cookie, code)).statusCode).toBe(204)
})

test('is available to users who must enroll, who can then do so', async () => {
  const service = await codeApp({ features: [secondFactor({ requiredFor: () => true })] })
  const done = await confirmBy(service, service.cookie, await confirmationCode(service, service.cookie))
  expect((await enroll(service, cookieOf(done))).codes).toHaveLength(10)
})

test('is emailed above all else, with a link that secures the account', async () => {
  const service = await codeApp()
  const code = await confirmationCode(service, service.cookie)
  const mail = await service.mail('confirmation-code')
  const { text, html } = mail
  expect(text).toMatch(new RegExp(`^Your code: ${code}\n\nHello alice,`))
  expect(html).toMatch(
    new RegExp(`</h1>\\s*<p[^>]*>Your code:\\s*<strong[^>]*font-size:28px[^>]*><bdi>${code}`),
  )
  const secured = await service.send('POST', linkPath(mail), undefined, { headers: {} })
  expect(secured.statusCode).toBe(200)
  expect(
    (await service.send('GET', '/me/', undefined, { headers: { cookie: service.cookie } })).statusCode,
  ).toBe(401)
})
