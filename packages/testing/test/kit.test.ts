import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import { baseUrl, goodPassword, secret } from '@fastify-accounts/test-support/app'
import { sample } from '@fastify-accounts/test-support/depth'
import { grounds } from '@fastify-accounts/test-support/grounds'
import Fastify, { type FastifyInstance, type FastifyTypeProvider } from 'fastify'
import accounts, { type Accounts, type AccountsOptions, secondFactor, tokens } from 'fastify-accounts'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createCheapHasher,
  createMailbox,
  createTestOptions,
  holdClock,
  logInAs,
  mountAccounts,
} from '../src/index.js'
import { shared } from '../src/kit/shared.js'

/** An app with routes of its own. */
async function shop(overrides: Partial<AccountsOptions> = {}, app: FastifyInstance = Fastify()) {
  const { mailbox } = await mountAccounts(app, overrides)
  addRoutes(app)
  return { app, mailbox }
}

function addRoutes(app: FastifyInstance): void {
  const { requireUser, requireRecentLogin, requireSecondFactor } = app.accounts
  app.get('/name', { onRequest: requireUser }, async ({ user }) => user?.username ?? '')
  app.get('/staff', { onRequest: requireUser }, async ({ user }) => String(user?.isStaff))
  app.get('/recent', { onRequest: requireRecentLogin }, async () => 'recent')
  app.get('/factor', { onRequest: requireSecondFactor }, async () => 'factor')
}

const bodyOf = async (app: FastifyInstance, url: string, headers?: Record<string, string>) =>
  (await app.inject({ url, ...(headers && { headers }) })).body

const codeOf = async (app: FastifyInstance, url: string, headers: { cookie: string }) =>
  (await app.inject({ url, headers })).json().code

const reset = (app: FastifyInstance, email = 'ada@example.org') =>
  app.inject({ method: 'POST', url: '/forgot/', payload: { email } })

const ada = { username: 'ada', email: 'ada@example.org' }

afterEach(() => {
  vi.useRealTimers()
})

describe('logInAs', () => {
  test('creates a user and logs them in, finds one, and takes one', async () => {
    const { app } = await shop()
    expect(await bodyOf(app, '/name', await logInAs(app, ada))).toBe('ada')
    expect(await bodyOf(app, '/name', await logInAs(app, 'Ada'))).toBe('ada')
    expect(await bodyOf(app, '/name', await logInAs(app, 'ADA@example.org'))).toBe('ada')
    const bob = await app.accounts.createUser({ username: 'bob', password: goodPassword })
    expect(await bodyOf(app, '/name', await logInAs(app, bob))).toBe('bob')
    expect((await app.inject('/name')).statusCode).toBe(401)
  })

  test('gives the new user what a test asks for', async () => {
    const { app } = await shop({
      users: { fields: { type: 'object', properties: { plan: { type: 'string' } } } },
    })
    const fields = { plan: 'gold' }
    const headers = await logInAs(app, { ...ada, isStaff: true, password: goodPassword, fields })
    expect(await bodyOf(app, '/staff', headers)).toBe('true')
    expect((await app.inject({ url: '/me/', headers })).json()).toMatchObject({
      plan: 'gold',
      is_verified: true,
    })
    const payload = { username: 'ada', password: goodPassword }
    expect((await app.inject({ method: 'POST', url: '/login/', payload })).statusCode).toBe(200)
  })

  test('is a recent login with a password, or what the test says', async () => {
    const { app } = await shop()
    const byPassword = await logInAs(app, ada)
    expect(await bodyOf(app, '/recent', byPassword)).toBe('recent')
    expect(await codeOf(app, '/factor', byPassword)).toBe('ACCOUNTS_ENROLLMENT_REQUIRED')
    const byHost = await logInAs(app, 'ada', { methods: ['host'] })
    expect(await codeOf(app, '/recent', byHost)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    const byTwo = await logInAs(app, 'ada', { methods: ['hwk', 'user', 'mfa'] })
    expect(await bodyOf(app, '/factor', byTwo)).toBe('factor')
  })

  test('starts a session that is listed and ends like any other', async () => {
    const { app } = await shop()
    const headers = await logInAs(app, ada)
    expect((await app.inject({ url: '/sessions/', headers })).json().results).toHaveLength(1)
    await app.inject({ method: 'POST', url: '/logout/', headers })
    expect(await codeOf(app, '/name', headers)).toBe('ACCOUNTS_LOGIN_REQUIRED')
    const again = await logInAs(app, 'ada')
    const { id } = (await app.accounts.findUser({ username: 'ada' })) ?? { id: '' }
    await app.accounts.endUserSessions(id)
    expect(await codeOf(app, '/name', again)).toBe('ACCOUNTS_LOGIN_REQUIRED')
  })

  test('lets in nobody whom the app would not', async () => {
    const { app } = await shop({
      requireEmailConfirmation: true,
      features: [secondFactor({ requiredFor: (user) => user.isStaff })],
    })
    await expect(logInAs(app, { ...ada, isVerified: false })).rejects.toMatchObject({
      code: 'ACCOUNTS_NOT_VERIFIED',
    })
    const { id } = await app.accounts.createUser({ username: 'bob', password: goodPassword })
    await app.accounts.updateUser(id, { isActive: false })
    await expect(logInAs(app, 'bob')).rejects.toMatchObject({ code: 'ACCOUNTS_DISABLED' })
    const staff = await logInAs(app, { username: 'eve', isStaff: true })
    expect(await codeOf(app, '/name', staff)).toBe('ACCOUNTS_ENROLLMENT_REQUIRED')
    await expect(logInAs(app, { username: 'no spaces' })).rejects.toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
    })
  })

  test('logs an app with tokens in', async () => {
    const { app } = await shop({ features: [tokens()] })
    const headers = await logInAs(app, ada, { delivery: 'tokens' })
    expect(headers).toEqual({ authorization: expect.stringMatching(/^Bearer fat_/) })
    expect(await bodyOf(app, '/name', headers)).toBe('ada')
    expect(await bodyOf(app, '/recent', headers)).toBe('recent')
    const { app: without } = await shop()
    await expect(logInAs(without, ada, { delivery: 'tokens' })).rejects.toThrow('features: [tokens()]')
  })

  test('says what is missing', async () => {
    const { app } = await shop()
    await expect(logInAs(app, 'eve')).rejects.toThrow(
      `logInAs: there is no user "eve"; pass { username: 'eve' } to create one`,
    )
    await expect(logInAs(app, { id: 'nobody' })).rejects.toMatchObject({ code: 'ACCOUNTS_NOT_FOUND' })
    await expect(logInAs(Fastify(), ada)).rejects.toThrow('logInAs: this app has no decorator "accounts"')
  })

  test('works on an app that registers the plugin itself, with https, over a socket', async () => {
    const app = Fastify()
    app.register(accounts, { baseUrl: 'https://shop.example', ...createTestOptions() })
    app.after(() => addRoutes(app))
    const headers = await logInAs(app, ada)
    expect(headers.cookie).toMatch(/^__Host-session=/)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => app.close())
    expect(await (await fetch(`${url}/name`, { headers })).text()).toBe('ada')
  })

  test('takes apps and decorators of every type', async () => {
    const app = Fastify({ http2: true }).withTypeProvider<FastifyTypeProvider>()
    await mountAccounts(app, {
      users: { fields: { type: 'object', properties: { plan: { type: 'string' } } } },
    })
    const own = app.getDecorator<Accounts<{ plan: string }>>('accounts')
    await logInAs(app, ada)
    const headers = await logInAs(own, 'ada')
    expect((await app.inject({ url: '/me/', headers })).json()).toMatchObject({ username: 'ada' })
  })

  test('works with another copy of the package', async () => {
    vi.resetModules()
    const other: typeof import('fastify-accounts') = await import('fastify-accounts')
    expect(other.default).not.toBe(accounts)
    const app = Fastify()
    await app.register(other.default, { baseUrl, ...createTestOptions() })
    const headers = await logInAs(app, ada)
    expect((await app.inject({ url: '/me/', headers })).json()).toMatchObject({ username: 'ada' })
  })

  test('works where users have no names', async () => {
    const { app } = await shop({ users: { names: 'none' } })
    const { email } = ada
    const logins = [await logInAs(app, { email }), await logInAs(app, email)]
    for (const headers of logins) {
      expect((await app.inject({ url: '/me/', headers })).json()).toMatchObject({ email })
    }
  })

  test('works in a realm, and within a plugin', async () => {
    const app = Fastify()
    const decorateAs = { instance: 'staff', request: 'staffUser' }
    await mountAccounts(app)
    await mountAccounts(app, { prefix: '/staff', decorateAs, session: { cookieName: 'staff' } })
    let inner: FastifyInstance = app
    await app.register(async (scope) => {
      inner = scope
      await mountAccounts(scope, {
        prefix: '/inner',
        decorateAs: { instance: 'own', request: 'ownUser' },
        session: { cookieName: 'own' },
      })
    })
    const mounts = {
      '/me/': app,
      '/staff/me/': app.getDecorator('staff'),
      '/inner/me/': inner.getDecorator('own'),
    }
    await app.ready()
    for (const [url, mount] of Object.entries(mounts)) {
      const headers = await logInAs(mount as FastifyInstance, { username: 'ada' })
      const urls = Object.keys(mounts)
      const statuses = await Promise.all(
        urls.map(async (each) => (await app.inject({ url: each, headers })).statusCode),
      )
      expect(statuses).toEqual(urls.map((each) => (each === url ? 200 : 401)))
    }
  })

  test("works with the app's own @fastify/session", async () => {
    const app = Fastify()
    await app.register(fastifyCookie)
    await app.register(fastifySession, { secret: 'x'.repeat(40), cookie: { secure: false } })
    await shop({}, app)
    expect(await bodyOf(app, '/name', await logInAs(app, ada))).toBe('ada')
    expect(await bodyOf(app, '/recent', await logInAs(app, 'ada'))).toBe('recent')
  })
})

describe.each(sample('test kit', grounds))('on $name', ({ isHere, open }) => {
  test('logs in, sends emails and holds the clock', async ({ skip }) => {
    if (!isHere) return skip()
    const ground = await open()
    onTestFinished(() => ground.close())
    const { users, sessions, throttle } = await ground.stores()
    const { app, mailbox } = await shop({
      userStore: users,
      sessionStore: sessions,
      throttle: { store: throttle },
    })
    onTestFinished(() => app.close())
    const headers = await logInAs(app, ada)
    expect(await bodyOf(app, '/recent', headers)).toBe('recent')
    await reset(app)
    expect((await mailbox.next('reset-password')).to.address).toBe(ada.email)
    const clock = holdClock()
    onTestFinished(clock.release)
    clock.advance(15 * 60_000)
    expect(await codeOf(app, '/recent', headers)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    expect(await bodyOf(app, '/name', headers)).toBe('ada')
  })
})

describe('mountAccounts', () => {
  test('keeps every protection of a real app', async () => {
    const { app } = await shop({ users: true })
    const headers = { ...(await logInAs(app, ada)), origin: 'https://evil.example' }
    const crossSite = await app.inject({ method: 'POST', url: '/logout/', headers })
    expect(crossSite.json().code).toBe('ACCOUNTS_CROSS_SITE')
    const short = { username: 'bob', password: 'short', confirm_password: 'short' }
    expect((await app.inject({ method: 'POST', url: '/signup/', payload: short })).statusCode).toBe(400)
    const payload = { username: 'ada', password: 'wrong' }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 30; attempt += 1)
      statuses.push((await app.inject({ method: 'POST', url: '/login/', payload })).statusCode)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
  })

  test('takes any option', async () => {
    const mailer = { send: vi.fn(async () => {}) }
    const { app } = await shop({ mailer, prefix: '/accounts', baseUrl, secret })
    await logInAs(app, ada)
    await app.inject({ method: 'POST', url: '/accounts/forgot/', payload: { email: ada.email } })
    await app.close()
    expect(mailer.send).toHaveBeenCalledOnce()
  })
})

describe('the mailbox', () => {
  test('hands out emails in the order of the requests, with link and code', async () => {
    const { app, mailbox } = await shop({ login: { emailCode: true } })
    await logInAs(app, ada)
    await logInAs(app, { username: 'bob', email: 'Bob@example.org' })
    const first = mailbox.next('reset-password')
    await reset(app)
    await reset(app, 'bob@example.org')
    expect((await first).to.address).toBe('ada@example.org')
    expect((await mailbox.next('reset-password', 'bob@example.org')).to.address).toBe('Bob@example.org')
    await reset(app)
    const { link } = await mailbox.next('reset-password', 'ada@example.org')
    expect((await app.inject(link)).statusCode).toBe(200)
    expect(mailbox.mails.map(({ kind }) => kind)).toEqual(Array(3).fill('reset-password'))

    await app.inject({ method: 'POST', url: '/login/code/', payload: { email: ada.email } })
    const mail = await mailbox.next('login-code')
    expect(mail.code).toMatch(/^\w{4}-\w{4}$/)
    await mailbox.send({ ...mail, text: 'Hello', kind: 'new-device' })
    const other = await mailbox.next('new-device')
    expect(() => other.link).toThrow('the email new-device has no link: Hello')
    expect(() => other.code).toThrow('has no code')
  })

  test('does not wait until an email may be sent', async () => {
    Object.assign(
      shared('wakeDelay', () => ({})),
      { min: 60_000, max: 60_000 },
    )
    const { app, mailbox } = await shop()
    await logInAs(app, ada)
    await reset(app)
    expect((await mailbox.next('reset-password')).to.address).toBe(ada.email)
  })

  test('gives up after a while, and lists what came instead, also with fake timers', async () => {
    const { app, mailbox } = await shop()
    await logInAs(app, ada)
    await reset(app)
    await mailbox.next('reset-password')
    vi.useFakeTimers()
    await expect(mailbox.next('reset-password', 'bob@example.org')).rejects.toThrow(
      'no other email reset-password to bob@example.org has arrived in 4 seconds, only: reset-password to ada@example.org',
    )
    await expect(createMailbox().next('login-code')).rejects.toThrow('only: none at all')
  })
})

describe('the held clock', () => {
  test('decides when a recent login and a session end', async () => {
    const clock = holdClock()
    onTestFinished(clock.release)
    const { app } = await shop()
    const headers = await logInAs(app, ada)
    clock.advance(15 * 60_000 - 1)
    expect(await bodyOf(app, '/recent', headers)).toBe('recent')
    clock.advance(1)
    expect(await codeOf(app, '/recent', headers)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    expect(await bodyOf(app, '/name', headers)).toBe('ada')
    clock.advance(366 * 86_400_000)
    expect(await codeOf(app, '/name', headers)).toBe('ACCOUNTS_LOGIN_REQUIRED')
  })

  test('decides when a link ends, while emails still arrive', async () => {
    const clock = holdClock(new Date('2026-03-01T12:00:00Z'))
    onTestFinished(clock.release)
    const { app, mailbox } = await shop()
    await logInAs(app, ada)
    await reset(app)
    const { link } = await mailbox.next('reset-password')
    expect((await app.inject(link)).statusCode).toBe(200)
    clock.set(new Date('2026-03-08T12:00:00Z'))
    expect((await app.inject(link)).statusCode).toBe(400)
  })

  test('stands still, is a Date, and is gone when released', () => {
    const real = Date
    const clock = holdClock(new Date('2026-03-01T12:00:00Z'))
    onTestFinished(clock.release)
    const noon = new Date()
    expect([noon.toISOString(), Date.now()]).toEqual(['2026-03-01T12:00:00.000Z', noon.getTime()])
    expect([noon instanceof Date, noon instanceof real, new real() instanceof Date]).toEqual([
      true,
      true,
      true,
    ])
    expect(Date()).toBe(noon.toString())
    expect(new Date(2020, 1, 29).getTime()).toBe(new real(2020, 1, 29).getTime())
    expect(Date.parse('2020-01-01')).toBe(Date.UTC(2020, 0, 1))
    class Later extends Date {}
    expect(new Later().getTime()).toBe(noon.getTime())
    expect(new Later()).toBeInstanceOf(Later)
    expect(() => clock.advance(Number.NaN)).toThrow('the time must be a valid one, got NaN milliseconds')
    expect(() => clock.set(new Date('tomorrow'))).toThrow(RangeError)
    expect(() => holdClock(new Date(''))).toThrow(RangeError)
    clock.release()
    expect(Date).toBe(real)
  })

  test('is not needed with fake timers that replace only Date', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { app, mailbox } = await shop()
    const headers = await logInAs(app, ada)
    vi.setSystemTime(Date.now() + 15 * 60_000)
    expect(await codeOf(app, '/recent', headers)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    await reset(app)
    expect((await mailbox.next('reset-password')).to.address).toBe(ada.email)
  })

  test('is not needed with fake timers that leave the turns of the event loop real', async () => {
    const { app, mailbox } = await shop()
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'performance'] })
    const headers = await logInAs(app, ada)
    await vi.advanceTimersByTimeAsync(15 * 60_000)
    expect(await codeOf(app, '/recent', headers)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    await reset(app)
    expect((await mailbox.next('reset-password')).to.address).toBe(ada.email)
  })
})

test('none of it runs in production', async () => {
  const app = Fastify()
  await mountAccounts(app)
  vi.stubEnv('NODE_ENV', 'production')
  const calls = {
    createCheapHasher,
    createMailbox,
    holdClock,
    mountAccounts: () => mountAccounts(Fastify()),
    logInAs: () => logInAs(app, ada),
  }
  for (const [name, call] of Object.entries(calls)) {
    await expect((async () => call())()).rejects.toThrow(
      `${name} of @fastify-accounts/testing is for tests: NODE_ENV must not be production`,
    )
  }
  expect(() => createTestOptions()).toThrow('NODE_ENV')
})
