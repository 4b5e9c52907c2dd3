import {
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { causes, mailApp } from '@fastify-accounts/test-support/mails'
import { expect, test, vi } from 'vitest'
import { InvalidArgumentError } from '../src/index.js'

test('without a mounted reset route, account-exists has no link', async () => {
  const service = await testApp({ auth: false, users: true, requireEmailConfirmation: true })
  const body = {
    username: 'alice',
    password: goodPassword,
    confirm_password: goodPassword,
    email: 'a@example.org',
  }
  const { username, password, email } = body
  await service.app.accounts.createUser({ username, password, email, isVerified: true })
  await service.send('POST', '/signup/', { ...body, username: 'bob' })
  const mail = await service.mail('account-exists')
  expect(mail.text + mail.html).not.toMatch(/https?:|undefined/)
})

test.each(['en', 'de', 'fr'])(
  'in %s, an account without a password reads of none that it has',
  async (language) => {
    const headers = { 'accept-language': language }
    for (const kind of ['account-exists', 'choose-password', 'reset-password'] as const) {
      const { text } = await causes[kind](await mailApp(), headers)
      expect(text).not.toMatch(
        /its password|your password stays|the old password|das Passwort nicht|Ihr Passwort bleibt|alte Passwort|n’en connaissez|ancien mot de passe|votre mot de passe reste/i,
      )
    }
  },
)

test('FLT-05 a hanging mailer fills a bounded queue; further emails are reported, and routes keep working', async () => {
  const service = await testApp({ mailer: { send: () => new Promise(() => {}) } })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const failures: string[] = []
  service.app.accounts.events.on('mail-failed', ({ error }) => failures.push(String(error)))
  for (let index = 0; index < 1010; index += 1) {
    const response = await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    expect(response.statusCode).toBe(202)
  }
  expect(failures).toEqual(Array(10).fill('Error: more than 1000 emails are waiting'))
})

test('notices about changes are sent even if strangers have filled the queue, and without an outbox', async () => {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const kinds: string[] = []
  let begun = 0
  const mailer = {
    async send({ kind }: { kind: string }) {
      begun += 1
      await held
      kinds.push(kind)
    },
  }
  const service = await testApp({ mailer })
  const user = await signUp(service, 'alice', { email: 'alice@example.org' })
  await service.app.accounts.updateUser(user.id, { isVerified: true })
  const cookie = await logIn(service)
  // All that are sent at a time.
  for (let n = 0; n < 5; n += 1) await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  await expect.poll(() => begun).toBe(5)
  const forgets = Array.from({ length: 1500 }, (_, n) =>
    service.send('POST', '/forgot/', { email: `nobody-${n}@example.net` }),
  )
  await Promise.all(forgets)
  const body = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
  const changed = await service.send('POST', '/change-password/', body, { headers: { cookie } })
  expect(changed.statusCode).toBe(204)
  goOn()
  await expect.poll(() => kinds).toContain('password-changed')
})

test("a browser gets an explanation of why a link page doesn't work", async () => {
  const service = await testApp({ throttle: { limits: { reset: { max: 1, window: 60_000 } } } })
  const heading = async (expected: number) => {
    const page = await service.send('GET', '/reset/x/y/', undefined, { headers: browser })
    expect(page.statusCode).toBe(expected)
    return /<h1>(.*)<\/h1>/.exec(page.body)?.[1]
  }
  expect(await heading(400)).toBe('This link doesn’t work')
  expect(await heading(429)).toBe('Too many attempts')
  const fresh = await testApp()
  fresh.users.findById = () => Promise.reject(new Error('away'))
  const uid64 = Buffer.from('x').toString('base64url')
  const page = await fresh.app.inject({ url: `/reset/${uid64}/x/`, headers: browser })
  expect(page.statusCode).toBe(400)
  const odd = await fresh.app.inject({
    method: 'POST',
    url: `/reset/${uid64}/x/`,
    headers: { ...browser, 'content-type': 'text/plain' },
    payload: 'x',
  })
  expect([odd.statusCode, odd.body.includes('That didn’t work')]).toEqual([415, true])
})

test('a page without a form names the fields that are wrong', async () => {
  const service = await mailApp()
  const page = await service.app.inject({
    method: 'POST',
    url: linkPath(await causes['new-device'](service, {})),
    headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'color=red',
  })
  expect(page.statusCode).toBe(400)
  expect(page.body).toContain('color: Unknown field.')
})

test('an email still being sent when the app has closed is reported', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const service = await testApp({ mailer: { send: () => new Promise(() => {}) } })
    const user = await signUp(service, 'alice', { email: 'alice@example.org' })
    const failures: unknown[] = []
    service.app.accounts.events.on('mail-failed', ({ userId, kind }) => failures.push([userId, kind]))
    await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    const closing = service.app.close()
    await vi.advanceTimersByTimeAsync(8_000)
    await closing
    expect(failures).toEqual([[user.id, 'reset-password']])
  } finally {
    vi.useRealTimers()
  }
})

test('a listener that throws does no harm', async () => {
  const service = await testApp({
    mailer: {
      async send() {
        throw new InvalidArgumentError('no plain address')
      },
    },
  })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  let heard = 0
  service.app.accounts.events.on('mail-failed', () => {
    heard += 1
    throw new Error('a listener of the host')
  })
  expect((await service.send('POST', '/forgot/', { email: 'alice@example.org' })).statusCode).toBe(202)
  await expect.poll(() => heard).toBe(1)
  expect((await service.send('GET', '/api-root/')).statusCode).toBe(200)
})
