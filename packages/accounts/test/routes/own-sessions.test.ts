import {
  as,
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  secret,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const minute = 60_000
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const list = async ({ send }: TestApp, cookie: string) =>
  (await send('GET', '/sessions/', undefined, as(cookie))).json().results
const logInWith = ({ send }: TestApp, body: object = {}, extra: object = {}) =>
  send('POST', '/login/', { username: 'alice', password: goodPassword, ...body }, extra)

describe('GET /sessions/', () => {
  test("lists the user's sessions, newest first, with browser, system and network but no address", async () => {
    const service = await testApp()
    await signUp(service)
    await signUp(service, 'bob')
    await logIn(service, 'bob')
    const first = await logInWith(
      service,
      {},
      { headers: { 'user-agent': firefox }, remoteAddress: '203.0.113.77' },
    )
    wait(minute)
    const second = await logIn(service)
    expect(await list(service, second)).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        created_at: '2026-01-01T00:01:00.000Z',
        last_seen_at: '2026-01-01T00:01:00.000Z',
        expires_at: '2026-01-31T00:01:00.000Z',
        name: null,
        browser: null,
        system: null,
        ip: '127.0.0.0/24',
        current: true,
      },
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        created_at: '2026-01-01T00:00:00.000Z',
        last_seen_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-08T00:00:00.000Z',
        name: null,
        browser: 'Firefox',
        system: 'Windows',
        ip: '203.0.113.0/24',
        current: false,
      },
    ])
    expect((await list(service, cookieOf(first))).map((each: { current: boolean }) => each.current)).toEqual([
      false,
      true,
    ])
  })

  test('tells nobody who has a copy of the session when they are seen, or the owner was', async () => {
    const service = await testApp()
    await signUp(service)
    await logIn(service)
    const own = await logIn(service)
    wait(2 * minute)
    await whoIs(service, own)
    wait(minute / 2)
    const shown = (await list(service, own)).map(
      ({ current, last_seen_at, expires_at }: Record<string, unknown>) => [current, last_seen_at, expires_at],
    )
    expect(shown.sort()).toEqual([
      [false, '2026-01-01T00:00:00.000Z', '2026-01-08T00:00:00.000Z'],
      // The time of this request, and the end that no use moves.
      [true, '2026-01-01T00:02:30.000Z', '2026-01-31T00:00:00.000Z'],
    ])
  })

  test('omits invalid sessions that still have a row', async () => {
    const service = await testApp()
    const user = await signUp(service)
    await logIn(service)
    service.sessions.deleteByUser = () => Promise.reject(new Error('away'))
    await service.app.accounts.endUserSessions(user.id)
    expect(await list(service, await logIn(service))).toHaveLength(1)
  })
})

describe('ending sessions', () => {
  test("ends a session of the user; someone else's, or an unknown one, is 404", async () => {
    const service = await testApp()
    await signUp(service)
    await signUp(service, 'bob')
    const [alice, phone, bob] = [await logIn(service), await logIn(service), await logIn(service, 'bob')]
    const ofPhone = (await list(service, phone)).find((each: { current: boolean }) => each.current).id
    const end = (id: string, cookie: string) =>
      service.send('DELETE', `/sessions/${id}`, undefined, as(cookie))
    expect((await end(ofPhone, bob)).json().code).toBe('ACCOUNTS_NOT_FOUND')
    expect((await end('nobody', alice)).statusCode).toBe(404)
    expect(await whoIs(service, phone)).toBe('alice')
    const done = await end(ofPhone, alice)
    expect([done.statusCode, done.headers['set-cookie']]).toEqual([204, undefined])
    expect(await whoIs(service, phone)).toBeNull()
    expect(await whoIs(service, alice)).toBe('alice')
    expect((await end(ofPhone, alice)).statusCode).toBe(404)
  })

  test('ending the current one logs out and clears the cookie', async () => {
    const service = await testApp()
    await signUp(service)
    const cookie = await logIn(service)
    const [{ id }] = await list(service, cookie)
    const done = await service.send('DELETE', `/sessions/${id}`, undefined, as(cookie))
    expect(done.headers['set-cookie']).toMatch(/^session=; Max-Age=0/)
    expect(await whoIs(service, cookie)).toBeNull()
  })

  test('beyond 100, the one that was used the longest ago ends', async () => {
    const service = await testApp()
    const user = await signUp(service)
    const first = await logIn(service)
    wait(1)
    const second = await logIn(service)
    wait(2 * minute)
    // Also if it is older than all others.
    await whoIs(service, first)
    for (let count = 0; count < 99; count += 1) {
      wait(1)
      await logIn(service)
    }
    expect(await whoIs(service, second)).toBeNull()
    expect(await whoIs(service, first)).toBe('alice')
    expect(await service.sessions.listByUser(user.id)).toHaveLength(100)
  })
})

describe('POST /confirm/', () => {
  const confirm = ({ send }: TestApp, cookie: string, password = goodPassword) =>
    send('POST', '/confirm/', { password }, as(cookie))

  async function withHook(options: Parameters<typeof testApp>[0] = {}) {
    const service = await testApp(options, {
      before: (app) => {
        app.after(() => {
          const onRequest: (typeof app)['accounts']['requireUser'] = (request, reply) =>
            app.accounts.requireRecentLogin(request, reply)
          app.get('/danger', { onRequest }, async (request) => request.user?.username)
        })
      },
    })
    await signUp(service)
    const danger = async (cookie: string) => {
      const response = await service.app.inject({ url: '/danger', headers: { cookie } })
      return response.statusCode === 200 ? response.body : response.json().code
    }
    return { service, danger }
  }

  test('a login counts as recent for 15 minutes, then the password for another 15', async () => {
    const { service, danger } = await withHook()
    const cookie = await logIn(service)
    wait(15 * minute - 1)
    expect(await danger(cookie)).toBe('alice')
    wait(1)
    expect(await danger(cookie)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    expect(await whoIs(service, cookie)).toBe('alice')
    const confirmed = await confirm(service, cookie)
    expect(confirmed.statusCode).toBe(204)
    expect(await danger(cookieOf(confirmed))).toBe('alice')
    expect(await danger('')).toBe('ACCOUNTS_LOGIN_REQUIRED')
  })

  test('a wrong password changes nothing, and shares the limit of change-password', async () => {
    const { service, danger } = await withHook({
      throttle: { limits: { changePassword: { max: 2, window: minute } } },
    })
    const cookie = await logIn(service)
    wait(20 * minute)
    const wrong = await confirm(service, cookie, 'some other password')
    expect(wrong.json()).toMatchObject({
      statusCode: 400,
      fields: [{ field: 'password', code: 'incorrect' }],
    })
    const change = { old_password: 'x', new_password: otherPassword, confirm_password: otherPassword }
    expect((await service.send('POST', '/change-password/', change, as(cookie))).statusCode).toBe(400)
    expect((await confirm(service, cookie)).statusCode).toBe(429)
    expect(await danger(cookie)).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    expect(await whoIs(service, cookie)).toBe('alice')
  })

  test('the cookie from before is logged in until ten seconds after the new one was first used', async () => {
    const { service } = await withHook()
    const old = await logIn(service)
    const next = cookieOf(await confirm(service, old))
    const both = () => Promise.all([old, next].map((cookie) => whoIs(service, cookie)))
    // The response may be on its way for long, or lost.
    wait(3 * minute)
    expect(await both()).toEqual(['alice', 'alice'])
    wait(10_000 - 1)
    expect(await both()).toEqual(['alice', 'alice'])
    wait(1)
    expect(await both()).toEqual([null, 'alice'])
    // It would take the newer one with it.
    const late = await service.send('GET', '/me/', undefined, as(old))
    expect([late.statusCode, late.cookies]).toEqual([401, []])
  })

  test('if the store fails, the session is unchanged', async () => {
    const { service } = await withHook()
    const cookie = await logIn(service)
    service.sessions.change = () => Promise.reject(new Error('full'))
    expect((await confirm(service, cookie)).statusCode).toBe(503)
    expect(await whoIs(service, cookie)).toBe('alice')
  })
})

describe('remember', () => {
  const setCookie = (response: { headers: Record<string, unknown> }) =>
    [response.headers['set-cookie']].flat().find((each) => String(each).startsWith('session='))
  const expires = /; Expires=Sat, 31 Jan 2026 00:00:00 GMT/

  test('by default, and if false, it is a browser-session cookie, even when renewed', async () => {
    for (const body of [{}, { remember: false }, { remember: 'false' }]) {
      const service = await testApp()
      await signUp(service)
      const login = await logInWith(service, body)
      expect(setCookie(login)).not.toMatch(/Expires|Max-Age/)
      const change = {
        old_password: goodPassword,
        new_password: otherPassword,
        confirm_password: otherPassword,
      }
      const changed = await service.send('POST', '/change-password/', change, as(cookieOf(login)))
      expect(setCookie(changed)).not.toMatch(/Expires|Max-Age/)
      const confirmed = await service.send(
        'POST',
        '/confirm/',
        { password: otherPassword },
        as(cookieOf(changed)),
      )
      expect(setCookie(confirmed)).not.toMatch(/Expires|Max-Age/)
    }
  })

  test('if true, the cookie lasts as long as the session can, even when renewed', async () => {
    for (const remember of [true, 'on', 'true']) {
      const service = await testApp()
      await signUp(service)
      const login = await logInWith(service, { remember })
      expect(setCookie(login)).toMatch(expires)
      const change = {
        old_password: goodPassword,
        new_password: otherPassword,
        confirm_password: otherPassword,
      }
      const changed = await service.send('POST', '/change-password/', change, as(cookieOf(login)))
      expect(setCookie(changed)).toMatch(expires)
      const confirmed = await service.send(
        'POST',
        '/confirm/',
        { password: otherPassword },
        as(cookieOf(changed)),
      )
      expect(setCookie(confirmed)).toMatch(expires)
      const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
      const { users: userStore, sessions: sessionStore } = service
      const rotated = await testApp({ userStore, sessionStore, secret: [newer, secret] })
      const me = await rotated.app.inject({ url: '/me/', headers: { cookie: cookieOf(confirmed) } })
      expect(setCookie(me)).toMatch(expires)
      const [own] = (await rotated.send('GET', '/sessions/', undefined, as(cookieOf(confirmed)))).json()
        .results
      const ended = await rotated.send('DELETE', `/sessions/${own.id}`, undefined, as(cookieOf(confirmed)))
      expect([ended.headers['set-cookie']].flat()).toEqual([expect.stringMatching(/^session=;/)])
    }
  })
})
