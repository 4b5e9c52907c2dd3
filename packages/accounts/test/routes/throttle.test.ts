import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'

const wrong = (service: TestApp) =>
  service.send('POST', '/login/', { username: 'alice', password: otherPassword })
const right = (service: TestApp) =>
  service.send('POST', '/login/', { username: 'alice', password: goodPassword })
const limited = (options: Parameters<typeof testApp>[0] = {}) => testApp({ throttle: {}, ...options })

test('limits can be set individually', async () => {
  const service = await testApp({ throttle: { limits: { loginAccount: { max: 1, window: 60_000 } } } })
  await signUp(service)
  expect((await wrong(service)).statusCode).toBe(401)
  expect((await wrong(service)).statusCode).toBe(429)
})

test("requests that send no email don't count toward an address's limit", async () => {
  const service = await limited({ requireEmailConfirmation: true })
  const email = 'alice@example.org'
  for (let round = 0; round < 8; round += 1) {
    await service.send('POST', '/signup/v/', { email })
    await service.send('POST', '/forgot/', { email })
  }
  const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
  expect((await service.send('POST', '/signup/', body)).statusCode).toBe(202)
  await service.mail('verify-email', email)
  await service.send('POST', '/forgot/', { email })
  await service.mail('reset-password', email)
})

test('slow guessing hits the daily limit; the right password, or a reset, resets it', async () => {
  const service = await testApp({ throttle: { limits: { loginAccountDay: { max: 3, window: 86_400_000 } } } })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const failed = async (count: number) => {
    for (let n = 0; n < count; n += 1) expect((await wrong(service)).statusCode).toBe(401)
  }
  await failed(2)
  expect((await right(service)).statusCode).toBe(200)
  await failed(3)
  const refused = await right(service)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)

  await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  const link = linkPath(await service.mail('reset-password'))
  const body = { new_password: goodPassword, confirm_password: goodPassword }
  expect((await service.send('POST', link, body)).statusCode).toBe(204)
  expect((await right(service)).statusCode).toBe(200)
})

describe('a logged-in user', () => {
  const day = 86_400_000
  const roomy = { max: 1000, window: 60_000 }

  test("can guess their own password a limited number of times a day; right ones, outages and a reset don't count", async () => {
    const limits = { changePassword: roomy, changePasswordDay: { max: 3, window: day } }
    const service = await testApp({ throttle: { limits } })
    await signUp(service, 'alice', { email: 'alice@example.org' })
    let cookie = await logIn(service)
    const confirm = (password: string) =>
      service.send('POST', '/confirm/', { password }, { headers: { cookie } })
    const change = (old_password: string) => {
      const choice = { new_password: 'a third password', confirm_password: 'a third password' }
      return service.send('POST', '/change-password/', { old_password, ...choice }, { headers: { cookie } })
    }
    for (const guess of [confirm, change]) expect((await guess('not the password')).statusCode).toBe(400)
    const confirmed = await confirm(goodPassword)
    expect(confirmed.statusCode).toBe(204)
    cookie = cookieOf(confirmed)

    const { verify } = service.hasher
    service.hasher.verify = () => Promise.reject(new Error('away'))
    for (let count = 0; count < 5; count += 1) expect((await confirm('whatever it is')).statusCode).toBe(503)
    service.hasher.verify = verify

    for (const guess of [confirm, change, confirm]) {
      expect((await guess('not the password')).statusCode).toBe(400)
    }
    for (const guess of [confirm, change]) {
      const refused = await guess(goodPassword)
      expect([refused.statusCode, refused.headers['ratelimit-limit']]).toEqual([429, '3'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
    }
    // The login is a separate attempt.
    expect((await right(service)).statusCode).toBe(200)
    expect((await confirm(goodPassword)).statusCode).toBe(429)

    await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    const link = linkPath(await service.mail('reset-password'))
    const body = { new_password: otherPassword, confirm_password: otherPassword }
    expect((await service.send('POST', link, body)).statusCode).toBe(204)
    cookie = await logIn(service, 'alice', otherPassword)
    expect((await confirm(otherPassword)).statusCode).toBe(204)
  })

  test('can change addresses a limited number of times a day', async () => {
    const limits = { changeEmail: roomy, changeEmailDay: { max: 2, window: day } }
    const service = await testApp({ throttle: { limits } })
    await signUp(service)
    const headers = { cookie: await logIn(service) }
    const statuses = []
    for (let count = 0; count < 3; count += 1) {
      const email = `stranger${count}@example.org`
      statuses.push((await service.send('POST', '/change-email/', { email }, { headers })).statusCode)
    }
    expect(statuses).toEqual([202, 202, 429])
    await service.mail('change-email', 'stranger1@example.org')
    await service.app.close()
    expect(service.mails).toHaveLength(2)
  })
})
