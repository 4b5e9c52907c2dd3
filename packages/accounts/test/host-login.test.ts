import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'
import type { AccountsOptions, HostLogin } from '../src/index.js'

/** An app with its own login method, and a route that requires a recent password. */
async function hostApp(options: Partial<AccountsOptions> = {}) {
  const service = await testApp(options, {
    before: (app) => {
      app.post<{ Body: { id: string; how?: HostLogin } }>('/own-login', async (request, reply) => {
        const user = await app.accounts.logIn(request, reply, request.body.id, request.body.how)
        return { returned: user.username, onRequest: request.user?.username }
      })
      app.get(
        '/vault',
        { onRequest: (request, reply) => app.accounts.requireRecentLogin(request, reply) },
        () => 'gold',
      )
    },
  })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const user = await service.app.accounts.findUser({ username: 'alice' })
  const id = user?.id ?? ''
  const ownLogin = (how?: HostLogin, headers: Record<string, string> = {}) =>
    service.send('POST', '/own-login', { id, ...(how && { how }) }, { headers })
  const vault = async (cookie: string) =>
    (await service.send('GET', '/vault', undefined, { headers: { cookie } })).statusCode
  return { ...service, service, id, ownLogin, vault }
}

test('cookies are sent after the app has asked about the request alone', async () => {
  const { app, id } = await testApp(
    {},
    {
      before: (host) => {
        host.addHook('onRequest', async (request) => void (await host.accounts.loadUser(request)))
        host.post<{ Body: { id: string } }>('/own-login', (request, reply) =>
          host.accounts.logIn(request, reply, request.body.id),
        )
      },
    },
  ).then(async (service) => ({ ...service, id: (await signUp(service)).id }))
  const payload = { username: 'alice', password: goodPassword }
  for (const [url, body] of [
    ['/login/', payload],
    ['/own-login', { id }],
  ] as const) {
    const { cookies } = await app.inject({ method: 'POST', url, payload: body })
    expect([url, cookies.map(({ name }) => name)]).toEqual([url, expect.arrayContaining(['session'])])
  }
})

test('a login verified by the host creates a normal session', async () => {
  const { service, ownLogin, sessions } = await hostApp()
  const response = await ownLogin()
  expect(response.json()).toEqual({ returned: 'alice', onRequest: 'alice' })
  expect(await whoIs(service, cookieOf(response))).toBe('alice')
  expect([...sessions.rows.values()]).toMatchObject([{ methods: ['host'], confirmedAt: null }])
})

test("a method trusted by the host alone doesn't count as a recent password until the owner gives it", async () => {
  const { service, ownLogin, vault } = await hostApp()
  const cookie = cookieOf(await ownLogin())
  expect(await vault(cookie)).toBe(403)
  const confirmed = await service.send(
    'POST',
    '/confirm/',
    { password: goodPassword },
    { headers: { cookie } },
  )
  expect(await vault(cookieOf(confirmed))).toBe(200)
  expect([...service.sessions.rows.values()]).toMatchObject([{ methods: ['host', 'pwd'] }])
})

test("a method that needs the owner's presence counts as recent", async () => {
  const { ownLogin, vault, sessions } = await hostApp()
  const cookie = cookieOf(await ownLogin({ methods: ['otp', 'mfa'] }))
  expect(await vault(cookie)).toBe(200)
  expect([...sessions.rows.values()]).toMatchObject([{ methods: ['otp', 'mfa'] }])
})

test("it ends the request's session, and is remembered if the host says so", async () => {
  const { service, ownLogin } = await hostApp()
  const before = await logIn(service)
  const response = await ownLogin({ remember: true }, { cookie: before })
  expect(String(response.headers['set-cookie'])).toContain('Expires=')
  expect([await whoIs(service, before), await whoIs(service, cookieOf(response))]).toEqual([null, 'alice'])
})

test('a user who may not log in is rejected, whatever the host says', async () => {
  const { service, id, ownLogin } = await hostApp({ requireEmailConfirmation: true })
  const unverified = await ownLogin()
  expect(unverified.json()).toMatchObject({ code: 'ACCOUNTS_NOT_VERIFIED' })
  // The host's word doesn't show that the account was made in this browser, so its link asks for a password.
  expect(unverified.cookies).toEqual([])
  await service.app.accounts.updateUser(id, { isVerified: true, isActive: false })
  expect((await ownLogin()).json()).toMatchObject({ code: 'ACCOUNTS_DISABLED' })
  await service.app.accounts.deleteUser(id)
  expect((await ownLogin()).json()).toMatchObject({ code: 'ACCOUNTS_NOT_FOUND' })
  expect(service.sessions.rows.size).toBe(0)
})

test.each([{ methods: [] }, { methods: [''] }, { methods: ['two words'] }])('rejects %o', async (how) => {
  const { ownLogin } = await hostApp()
  const refused = await ownLogin(how)
  expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([400, undefined])
})

test('a password change while the host finishes the login ends it', async () => {
  const { service, id, ownLogin, users } = await hostApp()
  const { update } = users
  let isFirst = true
  users.update = async (...args) => {
    if (isFirst) {
      isFirst = false
      await service.app.accounts.setPassword(id, otherPassword)
    }
    return update(...args)
  }
  const refused = await ownLogin()
  expect([refused.json().code, service.sessions.rows.size]).toEqual(['ACCOUNTS_INVALID_CREDENTIALS', 0])
})

test("a login by the host doesn't make the device known: the next login there is emailed", async () => {
  const { service, id, ownLogin } = await hostApp()
  await service.app.accounts.updateUser(id, { isVerified: true })
  await logIn(service)
  const vouched = await ownLogin()
  expect(vouched.cookies.map(({ name }) => name)).toEqual(['session'])
  const proved = await ownLogin({ methods: ['mfa'] })
  expect(proved.cookies.map(({ name }) => name)).toEqual(['session', 'session-device'])
})

test("a login by the host doesn't inherit the recent password of the previous user", async () => {
  const service = await testApp(
    {},
    {
      before: (app) => {
        app.post<{ Body: { id: string } }>(
          '/switch',
          { onRequest: (request, reply) => app.accounts.loadUser(request, reply) },
          async (request, reply) => {
            await app.accounts.logIn(request, reply, request.body.id)
            await app.accounts.requireRecentLogin(request, reply)
            return 'gold'
          },
        )
      },
    },
  )
  await signUp(service)
  const bob = await signUp(service, 'bob')
  const cookie = await logIn(service)
  const response = await service.send('POST', '/switch', { id: bob.id }, { headers: { cookie } })
  expect(response.json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
})

test('a user whom the app has logged in during a request stays logged in there, until something ends all their sessions', async () => {
  let end: () => unknown = () => {}
  const service = await testApp(
    {},
    {
      before: (app) => {
        app.post<{ Body: { id: string } }>('/enter', async (request, reply) => {
          await app.accounts.loadUser(request, reply)
          await app.accounts.logIn(request, reply, request.body.id)
          await end()
          await app.accounts.requireUser(request, reply)
          return { user: request.user?.username }
        })
      },
    },
  )
  await signUp(service, 'bob')
  const headers = { cookie: await logIn(service, 'bob') }
  const { id } = await service.app.accounts.createUser({ username: 'alice', password: goodPassword })
  const enter = () => service.send('POST', '/enter', { id }, { headers })
  expect((await enter()).json()).toEqual({ user: 'alice' })
  end = () => service.app.accounts.endUserSessions(id)
  expect((await enter()).statusCode).toBe(401)
  end = () => service.app.accounts.deleteUser(id)
  expect((await enter()).statusCode).toBe(401)
})
