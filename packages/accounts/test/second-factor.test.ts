import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
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
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryUserStore, type Mail } from '../src/index.js'

const codeOfResponse = (response: { statusCode: number; json(): { code: string } }) => [
  response.statusCode,
  response.statusCode === 200 ? null : response.json().code,
]
function cookieNamed({ cookies }: { cookies: { name: string; value: string }[] }, name: string): string {
  return `${name}=${cookies.find((each) => each.name === name)?.value ?? ''}`
}
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const wrong = [401, 'ACCOUNTS_INVALID_CODE']

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
    const note = { kind: 'removed', id: 'removed', at: new Date().toISOString(), epoch: 0, ...counts }
    await service.users.update(service.id, { credentials: [note] }, user?.version ?? 0, [])
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

  test('requires a recent login and a verified address', async () => {
    const service = await factorApp()
    await service.app.accounts.createUser({ username: 'bob', password: goodPassword, email: 'b@example.org' })
    const bob = await logIn(service, 'bob')
    const refused = await service.send('POST', '/second-factor/totp/', undefined, as(bob))
    expect(codeOfResponse(refused)).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
    const alice = await logIn(service)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const late = await service.send('POST', '/second-factor/totp/', undefined, as(alice))
    expect(codeOfResponse(late)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
  })

  test.each([
    ['in another session', async (service: TestApp) => logIn(service)],
    [
      'after a factor was added meanwhile',
      async (service: TestApp, cookie: string) => (await enroll(service, cookie)).cookie,
    ],
  ])('a token is invalid %s', async (_, change) => {
    const service = await factorApp()
    const cookie = await logIn(service)
    const begun = (await service.send('POST', '/second-factor/totp/', undefined, as(cookie))).json()
    vi.setSystemTime(Date.now() + 5)
    const later = await change(service, cookie)
    const body = { code: codeOf(begun.secret), token: begun.token }
    const response = await service.send('POST', '/second-factor/totp/confirm/', body, as(later))
    expect(response.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'token', code: 'invalid' }] })
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
  test('waits for a code without a session, and a right one completes it', async () => {
    const service = await factorApp()
    const { secret } = await enroll(service)
    const response = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect(response.json()).toMatchObject({
      statusCode: 401,
      code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED',
      factors: ['totp', 'recovery-code'],
    })
    expect(response.cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'session-pending', httpOnly: true, sameSite: 'Lax' },
    ])
    const pending = await firstStep(service)
    // The pending login is no session, under whatever cookie name.
    expect(await whoIs(service, pending)).toBeNull()
    expect(await whoIs(service, pending.replace('session-pending', 'session'))).toBeNull()
    const done = await secondStep(service, pending, codeOf(secret))
    expect(done.json()).toMatchObject({ username: 'alice' })
    expect(await whoIs(service, cookieOf(done))).toBe('alice')
    const [row] = [...service.sessions.rows.values()].slice(-1)
    expect(row?.methods).toEqual(['pwd', 'otp', 'mfa'])
  })

  test('a code works once, even in twenty simultaneous requests, and so do a pending login and a recovery code', async () => {
    const service = await factorApp()
    const { secret, codes } = await enroll(service)
    const waiting = await Promise.all(Array.from({ length: 20 }, () => firstStep(service)))
    const responses = await Promise.all(waiting.map((each) => secondStep(service, each, codeOf(secret))))
    // The clock is stopped: a finished login also ends the others within the same millisecond.
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(401)])
    const [first = '', ...rest] = codes
    const again = await firstStep(service)
    expect(codeOfResponse(await secondStep(service, again, codeOf(secret)))).toEqual(wrong)
    expect(
      (await secondStep(service, again, ` ${first.toLowerCase().replaceAll('-', ' ')} `)).statusCode,
    ).toBe(200)
    expect(codeOfResponse(await secondStep(service, again, rest[0] ?? ''))).toEqual(expired)
    expect(codeOfResponse(await secondStep(service, await firstStep(service), first))).toEqual(wrong)
  })

  test('accepts the code of this time step and the previous one, and no other', async () => {
    const service = await factorApp()
    const { secret } = await enroll(service)
    vi.setSystemTime(Date.now() + 5 * 60_000)
    const pending = await firstStep(service)
    for (const step of [-2, 1]) {
      expect(codeOfResponse(await secondStep(service, pending, codeOf(secret, step)))).toEqual(wrong)
    }
    expect((await secondStep(service, pending, codeOf(secret, -1))).statusCode).toBe(200)
    expect((await secondStep(service, await firstStep(service), codeOf(secret))).statusCode).toBe(200)
  })

  const ends: [string, (service: TestApp & { id: string }, cookie: string) => Promise<unknown>][] = [
    ['ten minutes', async () => vi.setSystemTime(Date.now() + 600_000)],
    ['a new password', (service) => service.app.accounts.setPassword(service.id, otherPassword)],
    ['the end of all sessions', (service) => service.app.accounts.endUserSessions(service.id)],
    [
      'disabling, even if enabled again',
      async (service) => {
        await service.app.accounts.updateUser(service.id, { isActive: false })
        await service.app.accounts.updateUser(service.id, { isActive: true })
      },
    ],
    [
      'new recovery codes',
      (service, cookie) => service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie)),
    ],
    [
      'the removal of the factor',
      (service, cookie) => service.send('DELETE', '/second-factor/totp/', undefined, as(cookie)),
    ],
  ]
  test.each(ends)('expires after %s', async (_, end) => {
    const service = await factorApp()
    const { secret, cookie } = await enroll(service)
    const pending = await firstStep(service)
    await end(service, cookie)
    expect(codeOfResponse(await secondStep(service, pending, codeOf(secret)))).toEqual(expired)
  })

  test("attempts share one rate limit, which a new login doesn't reset", async () => {
    const service = await factorApp({ throttle: {} })
    const { codes } = await enroll(service)
    for (let n = 0; n < 5; n += 1) {
      expect(codeOfResponse(await secondStep(service, await firstStep(service), '000000'))).toEqual(wrong)
    }
    const pending = await firstStep(service)
    expect((await secondStep(service, pending, codes[0] ?? '')).statusCode).toBe(429)
    expect((await service.mail('factor-guessed')).text).toContain(
      'the wrong codes or used the wrong passkeys',
    )
  })

  test('neither a reset nor a used code resets that limit', async () => {
    const service = await factorApp({ throttle: {} })
    const { secret } = await enroll(service)
    const used = codeOf(secret)
    expect((await secondStep(service, await firstStep(service), used)).statusCode).toBe(200)
    const pending = await firstStep(service)
    for (let n = 0; n < 4; n += 1) await secondStep(service, pending, '000000')
    expect(codeOfResponse(await secondStep(service, pending, used))).toEqual(wrong)
    expect((await secondStep(service, pending, '000000')).statusCode).toBe(429)
    await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    const pair = { new_password: goodPassword, confirm_password: goodPassword }
    const reset = await service.send('POST', linkPath(await service.mail('reset-password')), pair)
    const cookies = reset.cookies.map(({ name, value }) => `${name}=${value}`)
    const after = [await firstStep(service), ...cookies].join('; ')
    expect((await secondStep(service, after, '000000')).statusCode).toBe(429)
  })

  test("attempts elsewhere don't affect a device on which a factor was used, which has its own limit", async () => {
    const service = await factorApp({ throttle: {} })
    const { codes } = await enroll(service)
    const done = await secondStep(service, await firstStep(service), codes[0] ?? '')
    const device = cookieNamed(done, 'session-device')
    for (let n = 0; n < 5; n += 1) await secondStep(service, await firstStep(service), '000000')
    expect((await secondStep(service, await firstStep(service), codes[1] ?? '')).statusCode).toBe(429)
    const here = async (code: string) =>
      (await secondStep(service, `${await firstStep(service)}; ${device}`, code)).statusCode
    expect(await here(codes[1] ?? '')).toBe(200)
    for (let n = 0; n < 5; n += 1) expect(await here('000000')).toBe(401)
    expect(await here(codes[2] ?? '')).toBe(429)
  })

  test('a hundred wrong codes in a row turn the app off until another factor is used', async () => {
    const service = await factorApp()
    const { secret, codes } = await enroll(service)
    const pending = await firstStep(service)
    const told = () => service.mails.filter(({ kind }) => kind === 'factor-turned-off')
    for (let n = 0; n < 99; n += 1) await secondStep(service, pending, '000000')
    await service.settle()
    expect(told()).toEqual([])
    for (let n = 0; n < 2; n += 1) await secondStep(service, pending, '000000')
    expect(codeOfResponse(await secondStep(service, pending, codeOf(secret)))).toEqual(wrong)
    await service.settle()
    expect(told().map(({ to }) => to.address)).toEqual(['alice@example.org'])
    expect((await secondStep(service, pending, codes[0] ?? '')).statusCode).toBe(200)
    expect((await secondStep(service, await firstStep(service), codeOf(secret))).statusCode).toBe(200)
    expect(told()[0]?.text).toContain('don’t work for now')
    expect((await service.send('POST', linkPath(told()[0] as Mail))).statusCode).toBe(200)
    expect((await service.users.findById(service.id))?.passwordHash).toBe('!')
  })

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
    const device = cookieNamed(done, 'session-remembered')
    const skips = async (headers = as(device), who: object = password) =>
      (await service.send('POST', '/login/', who, headers)).statusCode === 200
    return { ...enrolled, service, cookie: cookieOf(done), done, device, skips }
  }

  test('requires no factor for thirty days, even after a logout, unlike other devices', async () => {
    const { service, done, cookie, skips } = await rememberedApp()
    const set = done.cookies.find(({ name }) => name === 'session-remembered')
    expect(set).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: (30 * day) / 1000 })
    const out = await service.send('POST', '/logout/', undefined, as(cookie))
    expect(out.cookies.map(({ name }) => name)).toEqual(['session'])
    expect(await skips()).toBe(true)
    expect(await skips(as('a=b'))).toBe(false)
    expect(await skips(as('session-remembered=AAAA'))).toBe(false)
    vi.setSystemTime(Date.now() + 30 * day - 1)
    expect(await skips()).toBe(true)
    vi.setSystemTime(Date.now() + 1)
    expect(await skips()).toBe(false)
  })

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

  test('is listed, and can be removed by its owner only', async () => {
    const { service, cookie, skips } = await rememberedApp()
    const shown = await service.send('GET', '/second-factor/', undefined, as(cookie))
    const [listed, ...others] = shown.json().remembered_devices
    expect(others).toEqual([])
    expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBe(30 * day)
    const path = `/second-factor/devices/${listed.id}`
    await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
    const bob = await logIn(service, 'bob')
    expect((await service.send('DELETE', path, undefined, as(bob))).statusCode).toBe(404)
    expect(await skips()).toBe(true)
    expect((await service.send('DELETE', path, undefined, as(cookie))).statusCode).toBe(204)
    expect((await service.send('DELETE', path, undefined, as(cookie))).statusCode).toBe(404)
    expect(await skips()).toBe(false)
  })

  test('is unknown to another account, in another realm, and where remembering is turned off', async () => {
    const users = createMemoryUserStore()
    const { service, device, skips } = await rememberedApp({ userStore: users })
    const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true }
    await service.app.accounts.createUser(bob)
    await enroll(service, await logIn(service, 'bob'))
    expect(await skips(as(device), { username: 'bob', password: goodPassword })).toBe(false)
    const onSame = { userStore: { ...users, create: async () => ({ id: 'x' }) as never } }
    const realm = await factorApp({ ...onSame, session: { cookieName: 'other' } })
    const there = await realm.send('POST', '/login/', password, as(device.replace('session', 'other')))
    expect(codeOfResponse(there)).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
    const off = await factorApp(onSame, { rememberFor: 0 })
    const owing = await off.send('POST', '/login/', password, as(device))
    expect(codeOfResponse(owing)).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
    const body = { code: '000000', remember_device: true }
    const refused = await off.send('POST', '/login/second-factor/', body, as(await firstStep(off)))
    expect(refused.statusCode).toBe(400)
    expect(await skips()).toBe(true)
  })

  type Remembered = Awaited<ReturnType<typeof rememberedApp>>
  const pair = { new_password: goodPassword, confirm_password: goodPassword }
  async function lockDown({ service }: Remembered) {
    const locked = await service.send('POST', linkPath(await service.mail('factor-added')), {})
    expect(locked.statusCode).toBeLessThan(400)
    const { factors } = (await service.users.findById(service.id)) ?? {}
    await service.send('POST', linkPath(await service.mail('choose-password')), pair)
    if (factors?.length === 0) await enroll(service)
  }
  const ends: [string, (remembered: Remembered) => Promise<unknown>][] = [
    ['a new password', ({ service }) => service.app.accounts.setPassword(service.id, goodPassword)],
    [
      'a reset',
      async ({ service }) => {
        await service.send('POST', '/forgot/', { email: 'alice@example.org' })
        await service.send('POST', linkPath(await service.mail('reset-password')), pair)
      },
    ],
    ['a lock-down', lockDown],
    ['the end of all sessions', ({ service }) => service.app.accounts.endUserSessions(service.id)],
    [
      'disabling, even if enabled again',
      async ({ service }) => {
        await service.app.accounts.updateUser(service.id, { isActive: false })
        await service.app.accounts.updateUser(service.id, { isActive: true })
      },
    ],
    [
      'new recovery codes',
      ({ service, cookie }) => service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie)),
    ],
    [
      'the use of the last recovery code',
      async ({ service, codes, skips }) => {
        for (const code of codes.slice(1)) {
          expect(await skips()).toBe(true)
          await secondStep(service, await firstStep(service), code)
        }
      },
    ],
    ['another app', ({ service, cookie }) => enroll(service, cookie)],
    [
      'another app in place of the first',
      async ({ service, cookie }) => {
        await service.send('DELETE', '/second-factor/totp/', undefined, as(cookie))
        await enroll(service, cookie)
      },
    ],
  ]
  test.each(ends)('is forgotten after %s', async (_, end) => {
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
  test('a password alone confirms nothing; a code alone does', async () => {
    const service = await factorApp()
    const { secret, cookie } = await enroll(service)
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const confirm = (body: object) => service.send('POST', '/confirm/', body, as(cookie))
    const deep = () => service.send('DELETE', '/second-factor/totp/', undefined, as(cookie))
    expect(codeOfResponse(await deep())).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
    expect(codeOfResponse(await confirm({ password: goodPassword }))).toEqual([
      403,
      'ACCOUNTS_CONFIRMATION_REQUIRED',
    ])
    expect((await confirm({ code: '000000' })).json()).toMatchObject({ fields: [{ code: 'incorrect' }] })
    const change = {
      old_password: goodPassword,
      new_password: otherPassword,
      confirm_password: otherPassword,
    }
    const changed = await service.send('POST', '/change-password/', change, as(cookie))
    expect(codeOfResponse(changed)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
    const done = await confirm({ code: codeOf(secret) })
    expect(done.statusCode).toBe(204)
    const removed = await service.send('DELETE', '/second-factor/totp/', undefined, as(cookieOf(done)))
    expect(removed.statusCode).toBe(204)
    expect((await service.mail('factor-removed')).text).toContain('/not-me/')
    expect((await service.users.findById(service.id))?.credentials).toEqual([])
    expect(await whoIs(service, await logIn(service))).toBe('alice')
  })

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

  test('new recovery codes replace the old ones, and the owner is warned about the last three', async () => {
    const service = await factorApp()
    const { codes: old, cookie } = await enroll(service)
    const renewed = await service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie))
    const codes: string[] = renewed.json().recovery_codes
    expect(codeOfResponse(await secondStep(service, await firstStep(service), old[0] ?? ''))).toEqual(wrong)
    for (const code of codes.slice(0, 7)) {
      expect((await secondStep(service, await firstStep(service), code)).statusCode).toBe(200)
    }
    expect((await service.mail('recovery-codes-low')).text).toContain('three or fewer')
    await service.mail('recovery-codes-changed')
  })

  test('a reset, a new address and disabling leave the factor on', async () => {
    const service = await factorApp()
    await enroll(service)
    await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    const pair = { new_password: goodPassword, confirm_password: goodPassword }
    await service.send('POST', linkPath(await service.mail('reset-password')), pair)
    await firstStep(service)
  })

  test('a reset through an address set by staff leaves it on as well', async () => {
    const service = await factorApp()
    await enroll(service)
    await service.app.accounts.createUser({ username: 'manager', password: goodPassword, isStaff: true })
    const manager = as(await logIn(service, 'manager'))
    await service.send('PATCH', `/user/${service.id}`, { email: 'typo@example.org' }, manager)
    await service.send('POST', '/forgot/', { email: 'typo@example.org' })
    const pair = { new_password: goodPassword, confirm_password: goodPassword }
    const reset = await service.send('POST', linkPath(await service.mail('reset-password')), pair)
    expect(reset.statusCode).toBe(204)
    await firstStep(service)
  })

  test('staff can remove it, and the owner is notified', async () => {
    const service = await factorApp()
    await enroll(service)
    const staff = { username: 'manager', password: goodPassword, isStaff: true }
    await service.app.accounts.createUser(staff)
    const cookie = await logIn(service, 'manager')
    const path = `/user/${service.id}/second-factor/reset/`
    expect(
      (await service.send('POST', path, undefined, as(await logIn(service, 'manager')))).statusCode,
    ).toBe(204)
    await service.mail('factor-removed')
    expect(await whoIs(service, await logIn(service))).toBe('alice')
    await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
    const bob = await logIn(service, 'bob')
    expect((await service.send('POST', path, undefined, as(bob))).statusCode).toBe(403)
    expect((await service.send('POST', path, undefined, as(cookie))).statusCode).toBe(204)
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

  test('are removed one by one, the last with the recovery codes, and the owner is notified of each', async () => {
    const { service, phone, tablet, session, list, phonePath, tabletPath } = await twoApps()
    const told = () => service.mails.filter(({ kind }) => kind === 'factor-removed')
    const pending = await firstStep(service)
    expect((await service.send('DELETE', phonePath, undefined, session)).statusCode).toBe(204)
    expect((await service.send('DELETE', phonePath, undefined, session)).statusCode).toBe(404)
    await expect.poll(() => told().length).toBe(1)
    expect(told()[0]?.text).toContain('/not-me/')
    expect((await list()).map(({ name }) => name)).toEqual(['Tablet'])
    expect(codeOfResponse(await secondStep(service, pending, codeOf(tablet.secret)))).toEqual(expired)
    const wrongApp = await secondStep(service, await firstStep(service), codeOf(phone.secret))
    expect(codeOfResponse(wrongApp)).toEqual(wrong)
    const done = await secondStep(service, await firstStep(service), phone.codes[0] ?? '')
    expect(done.statusCode).toBe(200)
    const last = await service.send('DELETE', tabletPath, undefined, as(cookieOf(done)))
    expect(last.statusCode).toBe(204)
    await expect.poll(() => told().length).toBe(2)
    const { factors, credentials } = (await service.users.findById(service.id)) ?? {}
    expect([factors, credentials]).toEqual([[], []])
    expect(await whoIs(service, await logIn(service))).toBe('alice')
  })

  test('are removed only with a recent login', async () => {
    const { service, session, list, phonePath } = await twoApps()
    vi.setSystemTime(Date.now() + 16 * 60_000)
    const late = await service.send('DELETE', phonePath, undefined, session)
    expect(codeOfResponse(late)).toEqual([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
    expect(await list()).toHaveLength(2)
  })
})

describe('a user who must have a factor', () => {
  test('can log in, enroll, and do nothing else until then, existing sessions included', async () => {
    const service = await factorApp({}, { requiredFor: ({ username }) => username === 'alice' })
    const { id } = service
    const cookie = await logIn(service)
    const enrollment = [403, 'ACCOUNTS_ENROLLMENT_REQUIRED']
    for (const [method, path] of [
      ['GET', '/user/'],
      ['PATCH', '/me/'],
      ['GET', `/user/${id}`],
    ] as const) {
      const response = await service.send(method, path, method === 'PATCH' ? {} : undefined, as(cookie))
      expect(codeOfResponse(response)).toEqual(enrollment)
    }
    for (const path of ['/me/', '/second-factor/', '/sessions/']) {
      expect((await service.send('GET', path, undefined, as(cookie))).statusCode).toBe(200)
    }
    const done = await enroll(service, cookie)
    expect((await service.send('GET', '/user/', undefined, as(done.cookie))).statusCode).toBe(200)
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

  test('requireSecondFactor admits users who used one in this session', async () => {
    const { service, ask } = await hostApp()
    const plain = await logIn(service)
    expect(await ask('requireSecondFactor', 'a=b')).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
    expect(await ask('requireSecondFactor', plain)).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
    const { cookie, secret } = await enroll(service, plain)
    expect(await ask('requireSecondFactor', cookie)).toEqual([200, null])
    // A session that continues without one: a migration added the factor meanwhile.
    const { users } = service
    const { factors = [], credentials = [] } = (await users.findById(service.id)) ?? {}
    const write = async (changes: Parameters<typeof users.update>[1]) =>
      users.update(service.id, changes, (await users.findById(service.id))?.version ?? 0)
    await write({ factors: [], credentials: [] })
    const older = await logIn(service)
    await write({ factors, credentials })
    const never = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
    expect(await ask('requireSecondFactor', older)).toEqual(never)
    const confirmed = await service.send('POST', '/confirm/', { code: codeOf(secret) }, as(older))
    expect(await ask('requireSecondFactor', cookieOf(confirmed))).toEqual([200, null])
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
