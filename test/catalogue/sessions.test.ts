import { once } from 'node:events'
import { createRequire } from 'node:module'
import websocket from '@fastify/websocket'
import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { type HeldRequest, holdBody } from '@fastify-accounts/test-support/held-body'
import type { FastifyInstance } from 'fastify'
import type { AccountsError, AccountsHook } from 'fastify-accounts'
import { expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Milliseconds left of a session when it is used; longer with Redis, whose own clock keeps running. */
const left = (prefix?: string) => (prefix === undefined ? 1000 : minute)

const login = (service: Service, headers: Record<string, string> = {}) =>
  service.send('POST', '/login/', { username: 'alice', password: goodPassword }, { headers })

/** What rejects visitors without a login. */
const hooks = ['requireUser', 'requireRecentLogin', 'requireSecondFactor'] as const

/** The id in a session cookie, without its signature. */
const sessionId = (cookie: string) => decodeURIComponent(cookie).slice('session='.length).split('.')[0] ?? ''

cases('Sessions', ({ rule, storage }) => {
  rule(
    'SES-01',
    {
      tried: 'the Set-Cookie of a login over https',
      expected:
        '`__Host-`, Secure, HttpOnly, SameSite=Lax, Path=/, no Domain, gone when the browser closes, far below 4096 bytes',
    },
    async ({ start }) => {
      const service = await start({ baseUrl: 'https://example.org' })
      await signUp(service)
      const response = await login(service)
      const [session = '', device = ''] = [response.headers['set-cookie']].flat()
      expect(session).toMatch(/^__Host-session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      expect(device).toMatch(
        /^__Host-session-device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      expect(session.length + device.length).toBeLessThan(512)
      expect(await whoIs(service, cookieOf(response))).toBe('alice')
    },
  )

  storage(
    'SES-02',
    {
      tried:
        'a visit one second before the idle limit of seven days, three times, then one a second after it',
      expected: 'each visit renews the session; the late one gets 401, and the row is removed',
    },
    async ({ start, wait, sessionRows, prefix }) => {
      vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      for (let visit = 0; visit < 3; visit += 1) {
        await wait(7 * day - left(prefix))
        expect(await whoIs(service, cookie)).toBe('alice')
      }
      await wait(7 * day + 1000)
      expect(await whoIs(service, cookie)).toBeNull()
      // Expired sessions are removed every ten minutes.
      await vi.advanceTimersByTimeAsync(10 * minute)
      await expect.poll(sessionRows).toBe(0)
    },
  )

  storage(
    'SES-17',
    {
      tried:
        'an idle limit of 90 seconds: a visit every 50 seconds for five minutes, then none for 91 seconds',
      expected: 'each visit renews the session, although not every visit of a session is recorded; then 401',
    },
    async ({ start, wait }) => {
      const service = await start({ session: { idleTimeout: 90 * second } })
      await signUp(service)
      await wait(0)
      const cookie = await logIn(service)
      for (let visit = 0; visit < 6; visit += 1) {
        await wait(50 * second)
        expect([visit, await whoIs(service, cookie)]).toEqual([visit, 'alice'])
      }
      await wait(91 * second)
      expect(await whoIs(service, cookie)).toBeNull()
    },
  )

  storage(
    'SES-17',
    {
      tried:
        'requests one after another, all within a minute, with the usual limit and with one of 40 seconds',
      expected: 'the last use is recorded once a minute, or four times per limit, and not at each request',
    },
    async ({ start, wait, sessions }) => {
      const written = []
      for (const session of [{}, { idleTimeout: 40 * second }]) {
        const service = await start({ session })
        if (written.length === 0) await signUp(service)
        await wait(0)
        const cookie = await logIn(service)
        const touches = callsOf(sessions)
        for (let passed = 0; passed < 60; passed += 5) {
          await wait(5 * second)
          await whoIs(service, cookie)
        }
        written.push(touches.filter((call) => call === 'touch').length)
      }
      expect(written).toEqual([1, 6])
    },
  )

  storage(
    'SES-03',
    {
      tried: 'a request a minute until past the absolute limit',
      expected: '401 from the limit on, regardless of activity',
    },
    async ({ start, wait, prefix }) => {
      const service = await start({ session: { idleTimeout: 10 * minute, absoluteTimeout: hour } })
      await signUp(service)
      await wait(0)
      const cookie = await logIn(service)
      for (let passed = 1; passed < 60; passed += 1) {
        await wait(minute)
        expect(await whoIs(service, cookie)).toBe('alice')
      }
      await wait(minute - left(prefix))
      expect(await whoIs(service, cookie)).toBe('alice')
      await wait(left(prefix))
      expect(await whoIs(service, cookie)).toBeNull()
      await wait(minute)
      expect(await whoIs(service, cookie)).toBeNull()
    },
  )

  rule(
    'SES-04',
    {
      tried:
        'cookies that are truncated, forged, malformed, huge, duplicated or named in another case, also as raw bytes',
      expected:
        'nobody is logged in, never 500, and the session store is not called; a login with them works',
    },
    async ({ start, sessions }) => {
      const service = await start()
      await signUp(service)
      const value = (await logIn(service)).slice('session='.length)
      const id = sessionId(`session=${value}`)
      const asked = callsOf(sessions)
      const broken = [
        'session=',
        'session=%',
        'session=%E0%A4%A',
        'session=a.b',
        'session=.',
        `session=${id}`,
        `session=${id}.`,
        `session=${value.slice(0, -2)}`,
        `session=x${value}`,
        `session=${value}x`,
        `session=${'a'.repeat(6000)}`,
        `session=${'a'.repeat(3000)}.${'b'.repeat(3000)}`,
        `SESSION=${value}`,
        `Session=${value}`,
        `xsession=${value}`,
        `session=a.b; session=${value}`,
        '__proto__=1; session=__proto__',
      ]
      for (const cookie of broken) {
        for (const [method, url, status] of [
          ['GET', '/me/', 401],
          ['POST', '/change-password/', 401],
          ['POST', '/logout/', 204],
        ] as const) {
          const response = await service.app.inject({ method, url, headers: { cookie } })
          expect([cookie.slice(0, 40), url, response.statusCode]).toEqual([cookie.slice(0, 40), url, status])
        }
        const { statusCode } = await service.raw(
          Buffer.from(
            `GET /me/ HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\xff\r\nConnection: close\r\n\r\n`,
            'latin1',
          ),
        )
        expect([cookie.slice(0, 40), statusCode]).toEqual([cookie.slice(0, 40), 401])
      }
      expect(asked).toEqual([])
      for (const cookie of broken) {
        const response = await login(service, { cookie })
        expect([cookie.slice(0, 40), response.statusCode]).toEqual([cookie.slice(0, 40), 200])
        expect(await whoIs(service, cookieOf(response))).toBe('alice')
      }
    },
  )

  rule(
    'SES-06',
    {
      tried: 'a live session’s cookie value in the query, in a header and in a body',
      expected: 'ignored in query and headers, rejected in a body; only the cookie counts',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const value = decodeURIComponent(cookie).slice('session='.length)
      for (const each of [value, sessionId(cookie)]) {
        const query = new URLSearchParams({ session: each, sid: each, token: each }).toString()
        const headers = {
          authorization: `Bearer ${each}`,
          session: each,
          'x-session': each,
          'x-session-id': each,
          'set-cookie': `session=${each}`,
        }
        for (const extra of [{ url: `/me/?${query}` }, { url: '/me/', headers }]) {
          const response = await service.app.inject(extra)
          expect([response.statusCode, response.json().code]).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
        }
        const inBody = await service.send('POST', '/logout/', { session: each })
        expect([inBody.statusCode, inBody.json().fields[0].code]).toEqual([400, 'unknown'])
      }
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'SES-07',
    {
      tried:
        'the account is disabled or deleted while it is logged in, through the plugin and behind its back',
      expected: 'the next request is 401, and the row of the session is gone',
    },
    async ({ start, users, sessionRows }) => {
      const service = await start()
      const ends: ((id: string) => Promise<unknown>)[] = [
        (id) => service.app.accounts.updateUser(id, { isActive: false }),
        (id) => service.app.accounts.deleteUser(id),
        async (id) => users.update(id, { isActive: false }, (await users.findById(id))?.version ?? 0),
        (id) => users.delete(id),
      ]
      for (const [index, end] of ends.entries()) {
        const { id } = await signUp(service, `user${index}`)
        const cookie = await logIn(service, `user${index}`)
        expect(await whoIs(service, cookie)).toBe(`user${index}`)
        await end(id)
        expect(await whoIs(service, cookie)).toBeNull()
        expect(await sessionRows()).toBe(0)
      }
    },
  )

  rule(
    'SES-07',
    {
      tried:
        'requests whose headers arrived while a session, a right or a recent password was valid, and whose body is held back until all of it has ended, also on host routes',
      expected: '401, or 403 if only the right has ended: none is carried out',
    },
    async ({ start, users }) => {
      const host: string[] = []
      let admitted = 0
      const before = (app: FastifyInstance) => {
        for (const hook of ['loadUser', 'requireUser', 'requireRecentLogin'] as const) {
          const onRequest: AccountsHook = (asked, reply) => app.accounts[hook](asked, reply)
          app.post(`/${hook}`, { onRequest }, async ({ user }) => {
            host.push(`${user?.username}`)
            return {}
          })
        }
        // Runs after all checks that come before the body.
        app.addHook('preParsing', async () => {
          admitted += 1
        })
      }
      const { app, ...service } = await start({}, { before })
      const hold = async (...requests: Omit<HeldRequest, 'port'>[]) => {
        admitted = 0
        const held = requests.map((each) => holdBody({ ...each, port }))
        await expect.poll(() => admitted).toBe(held.length)
        return () => Promise.all(held.map((finish) => finish()))
      }
      const port = await service.listen()
      await signUp(service, 'bob')
      const bob = await users.findByUsername('bob')
      const ends: Record<string, (id: string, cookie: string) => Promise<unknown>> = {
        logout: (_, cookie) => service.send('POST', '/logout/', undefined, { headers: { cookie } }),
        disabled: (id) => app.accounts.updateUser(id, { isActive: false }),
        'a new password': (id) => app.accounts.setPassword(id, otherPassword),
      }
      const held = [
        ['PATCH', `/user/${bob?.id}`, { is_staff: true }],
        ['DELETE', `/user/${bob?.id}`, {}],
        ['DELETE', '/me/', {}],
        ['PATCH', '/me/', { username: 'mallory' }],
        ['POST', '/change-email/', { email: 'mallory@example.com' }],
        ['POST', '/loadUser', {}],
        ['POST', '/requireUser', {}],
        ['POST', '/requireRecentLogin', {}],
      ] as const
      let count = 0
      for (const [how, end] of Object.entries(ends)) {
        count += 1
        const name = `staff${count}`
        const { id } = await app.accounts.createUser({
          username: name,
          password: goodPassword,
          isStaff: true,
        })
        const cookie = await logIn(service, name)
        const finish = await hold(...held.map(([method, url, body]) => ({ method, url, body, cookie })))
        await end(id, cookie)
        const statuses = await finish()
        expect([how, statuses]).toEqual([how, held.map(() => 401)])
        expect(await users.findById(id)).toMatchObject({ username: name, email: null })
      }
      const demoted = await app.accounts.createUser({
        username: 'demoted',
        password: goodPassword,
        isStaff: true,
      })
      const cookie = await logIn(service, 'demoted')
      const finish = await hold({
        method: 'PATCH',
        url: `/user/${bob?.id}`,
        body: { is_staff: true },
        cookie,
      })
      await app.accounts.updateUser(demoted.id, { isStaff: false })
      expect(await finish()).toEqual([403])
      expect(host).toEqual([])
      expect(await users.findByUsername('bob')).toMatchObject({ id: bob?.id, isStaff: false })
    },
  )

  rule(
    'SES-08',
    {
      tried:
        'a new user takes the name and the address of a deleted one; the old cookie and old links are used again',
      expected: '401 and 400; ids are never reused',
    },
    async ({ start, users }) => {
      const service = await start()
      const email = 'alice@example.org'
      for (const remove of [service.app.accounts.deleteUser, users.delete]) {
        const first = await signUp(service, 'alice', { email })
        const response = await login(service)
        const cookie = cookieOf(response)
        await service.send('POST', '/forgot/', { email })
        await service.send('POST', '/user/v/', { email })
        const reset = linkPath(await service.mail('reset-password'))
        const verify = linkPath(await service.mail('verify-email'))
        expect((await service.send('GET', reset)).statusCode).toBe(200)
        await remove(first.id)

        const second = await signUp(service, 'alice', { email })
        expect(second.id).not.toBe(first.id)
        expect(await whoIs(service, cookie)).toBeNull()
        const form = { new_password: otherPassword, confirm_password: otherPassword }
        const uses = [
          await service.send('GET', reset),
          await service.send('POST', reset, form),
          await service.send('POST', verify),
          // The old token with the new user's id.
          await service.send('POST', reset.replace(uid64(first.id), uid64(second.id)), form),
          await service.send('POST', verify.replace(uid64(first.id), uid64(second.id))),
        ]
        expect(uses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400])
        expect(await users.findById(second.id)).toMatchObject({ isVerified: false, sessionEpoch: 0 })
        expect((await login(service)).statusCode).toBe(200)
        await users.delete(second.id)
        service.mails.splice(0)
      }
    },
  )

  rule(
    'SES-10',
    {
      tried: 'a hundred anonymous visits to every route, and to a route of the host',
      expected: 'no Set-Cookie, no row, and the session store is not called',
    },
    async ({ start, sessions, sessionRows }) => {
      const service = await start(
        {},
        {
          before(app) {
            const onRequest: typeof app.accounts.loadUser = (request, reply) =>
              app.accounts.loadUser(request, reply)
            app.get('/host/', { onRequest }, (request) => ({ user: request.user }))
          },
        },
      )
      await signUp(service)
      const asked = callsOf(sessions)
      const root = (await service.send('GET', '/api-root/')).json<Record<string, { href: string }>>()
      const urls = Object.values(root).map(({ href }) => new URL(href).pathname.replaceAll(/%7B\w+%7D/g, 'x'))
      expect(urls.length).toBeGreaterThan(10)
      for (let visit = 0; visit < 100; visit += 1) {
        for (const url of [...urls, '/host/']) {
          const response = await service.send('GET', url)
          if (response.headers['set-cookie'] !== undefined || response.statusCode >= 500) {
            expect([url, response.statusCode, response.headers['set-cookie']]).toBeNull()
          }
        }
      }
      const failed = await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
      expect([failed.statusCode, failed.cookies]).toEqual([401, []])
      expect(asked).toEqual([])
      expect(await sessionRows()).toBe(0)
    },
  )

  rule(
    'SES-11',
    {
      tried: 'the ids of two hundred sessions',
      expected: 'all differ, 192 bits each, and each bit takes both values',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const ids: string[] = []
      for (let count = 0; count < 200; count += 1) ids.push(sessionId(await logIn(service)))
      expect(new Set(ids).size).toBe(200)
      const [ones, zeros] = [Buffer.alloc(24), Buffer.alloc(24, 255)]
      for (const id of ids) {
        const bytes = Buffer.from(id, 'base64url')
        expect(bytes).toHaveLength(24)
        for (const [at, byte] of bytes.entries()) {
          ones.writeUInt8(ones.readUInt8(at) | byte, at)
          zeros.writeUInt8(zeros.readUInt8(at) & byte, at)
        }
      }
      expect(ones).toEqual(Buffer.alloc(24, 255))
      expect(zeros).toEqual(Buffer.alloc(24))
    },
  )

  rule(
    'SES-11',
    {
      tried: 'a million generated ids',
      expected: 'no collision',
      on: 'memory',
      because: 'an id is generated before any store is called',
    },
    async () => {
      // The id generator of @fastify/session; a million logins would take an hour.
      const requireFrom = createRequire(new URL('../../packages/accounts/package.json', import.meta.url))
      const generate: () => string = requireFrom('@fastify/session/lib/idGenerator.js')()
      const ids = new Set<string>()
      const many = times({ quick: 100_000, full: 1_000_000 })
      for (let count = 0; count < many; count += 1) ids.add(generate())
      expect(ids.size).toBe(many)
    },
  )

  rule(
    'SES-12',
    {
      tried: 'a live session continues while its user becomes staff, and while that is revoked',
      expected: 'the right takes effect and ends with the next request',
    },
    async ({ start, users }) => {
      const service = await start()
      const alice = await signUp(service, 'alice')
      const targets = [await signUp(service, 'bob'), await signUp(service, 'carol')]
      const headers = { cookie: await logIn(service) }
      const remove = async (at: number) =>
        (await service.send('DELETE', `/user/${targets[at]?.id}`, undefined, { headers })).statusCode
      expect(await remove(0)).toBe(403)
      await service.app.accounts.updateUser(alice.id, { isStaff: true })
      expect(await remove(0)).toBe(204)
      // As another process would do it.
      const version = (await users.findById(alice.id))?.version ?? 0
      await users.update(alice.id, { isStaff: false }, version)
      expect(await remove(1)).toBe(403)
      expect(await users.findByUsername('carol')).not.toBeNull()
    },
  )

  rule(
    'SES-13',
    {
      tried:
        'a hook of the host that puts a user of its own into `request.user`, before ours or between two of them',
      expected: '401 without a session; with one, that session’s user, not the other one',
    },
    async ({ start }) => {
      const service = await start(
        {},
        {
          before(app) {
            const intrude: AccountsHook = async (request) => {
              Object.assign(request, { user: { id: 'other', username: 'other', isStaff: true } })
            }
            for (const name of hooks) {
              const hook: AccountsHook = (request, reply) => app.accounts[name](request, reply)
              const load: AccountsHook = (request, reply) => app.accounts.loadUser(request, reply)
              for (const [place, onRequest] of Object.entries({
                first: [intrude, hook],
                between: [load, intrude, hook],
              }))
                app.get(`/${place}/${name}`, { onRequest }, (request) => app.accounts.userOf(request))
            }
            app.get('/only', { onRequest: intrude }, (request) => app.accounts.userOf(request))
          },
        },
      )
      await signUp(service)
      const headers = { cookie: await logIn(service, 'alice') }
      for (const url of [...hooks.flatMap((name) => [`/first/${name}`, `/between/${name}`])]) {
        const stranger = await service.send('GET', url)
        expect([url, stranger.statusCode, stranger.json().code]).toEqual([
          url,
          401,
          'ACCOUNTS_LOGIN_REQUIRED',
        ])
        const alice = await service.send('GET', url, undefined, { headers })
        const expected = url.endsWith('SecondFactor') ? [403, undefined] : [200, 'alice']
        expect([url, alice.statusCode, alice.json().username]).toEqual([url, ...expected])
      }
      expect((await service.send('GET', '/only', undefined, { headers })).statusCode).toBe(401)
    },
  )

  rule(
    'SES-14',
    {
      tried:
        'a route of the host that asks again after it has read a stream, once the user has logged out, was disabled or deleted',
      expected: '401, whichever hook asks, in a later hook or in the handler; 200 for a session that goes on',
    },
    async ({ start, users }) => {
      let reached = (): void => {}
      let goOn = Promise.resolve()
      const service = await start(
        {},
        {
          before(app) {
            const first: AccountsHook = (request, reply) => app.accounts.requireUser(request, reply)
            const wait = async (): Promise<void> => {
              reached()
              await goOn
            }
            for (const name of ['requireUser', 'requireRecentLogin'] as const) {
              const again: AccountsHook = (request, reply) => app.accounts[name](request, reply)
              for (const place of ['preParsing', 'preValidation', 'preHandler'] as const) {
                const hooks = { onRequest: first, [place]: [wait, again] }
                app.get(`/${place}/${name}`, hooks, (request) => request.user?.username)
              }
              app.get(`/handler/${name}`, { onRequest: first }, async (request, reply) => {
                await wait()
                await again(request, reply)
                return request.user?.username
              })
            }
          },
        },
      )
      const { accounts } = service.app
      const endings: Record<string, (id: string, cookie: string) => unknown> = {
        logout: (_, cookie) => service.send('POST', '/logout/', undefined, { headers: { cookie } }),
        // As another process would do both.
        disabling: async (id) => {
          const { version = 0, sessionEpoch = 0 } = (await users.findById(id)) ?? {}
          await users.update(id, { isActive: false, sessionEpoch: sessionEpoch + 1 }, version)
        },
        deletion: (id) => users.delete(id),
        nothing: () => {},
      }
      let count = 0
      for (const name of ['requireUser', 'requireRecentLogin']) {
        for (const place of ['preParsing', 'preValidation', 'preHandler', 'handler']) {
          for (const [how, end] of Object.entries(endings)) {
            count += 1
            const { id } = await accounts.createUser({ username: `user${count}`, password: goodPassword })
            const cookie = await logIn(service, `user${count}`)
            const isReached = new Promise<void>((resolve) => {
              reached = resolve
            })
            let open = (): void => {}
            goOn = new Promise((resolve) => {
              open = resolve
            })
            const response = service.send('GET', `/${place}/${name}`, undefined, { headers: { cookie } })
            void response.then(() => {})
            await isReached
            await end(id, cookie)
            open()
            const { statusCode } = await response
            expect([name, place, how, statusCode]).toEqual([name, place, how, how === 'nothing' ? 200 : 401])
          }
        }
      }
    },
  )

  rule(
    'SES-15',
    {
      tried: 'a WebSocket that stays open after its user has logged out, was disabled or deleted',
      expected: 'requireUser at its next message rejects; messages before get a response',
    },
    async ({ start, users }) => {
      const service = await start(
        {},
        {
          async before(app) {
            await app.register(websocket)
            const onRequest: AccountsHook = (request, reply) => app.accounts.requireUser(request, reply)
            app.get('/live', { websocket: true, onRequest }, (socket, request) => {
              socket.on('message', () => {
                app.accounts.requireUser(request).then(
                  () => socket.send(app.accounts.userOf(request).username ?? ''),
                  (error: AccountsError) => socket.close(1008, error.code),
                )
              })
            })
          },
        },
      )
      const endings: ((id: string, cookie: string) => unknown)[] = [
        (_, cookie) => service.send('POST', '/logout/', undefined, { headers: { cookie } }),
        (id) => service.app.accounts.updateUser(id, { isActive: false }),
        (id) => users.delete(id),
      ]
      for (const [at, end] of endings.entries()) {
        const username = `user${at}`
        const { id } = await service.app.accounts.createUser({ username, password: goodPassword })
        const cookie = await logIn(service, username)
        const socket = await service.app.injectWS('/live', { headers: { cookie } })
        socket.send('hello')
        expect(String((await once(socket, 'message'))[0])).toBe(username)
        await end(id, cookie)
        socket.send('hello')
        const [code, reason] = await once(socket, 'close')
        expect([code, String(reason)]).toEqual([1008, 'ACCOUNTS_LOGIN_REQUIRED'])
      }
    },
  )
})

const uid64 = (id: string) => Buffer.from(id).toString('base64url')
