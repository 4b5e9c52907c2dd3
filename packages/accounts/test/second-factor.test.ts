import {
  as,
  cookieNamed,
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  whoIs,
} from '@fastify-accounts/test-support/app'
import {
  codeOf,
  enroll,
  factorApp,
  firstStep,
  secondStep,
} from '@fastify-accounts/test-support/second-factor'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryUserStore } from '../src/index.js'

const codeOfResponse = (response: { statusCode: number; json(): { code: string } }) => [
  response.statusCode,
  response.statusCode === 200 ? null : response.json().code,
]

// So no time step ends between creating and using a code.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('enrolling', () => {
  test('shows a secret, its URI and a QR code, and stores nothing until a code is right', async () => {
    const service = await factorApp()
    const cookie = await logIn(service)
    const begun = (await service.send('POST', '/second-factor/totp/', undefined, as(cookie))).json()
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(begun.uri)
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/localhost 3000:alice',
    ])
    expect(uri.searchParams.get('secret')).toBe(begun.secret)
    expect(begun.qr_svg).toMatch(/^<svg/)
    const { credentials, factors } = (await service.users.findById(service.id)) ?? {}
    expect([credentials, factors]).toEqual([[], []])
    const body = { code: '000000', token: begun.token }
    const refused = await service.send('POST', '/second-factor/totp/confirm/', body, as(cookie))
    expect(refused.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'code', code: 'incorrect' }] })
  })

  test('reminds of what was removed before there were API keys', async () => {
    const service = await factorApp()
    const cookie = await logIn(service)
    const user = await service.users.findById(service.id)
    const counts = { passkeys: 1, apps: 0, recovery_codes: 0, identities: 0, remembered_devices: 0 }
    const removed = { at: new Date().toISOString(), epoch: 0, ...counts }
    await service.users.update(service.id, { notes: { removed } }, user?.version ?? 0, [])
    const shown = await service.send('GET', '/second-factor/', undefined, as(cookie))
    expect(shown.json().removed).toMatchObject({ passkeys: 1, apps: 0, api_keys: 0 })
  })

  test('returns ten recovery codes, ends other sessions, and notifies the owner', async () => {
    const service = await factorApp()
    const other = await logIn(service)
    const { codes, cookie, secret } = await enroll(service)
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect(await whoIs(service, other)).toBeNull()
    expect(await whoIs(service, cookie)).toBe('alice')
    expect((await service.mail('factor-added')).text).toContain('/not-me/')
    const shown = await service.send('GET', '/second-factor/', undefined, as(cookie))
    expect(shown.json()).toEqual({
      removed: null,
      ...{ totp: true, passkeys: false, recovery_codes_left: 10, required: false },
      apps: [
        {
          ...{ id: expect.any(String), name: 'Authenticator app' },
          ...{ created_at: new Date().toISOString(), last_used_at: null },
        },
      ],
      remembered_devices: [],
    })
    const kept = JSON.stringify((await service.users.findById(service.id))?.credentials)
    for (const each of [secret, ...codes]) expect(kept).not.toContain(each)
  })

  test('is rejected on a store that drops credentials', async () => {
    const store = createMemoryUserStore()
    const service = await factorApp({
      userStore: {
        ...store,
        update: (id, { credentials: _, ...changes }, ...rest) => store.update(id, changes, ...rest),
      },
    })
    await expect(enroll(service)).rejects.toThrow('500')
  })
})

describe('a login with a factor on', () => {
  test('is 503, never a login without a factor, if the key of the secret is gone', async () => {
    const users = createMemoryUserStore()
    const service = await factorApp({ userStore: users })
    const { secret } = await enroll(service)
    const other = await factorApp({
      userStore: { ...users, create: async (user) => ({ ...user, id: 'x', version: 1 }) },
      secret: 'YW5vdGhlci1zZWNyZXQtb2YtZW5vdWdoLWJ5dGVzLWhlcmU',
    })
    const pending = await firstStep(other)
    expect((await secondStep(other, pending, codeOf(secret))).statusCode).toBe(503)
  })
})

describe('a remembered device', () => {
  const day = 86_400_000
  const password = { username: 'alice', password: goodPassword }
  /** An app, and the cookie of a device that alice chose to remember when using her factor. */
  async function rememberedApp(options: Parameters<typeof factorApp>[0] = {}, given = {}) {
    const service = await factorApp(options, given)
    const enrolled = await enroll(service)
    const body = { code: enrolled.codes[0] ?? '', remember_device: true }
    const done = await service.send('POST', '/login/second-factor/', body, as(await firstStep(service)))
    const device = cookieNamed(done, `${options.baseUrl ? '__Host-' : ''}session-remembered`)
    const skips = async (headers = as(device), who: object = password) =>
      (await service.send('POST', '/login/', who, headers)).statusCode === 200
    return { ...enrolled, service, cookie: cookieOf(done), done, device, skips }
  }

  test('is remembered only if its owner asks for it and the factor was right', async () => {
    const { service, secret, codes } = await rememberedApp()
    const bodies = [
      { code: codeOf(secret) },
      { code: codes[1], remember_device: false },
      { code: codes[2], remember_device: 'false' },
      { code: '000000', remember_device: true },
    ]
    for (const body of bodies) {
      const done = await service.send('POST', '/login/second-factor/', body, as(await firstStep(service)))
      expect(done.cookies.map(({ name }) => name)).not.toContain('session-remembered')
    }
  })

  test('gets a session without the factor, allowed where one is required', async () => {
    const { service, device } = await rememberedApp({}, { requiredFor: () => true })
    const session = cookieOf(await service.send('POST', '/login/', password, as(device)))
    const [row] = [...service.sessions.rows.values()].slice(-1)
    expect(row).toMatchObject({ methods: ['pwd', 'remembered'], confirmedAt: null })
    expect((await service.send('GET', '/me/', undefined, as(session))).statusCode).toBe(200)
    expect((await service.send('PATCH', '/me/', {}, as(session))).statusCode).toBe(200)
    const deep = await service.send('DELETE', '/second-factor/totp/', undefined, as(session))
    expect(codeOfResponse(deep)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
  })

  type Remembered = Awaited<ReturnType<typeof rememberedApp>>
  test.each<[string, (remembered: Remembered) => Promise<unknown>]>([
    [
      'the use of the last recovery code',
      async ({ service, codes, skips }) => {
        for (const code of codes.slice(1)) {
          expect(await skips()).toBe(true)
          await secondStep(service, await firstStep(service), code)
        }
      },
    ],
    [
      'another app in place of the first',
      async ({ service, cookie }) => {
        await service.send('DELETE', '/second-factor/totp/', undefined, as(cookie))
        await enroll(service, cookie)
      },
    ],
  ])('is forgotten after %s', async (_, end) => {
    const remembered = await rememberedApp()
    expect(await remembered.skips()).toBe(true)
    await end(remembered)
    await firstStep(remembered.service)
    expect(await remembered.skips()).toBe(false)
  })

  test('is one of the newest twenty of an account', async () => {
    const { service, secret, cookie, skips } = await rememberedApp()
    for (let n = 1; n <= 20; n += 1) {
      vi.setSystemTime(Date.now() + 30_000)
      const body = { code: codeOf(secret), remember_device: 'on' }
      const done = await service.send('POST', '/login/second-factor/', body, as(await firstStep(service)))
      expect(done.statusCode).toBe(200)
    }
    expect(await skips()).toBe(false)
    const shown = await service.send('GET', '/second-factor/', undefined, as(cookie))
    expect(shown.json().remembered_devices).toHaveLength(20)
  })

  test('has a cookie for this host only on https', async () => {
    const { done } = await rememberedApp({ baseUrl: 'https://example.org' })
    expect(done.cookies.map(({ name }) => name)).toContain('__Host-session-remembered')
  })

  test.each([-1, 1.5, '30 days', 366 * day])('rememberFor: %s stops the start', async (rememberFor) => {
    await expect(factorApp({}, { rememberFor: rememberFor as number })).rejects.toThrow(
      'secondFactor.rememberFor',
    )
  })
})

describe('with a factor on', () => {
  test("a new password doesn't extend the factor's confirmation", async () => {
    const service = await factorApp()
    const { cookie } = await enroll(service)
    vi.setSystemTime(Date.now() + 14 * 60_000)
    const change = {
      old_password: goodPassword,
      new_password: otherPassword,
      confirm_password: otherPassword,
    }
    const changed = await service.send('POST', '/change-password/', change, as(cookie))
    expect(changed.statusCode).toBe(204)
    vi.setSystemTime(Date.now() + 2 * 60_000)
    const removed = await service.send('DELETE', '/second-factor/totp/', undefined, as(cookieOf(changed)))
    expect(codeOfResponse(removed)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
  })

  test("a thief who generates recovery codes in a loop doesn't flood the inbox", async () => {
    const service = await factorApp({ throttle: {} })
    const { cookie } = await enroll(service)
    for (let n = 0; n < 12; n += 1) {
      await service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie))
    }
    await service.app.close()
    const notices = service.mails.filter(({ kind }) => kind === 'recovery-codes-changed')
    // Five, and one that replaces the others.
    expect([5, 6]).toContain(notices.length)
  })

  test('an account can have ten apps', async () => {
    const service = await factorApp()
    let { cookie } = await enroll(service)
    for (let n = 1; n < 10; n += 1) ({ cookie } = await enroll(service, cookie))
    await expect(enroll(service, cookie)).rejects.toThrow('ACCOUNTS_CONFLICT')
  })

  test("the app's own code can remove it, and the owner is notified once", async () => {
    const service = await factorApp()
    const { cookie } = await enroll(service)
    const { resetUserFactors } = service.app.accounts
    const removed = { factors: ['totp'], apps: 1, recoveryCodes: 10, passkeys: 0, keptPasskeys: 0 }
    expect(await resetUserFactors(service.id)).toEqual(removed)
    await service.mail('factor-removed')
    expect(await whoIs(service, cookie)).toBe('alice')
    expect(await whoIs(service, await logIn(service))).toBe('alice')
    const nothing = { factors: [], apps: 0, recoveryCodes: 0, passkeys: 0, keptPasskeys: 0 }
    expect(await resetUserFactors(service.id)).toEqual(nothing)
    await service.app.close()
    expect(service.mails.filter(({ kind }) => kind === 'factor-removed')).toHaveLength(1)
    expect(await resetUserFactors('nobody')).toBeNull()
  })
})

describe('several apps', () => {
  /** Alice with a phone and a tablet. */
  async function twoApps() {
    const service = await factorApp()
    const phone = await enroll(service, undefined, 'Phone')
    vi.setSystemTime(Date.now() + 60_000)
    const tablet = await enroll(service, phone.cookie, 'Tablet')
    const session = as(tablet.cookie)
    const list = async () =>
      (await service.send('GET', '/second-factor/', undefined, session)).json().apps as {
        id: string
        name: string
        created_at: string
        last_used_at: string | null
      }[]
    const [{ id: phoneId } = { id: '' }, { id: tabletId } = { id: '' }] = await list()
    const pathOf = (id: string) => `/second-factor/totp/${id}`
    return { service, phone, tablet, session, list, phonePath: pathOf(phoneId), tabletPath: pathOf(tabletId) }
  }

  test('are listed with their names and last use, and each completes a login', async () => {
    const { service, phone, tablet, list } = await twoApps()
    const now = new Date().toISOString()
    const before = new Date(Date.now() - 60_000).toISOString()
    expect(tablet.codes).toEqual([])
    expect(await list()).toMatchObject([
      { name: 'Phone', created_at: before, last_used_at: null },
      { name: 'Tablet', created_at: now, last_used_at: null },
    ])
    expect((await secondStep(service, await firstStep(service), codeOf(tablet.secret))).statusCode).toBe(200)
    expect((await list()).map(({ last_used_at }) => last_used_at)).toEqual([null, now])
    expect((await secondStep(service, await firstStep(service), codeOf(phone.secret))).statusCode).toBe(200)
    expect((await list()).map(({ last_used_at }) => last_used_at)).toEqual([now, now])
  })

  test('can be renamed by their owner only, which ends no pending login', async () => {
    const { service, phone, session, list, phonePath } = await twoApps()
    const pending = await firstStep(service)
    const rename = (body: object, path = phonePath, headers = session) =>
      service.send('PATCH', path, body, headers)
    const renamed = await rename({ name: 'Old phone' })
    expect([renamed.statusCode, renamed.json()]).toEqual([200, (await list())[0]])
    expect((await list()).map(({ name }) => name)).toEqual(['Old phone', 'Tablet'])
    for (const name of ['', 'x'.repeat(101), 'a\u0000b', 7, undefined])
      expect([name, (await rename({ name })).statusCode]).toEqual([name, 400])
    expect((await rename({ name: 'x' }, '/second-factor/totp/none')).statusCode).toBe(404)
    await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
    const bob = as(await logIn(service, 'bob'))
    expect((await rename({ name: 'x' }, phonePath, bob)).statusCode).toBe(404)
    expect((await service.send('DELETE', phonePath, undefined, bob)).statusCode).toBe(404)
    expect((await list()).map(({ name }) => name)).toEqual(['Old phone', 'Tablet'])
    expect((await secondStep(service, pending, codeOf(phone.secret))).statusCode).toBe(200)
  })

  test('have a rate limit for renaming, per user', async () => {
    const limits = { changeProfile: { max: 2, window: 60_000 } }
    const service = await factorApp({ throttle: { limits } })
    const { cookie } = await enroll(service)
    const { apps } = (await service.send('GET', '/second-factor/', undefined, as(cookie))).json()
    const rename = (path: string) => service.send('PATCH', path, { name: 'Phone' }, as(cookie))
    const path = `/second-factor/totp/${apps[0].id}`
    const responses = [await rename(path), await rename('/second-factor/totp/none'), await rename(path)]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 404, 429])
    vi.setSystemTime(Date.now() + 60_000)
    expect((await rename(path)).statusCode).toBe(200)
  })
})

describe('on routes of the host', () => {
  async function hostApp() {
    const service = await factorApp(
      {},
      {},
      {
        before: (app) => {
          app.post<{ Body: { id: string; methods: string[] } }>('/own-login', async (request, reply) => {
            const { id, methods } = request.body
            return app.accounts.logIn(request, reply, id, { methods })
          })
          for (const hook of ['requireSecondFactor', 'requireRecentLogin'] as const) {
            app.get(
              `/${hook}`,
              { onRequest: (request, reply) => app.accounts[hook](request, reply) },
              () => 'gold',
            )
          }
        },
      },
    )
    const ownLogin = (methods: string[]) => service.send('POST', '/own-login', { id: service.id, methods })
    const ask = async (hook: string, cookie: string) =>
      codeOfResponse(await service.send('GET', `/${hook}`, undefined, as(cookie)))
    return { service, ownLogin, ask }
  }

  test('a login by the host requires the factor, unless its methods include mfa', async () => {
    const { service, ownLogin } = await hostApp()
    const { secret } = await enroll(service)
    for (const methods of [['host'], ['fed'], ['pwd', 'otp']]) {
      const owing = await ownLogin(methods)
      expect(codeOfResponse(owing)).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
      expect(owing.cookies.map(({ name }) => name)).toEqual(['session-pending'])
    }
    const done = await secondStep(
      service,
      cookieNamed(await ownLogin(['fed']), 'session-pending'),
      codeOf(secret),
    )
    expect(await whoIs(service, cookieOf(done))).toBe('alice')
    expect([...service.sessions.rows.values()].at(-1)?.methods).toEqual(['fed', 'otp', 'mfa'])
    expect(await whoIs(service, cookieOf(await ownLogin(['fed', 'mfa'])))).toBe('alice')
  })

  test('requireRecentLogin requires the factor, used recently', async () => {
    const { service, ask } = await hostApp()
    const { cookie, secret } = await enroll(service)
    expect(await ask('requireRecentLogin', cookie)).toEqual([200, null])
    vi.setSystemTime(Date.now() + 16 * 60_000)
    expect(await ask('requireRecentLogin', cookie)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
    const confirmed = await service.send('POST', '/confirm/', { code: codeOf(secret) }, as(cookie))
    expect(await ask('requireRecentLogin', cookieOf(confirmed))).toEqual([200, null])
  })
})
