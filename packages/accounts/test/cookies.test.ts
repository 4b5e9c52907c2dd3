import {
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
import { describe, expect, test } from 'vitest'

const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'

/** A login from a browser that sends these cookies. */
function login({ send }: TestApp, password: string, cookie?: string) {
  const body = { username: 'alice', password }
  return send('POST', '/login/', body, { headers: { ...(cookie !== undefined && { cookie }) } })
}

/** Logs in, and returns the cookie that identifies the browser. */
async function mark(service: TestApp): Promise<string> {
  const found = (await login(service, goodPassword)).cookies.find(({ name }) => name.endsWith('device'))
  return `${found?.name}=${found?.value}`
}

/** Uses up the attempts of a client with these cookies. */
async function exhaust(service: TestApp, cookie?: string): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    expect((await login(service, otherPassword, cookie)).statusCode).toBe(401)
  }
  expect((await login(service, goodPassword, cookie)).statusCode).toBe(429)
}

describe('the device cookie', () => {
  // All these browsers share one address.
  const throttle = { limits: { login: { max: 1000, window: 60_000 } } }

  async function start() {
    const service = await testApp({ throttle })
    await signUp(service)
    return service
  }

  test('identifies a browser, which gets its own attempts', async () => {
    const service = await start()
    const [first, second] = [await mark(service), await mark(service)]
    expect(first).not.toBe(second)
    await exhaust(service, first)
    expect((await login(service, goodPassword, second)).statusCode).toBe(200)
  })

  test('is ignored if invalid, and grants no attempts', async () => {
    const service = await start()
    const device = await mark(service)
    const bytes = Buffer.from(device.slice('session-device='.length), 'base64url')
    await exhaust(service)
    const forged = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
      return copy
    })
    for (const each of [...forged, bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.alloc(1)])]) {
      const cookie = `session-device=${each.toString('base64url')}`
      expect((await login(service, goodPassword, cookie)).statusCode).toBe(429)
    }
    for (const cookie of ['session-device=', 'session-device', `my-${device}`, 'session-device=%zz']) {
      expect((await login(service, goodPassword, cookie)).statusCode).toBe(429)
    }
    expect((await login(service, goodPassword, `a=b; ${device}; c=d`)).statusCode).toBe(200)
  })

  test('lasts a year, is for this host only, hidden from scripts, and set once', async () => {
    const service = await testApp({ throttle, baseUrl: 'https://example.org' })
    await signUp(service)
    const deviceOf = (response: Awaited<ReturnType<typeof login>>) =>
      [response.headers['set-cookie']].flat().filter((each) => String(each).includes('-device='))
    const [first] = deviceOf(await login(service, goodPassword))
    expect(first).toMatch(
      /^__Host-session-device=[\w-]{64}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(deviceOf(await login(service, goodPassword, String(first).split(';')[0]))).toEqual([])
  })

  test('signed with an older secret is valid as long as that secret is listed', async () => {
    const service = await start()
    const device = await mark(service)
    for (const [secrets, status] of [
      [[newer, secret], 200],
      [[newer], 429],
    ] as const) {
      const stores = { userStore: service.users, sessionStore: service.sessions, throttle }
      const rotated = await testApp({ ...stores, secret: secrets })
      await exhaust(rotated)
      expect((await login(rotated, goodPassword, device)).statusCode).toBe(status)
    }
  })
})

describe('the session cookie', () => {
  test('is matched by its full name', async () => {
    const service = await testApp()
    await signUp(service)
    const cookie = await logIn(service)
    const other = cookie.replace('session=', 'my-session=')
    for (const [header, name] of [
      [other, null],
      [`${other}; ${cookie}`, 'alice'],
      [`${cookie}; ${other}`, 'alice'],
      ['session=', null],
      ['session', null],
      ['session=.', null],
      [`session=${decodeURIComponent(cookie).slice('session='.length).split('.')[0]}`, null],
    ] as const) {
      const response = await service.app.inject({ url: '/me/', headers: { cookie: header } })
      expect([header, response.statusCode]).toEqual([header, name === null ? 401 : 200])
    }
  })

  test('is re-signed only if signed with an older secret', async () => {
    const service = await testApp()
    await signUp(service)
    const cookie = await logIn(service)
    const me = await service.app.inject({ url: '/me/', headers: { cookie } })
    expect([me.statusCode, me.headers['set-cookie']]).toEqual([200, undefined])
    const stores = { userStore: service.users, sessionStore: service.sessions }
    const rotated = await testApp({ ...stores, secret: [newer, secret], baseUrl: 'https://example.org' })
    const renewed = await rotated.app.inject({ url: '/me/', headers: { cookie: `__Host-${cookie}` } })
    expect(renewed.headers['set-cookie']).toMatch(
      /^__Host-session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(await whoIs(rotated, cookieOf(renewed))).toBe('alice')
  })

  test("of an ended session doesn't prevent the next login", async () => {
    const service = await testApp()
    await signUp(service)
    const over = await logIn(service)
    await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie: over } })
    const again = await login(service, goodPassword, over)
    expect(again.statusCode).toBe(200)
    expect(cookieOf(again)).not.toBe(over)
    expect([await whoIs(service, cookieOf(again)), await whoIs(service, over)]).toEqual(['alice', null])
    expect(service.sessions.rows.size).toBe(1)
  })

  test('is cleared by a logout, valid or not, but only if it was sent', async () => {
    const service = await testApp()
    await signUp(service)
    const cookie = await logIn(service)
    const logOut = async (headers: Record<string, string>) => {
      const response = await service.app.inject({ method: 'POST', url: '/logout/', headers })
      expect(response.statusCode).toBe(204)
      return response.headers['set-cookie']
    }
    const cleared = /^session=; .*Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/
    expect(await logOut({})).toBeUndefined()
    expect(await logOut({ cookie: 'theme=dark' })).toBeUndefined()
    expect(await logOut({ cookie: 'session=x.y' })).toMatch(cleared)
    expect(await logOut({ cookie: `theme=dark; ${cookie}` })).toMatch(cleared)
    expect(await whoIs(service, cookie)).toBeNull()
  })
})
