import { goodPassword, logIn, otherPassword, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'
import { callsOf, holdNext, holdNextUpdate } from './store-calls.js'

const logOut = (service: Service, headers: Record<string, string>) =>
  service.app.inject({ method: 'POST', url: '/logout/', headers })

cases('Logout', ({ rule, storage }) => {
  rule(
    'OUT-01',
    {
      tried: 'the cookie of a logged-out session',
      expected: '401, the row is gone, and the cookie is cleared with the attributes it was set with',
    },
    async ({ start, sessionRows }) => {
      const service = await start({ baseUrl: 'https://example.org' })
      await signUp(service)
      const [cookie, other] = [await logIn(service), await logIn(service)]
      const response = await logOut(service, { cookie })
      expect([response.statusCode, response.body]).toEqual([204, ''])
      expect(response.headers).not.toHaveProperty('clear-site-data')
      expect(response.headers['set-cookie']).toBe(
        '__Host-session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
      )
      expect(await whoIs(service, cookie)).toBeNull()
      expect(await whoIs(service, other)).toBe('alice')
      expect(await sessionRows()).toBe(1)
    },
  )

  storage(
    'OUT-02',
    {
      tried:
        'requests of the session in progress during its logout: one that reads, one that records its visit, one that changes the password',
      expected: 'none restores the session',
    },
    async ({ start, wait, users, sessions, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const change = (cookie: string) =>
        service.send(
          'POST',
          '/change-password/',
          { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword },
          { headers: { cookie } },
        )
      const races = [
        {
          held: () =>
            sessions.withUsers ? holdNext(sessions.withUsers, 'find') : holdNext(users, 'findById'),
          request: (cookie: string) => whoIs(service, cookie),
        },
        { held: () => holdNext(sessions, 'touch'), request: (cookie: string) => whoIs(service, cookie) },
        { held: () => holdNextUpdate(users, sessions), request: change },
      ]
      for (const { held, request } of races) {
        const cookie = await logIn(service)
        // The next request writes "last seen".
        await wait(61_000)
        const { reached, release } = held()
        const slow = request(cookie)
        await reached
        expect((await logOut(service, { cookie })).statusCode).toBe(204)
        release()
        const response = await slow
        if (typeof response === 'object' && response !== null) {
          expect(response.statusCode).toBe(204)
          expect(response.cookies.filter(({ name, value }) => name === 'session' && value !== '')).toEqual([])
        }
        expect(await whoIs(service, cookie)).toBeNull()
        expect(await sessionRows()).toBe(0)
      }
    },
  )

  rule(
    'OUT-03',
    {
      tried: 'logging someone out by GET, by HEAD, and by a form on another site',
      expected: '405 and 403, and the session survives',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await service.app.inject({ method, url: '/logout/', headers: { cookie } })
        expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST'])
        expect(response.headers).not.toHaveProperty('clear-site-data')
      }
      const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
      for (const sender of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const response = await logOut(service, { ...form, ...sender })
        expect(response.statusCode).toBe(403)
        expect(response.json().code).toBe('ACCOUNTS_CROSS_SITE')
        expect(response.cookies).toEqual([])
        expect(response.headers).not.toHaveProperty('clear-site-data')
      }
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'OUT-04',
    {
      tried: 'two thousand anonymous logouts, without a cookie or with random ones',
      expected: '204 each; no row, and the session store is not even called',
    },
    async ({ start, sessions, sessionRows }) => {
      const service = await start()
      const asked = callsOf(sessions)
      for (let round = 0; round < 2000; round += 1) {
        const cookie = `session=${crypto.randomUUID()}.${crypto.randomUUID()}`
        const { statusCode } = await logOut(service, round % 2 ? { cookie } : {})
        if (statusCode !== 204) expect([round, statusCode]).toEqual([round, 204])
      }
      expect(asked).toEqual([])
      expect(await sessionRows()).toBe(0)
    },
  )

  rule(
    'OUT-05',
    {
      tried: 'a logout while the session store is unavailable',
      expected: '503, and the cookie is cleared anyway; the session dies once the store is back',
    },
    async ({ start, sessions, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const remove = sessions.delete
      sessions.delete = async () => {
        throw new Error('connect ECONNREFUSED 10.0.0.5:6379')
      }
      const response = await logOut(service, { cookie })
      expect(response.statusCode).toBe(503)
      expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
      expect(response.headers['retry-after']).toBe('5')
      expect(response.body).not.toContain('10.0.0.5')
      expect(response.headers['set-cookie']).toContain('session=; Max-Age=0')
      expect(await sessionRows()).toBe(1)
      sessions.delete = remove
      await expect.poll(sessionRows).toBe(0)
      expect(await whoIs(service, cookie)).toBeNull()
    },
  )

  rule(
    'OUT-06',
    {
      tried:
        'an owner logs out, then logs in again on the same device while others guess at the account; the host’s cookies are also set',
      expected:
        'the logout clears only the session cookie, so the known device gets in; `session.clearSiteData`, for shared computers, asks the browser to drop all cookies',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      await signUp(service)
      const attemptFrom = (password: string, remoteAddress: string, headers = {}) =>
        service.send('POST', '/login/', { username: 'alice', password }, { remoteAddress, headers })
      // The browser's cookies, according to the responses.
      const jar = new Map([['theme', 'dark']])
      const visit = (response: Awaited<ReturnType<typeof attemptFrom>>) => {
        if (response.headers['clear-site-data'] === '"cookies"') jar.clear()
        for (const { name, value } of response.cookies) value === '' ? jar.delete(name) : jar.set(name, value)
      }
      const cookie = () => [...jar].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
      visit(await attemptFrom(goodPassword, '10.0.0.1'))
      expect([...jar.keys()]).toEqual(['theme', 'session', 'session-device'])
      visit(await logOut(service, { cookie: cookie() }))
      expect([...jar.keys()]).toEqual(['theme', 'session-device'])
      for (let at = 0; at < 6; at += 1) await attemptFrom('not the password', `10.0.1.${at}`)
      expect((await attemptFrom(goodPassword, '10.0.0.2')).statusCode).toBe(429)
      expect((await attemptFrom(goodPassword, '10.0.0.1', { cookie: cookie() })).statusCode).toBe(200)

      const shared = await start({ session: { clearSiteData: true } })
      visit(await logOut(shared, { cookie: await logIn(shared) }))
      expect([...jar.keys()]).toEqual([])
    },
  )
})
