import { expect, test } from 'vitest'
import { goodPassword, linkPath, otherPassword, signUp, type TestApp, testApp } from '../support/app.js'

const wrong = (service: TestApp) =>
  service.send('POST', '/login/', { username: 'alice', password: otherPassword })
const right = (service: TestApp) =>
  service.send('POST', '/login/', { username: 'alice', password: goodPassword })
const limited = (options: Parameters<typeof testApp>[0] = {}) => testApp({ throttle: {}, ...options })

test('RST-22 over five mails an hour the answer stays 202 and no mail goes out', async () => {
  const service = await limited({ users: true, requireEmailConfirmation: true })
  const email = 'alice@example.org'
  const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword, email }
  await service.send('POST', '/user/', body)
  const spelled = [email, 'ALICE@example.org', ' alice@example.org', 'Alice@Example.org', email, email, email]
  for (const each of spelled) {
    expect((await service.send('POST', '/forgot/', { email: each })).statusCode).toBe(202)
    expect((await service.send('POST', '/user/v/', { email: each })).statusCode).toBe(202)
  }
  await service.settle()
  const kinds = service.mails.map((mail) => mail.kind)
  expect(kinds.filter((kind) => kind === 'reset-password')).toHaveLength(5)
  expect(kinds.filter((kind) => kind === 'verify-email')).toHaveLength(5)
})

test('limits can be set one by one', async () => {
  const service = await testApp({ throttle: { limits: { loginAccount: { max: 1, window: 60_000 } } } })
  await signUp(service)
  expect((await wrong(service)).statusCode).toBe(401)
  expect((await wrong(service)).statusCode).toBe(429)
})

test('requests that send no mail leave the mails of an address alone', async () => {
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

test('a slow guesser meets the limit of the day; the right password, or a reset, begins it anew', async () => {
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
