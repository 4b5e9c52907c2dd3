import {
  baseUrl,
  browser,
  cheapHasher,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  outbox,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import type { HTTPMethods, InjectOptions } from 'fastify'
import accounts from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink, verifyLink } from './links.js'
import { logbook } from './logbook.js'
import { mountedPaths, postPaths } from './routes.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const email = 'alice@example.org'
const passwords = { new_password: otherPassword, confirm_password: otherPassword }
const isLinkPage = (path: string) => /\/(reset|user\/v|signup\/v)\/[^/]+\//.test(path) || path === '/reset/d/'

cases('Headers and methods', ({ rule }) => {
  rule(
    'HDR-01',
    {
      tried: 'a response of every status, from every route, as JSON and as a page: 2xx to 503',
      expected:
        'no-store and nosniff on each, a charset on each body; link pages add Referrer-Policy, a Content-Security-Policy that forbids framing, and X-Frame-Options',
    },
    async ({ start, users, throttle }) => {
      const service = await start({ throttle: {} })
      const user = await signUp(service, 'alice', { email })
      await signUp(service, 'bob')
      const cookie = await logIn(service)
      await service.send('POST', '/forgot/', { email })
      const reset = linkPath(await service.mail('reset-password'))
      const json = { 'content-type': 'application/json' }
      const requests: [number, InjectOptions][] = [
        [200, { url: '/me/', headers: { cookie } }],
        [200, { url: '/user/', headers: { cookie } }],
        [200, { url: '/api-root/' }],
        [200, { url: reset }],
        [200, { url: reset, headers: browser }],
        [200, { url: '/reset/d/' }],
        [200, { url: '/reset/d/', headers: browser }],
        [202, { method: 'POST', url: '/forgot/', payload: { email: 'nobody@example.org' } }],
        [204, { method: 'POST', url: '/logout/' }],
        [400, { method: 'POST', url: '/login/', payload: {} }],
        [400, { method: 'POST', url: '/login/', payload: '{', headers: json }],
        [400, { url: '/reset/dQ/tok/' }],
        [400, { url: '/reset/dQ/tok/', headers: browser }],
        [
          400,
          { method: 'POST', url: reset, payload: { ...passwords, confirm_password: 'x' }, headers: browser },
        ],
        [400, { url: '/user/v/dQ/tok/', headers: browser }],
        [400, { method: 'POST', url: '/signup/v/dQ/tok/', headers: browser }],
        [401, { url: '/me/' }],
        [401, { method: 'POST', url: '/login/', payload: { username: 'bob', password: otherPassword } }],
        [403, { method: 'POST', url: '/login/', headers: { 'sec-fetch-site': 'cross-site' } }],
        [403, { method: 'POST', url: reset, headers: { ...browser, 'sec-fetch-site': 'cross-site' } }],
        [404, { url: '/user/nobody', headers: { cookie } }],
        [405, { method: 'PUT', url: '/login/' }],
        [405, { method: 'DELETE', url: reset }],
        [
          409,
          {
            method: 'POST',
            url: '/user/',
            payload: { username: 'bob', password: goodPassword, confirm_password: goodPassword },
          },
        ],
        [413, { method: 'POST', url: '/login/', payload: 'x'.repeat(20_000), headers: json }],
        [413, { method: 'POST', url: reset, payload: 'x'.repeat(20_000), headers: { ...json, ...browser } }],
        [415, { method: 'POST', url: '/login/', payload: 'x', headers: { 'content-type': 'text/plain' } }],
        [204, { method: 'POST', url: reset, payload: passwords }],
        [200, { method: 'POST', url: '/login/', payload: { username: 'alice', password: otherPassword } }],
      ]
      const seen = async (status: number, request: InjectOptions) => {
        const { statusCode, headers, body } = await service.app.inject(request)
        const { method = 'GET', url = '' } = request
        expect([method, url, statusCode]).toEqual([method, url, status])
        expect([url, status, headers['cache-control']]).toEqual([url, status, 'no-store'])
        expect([url, status, headers['x-content-type-options']]).toEqual([url, status, 'nosniff'])
        if (body !== '')
          expect([url, status, headers['content-type']]).toMatchObject([url, status, /charset=utf-8$/])
        if (typeof url === 'string' && isLinkPage(url) && status !== 405) {
          expect(headers).toMatchObject({ 'referrer-policy': 'strict-origin', 'x-frame-options': 'DENY' })
          const policy = String(headers['content-security-policy']).split('; ')
          expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]))
          expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
          expect(headers.vary).toContain('Accept')
        }
        if (String(headers['content-type']).startsWith('text/html')) {
          expect(body).toContain('<meta charset="utf-8">')
          expect(body).not.toMatch(/<script|<img|<link|src=|https?:\/\//)
        }
        expect(headers).not.toHaveProperty('x-powered-by')
        expect(headers).not.toHaveProperty('server')
      }
      for (const [status, request] of requests) await seen(status, request)
      // Every link page, with an invalid link.
      const pages = (await mountedPaths(service)).filter((each) => isLinkPage(each.path))
      for (const [at, { path, methods }] of pages.entries()) {
        for (const method of methods as ('GET' | 'POST')[]) {
          for (const headers of [browser, { accept: 'application/json' }, {}]) {
            const status = path === '/reset/d/' ? 200 : 400
            await seen(status, { method, url: path, headers, remoteAddress: `10.0.0.${at}` })
          }
        }
      }

      const { increment } = throttle
      throttle.increment = async () => ({ count: 1000, resetMs: 60_000 })
      await seen(429, { method: 'POST', url: '/login/', payload: {} })
      await seen(429, { url: '/reset/dQ/tok/', headers: browser })
      throttle.increment = () => Promise.reject(new Error('away'))
      await seen(503, { method: 'POST', url: '/login/', payload: {} })
      await seen(503, { url: '/reset/dQ/tok/', headers: browser })
      throttle.increment = increment
      users.findByUsername = () => Promise.reject(new Error('away'))
      await seen(503, { method: 'POST', url: '/login/', payload: { username: 'bob', password: 'x' } })
      expect((await users.findById(user.id))?.username).toBe('alice')
    },
  )

  rule(
    'HDR-02',
    {
      tried:
        'errors whose text names SQL, paths and secrets: in each store, the mailer, the hasher and a policy',
      expected: '503 or 500 with a generic body, as JSON and as a page; the text is only in the log',
    },
    async ({ start, users, sessions, throttle }) => {
      const log = logbook('error')
      const text = 'select * from accounts_users where key = hunter2 at /srv/app/db.js'
      const fault = () => {
        throw Object.assign(new Error(text), { sql: text, code: 'ER_SECRET', detail: text })
      }
      const options = { authorize: { listUsers: fault }, throttle: {} }
      const service = await start(options, log)
      await signUp(service, 'alice', { email })
      const cookie = await logIn(service)
      await service.send('POST', '/forgot/', { email })
      const reset = linkPath(await service.mail('reset-password'))
      const told = new Set<object>()
      const broken = async (store: object, name: string, request: InjectOptions) => {
        const methods = store as Record<string, unknown>
        const method = methods[name]
        methods[name] = fault
        log.clear()
        const response = await service.app.inject(request)
        methods[name] = method
        expect([name, response.statusCode]).toEqual([name, 503])
        expect(JSON.stringify([response.headers, response.body])).not.toMatch(
          /hunter2|select|srv|ER_SECRET|stack|\.js\b/,
        )
        // Only the first error of an adapter's outage is logged; the next fault belongs to the same outage.
        const adapter = store === sessions.withUsers ? sessions : store
        if (!told.has(adapter)) expect(log.text()).toContain('hunter2')
        told.add(adapter)
        return response
      }
      const login = {
        method: 'POST',
        url: '/login/',
        payload: { username: 'alice', password: goodPassword },
      } as const
      const headers = { cookie }
      const away = await broken(users, 'findByUsername', login)
      expect(away.json()).toEqual({
        statusCode: 503,
        code: 'ACCOUNTS_UNAVAILABLE',
        error: 'Service Unavailable',
        message: expect.not.stringContaining('findByUsername'),
      })
      if (sessions.withUsers?.update) await broken(sessions.withUsers, 'update', login)
      else await broken(users, 'update', login)
      if (sessions.withUsers) {
        await broken(sessions.withUsers, 'find', { url: '/me/', headers })
      } else {
        await broken(users, 'findById', { url: '/me/', headers })
        await broken(sessions, 'find', { url: '/me/', headers })
      }
      await broken(users, 'findById', { url: reset, headers: browser })
      await broken(users, 'findByEmail', { method: 'POST', url: '/forgot/', payload: { email } })
      if (!sessions.withUsers?.update) await broken(sessions, 'create', login)
      await broken(throttle, 'increment', login)
      await broken(service.hasher, 'verify', login)
      // The app's own rule, which throws at each call.
      await broken({}, 'none', { url: '/user/', headers })
      expect((await service.app.inject(login)).statusCode).toBe(200)
    },
  )

  rule(
    'HDR-04',
    {
      tried: 'every method at every path, with and without a trailing slash',
      expected:
        '405 with the right Allow for each that is not listed in /api-root/, except OPTIONS, which is the app’s; nothing happens',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const calls = [callsOf(users), callsOf(sessions)]
      const all = service.app.supportedMethods as (HTTPMethods & InjectOptions['method'])[]
      expect(all.toSorted()).toEqual([
        'DELETE',
        'GET',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'POST',
        'PUT',
        'QUERY',
        'TRACE',
      ])
      const paths = await mountedPaths(service)
      expect(paths.length).toBeGreaterThan(12)
      for (const { path, methods } of paths) {
        const allowed: HTTPMethods[] = methods.includes('GET') ? [...methods, 'HEAD'] : methods
        const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
        for (const url of [path, other]) {
          for (const method of all) {
            const response = await service.app.inject({
              method,
              url,
              ...(!allowed.includes(method) && { headers: { cookie } }),
            })
            const shown = [method, url, response.statusCode]
            if (allowed.includes(method)) {
              expect([404, 405]).not.toContain(shown[2])
              continue
            }
            if (method === 'OPTIONS') {
              expect(shown).toEqual([method, url, 404])
              continue
            }
            expect(shown).toEqual([method, url, 405])
            expect(response.headers.allow?.split(', ')).toEqual(allowed.toSorted())
            expect(response.headers['cache-control']).toBe('no-store')
            expect(response.headers['x-content-type-options']).toBe('nosniff')
            if (method !== 'HEAD') expect(response.json().code).toBe('ACCOUNTS_METHOD_NOT_ALLOWED')
          }
        }
      }
      expect(calls.flat().filter((name) => /^(create|update|delete)/.test(name))).toEqual([])
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'HDR-04',
    {
      tried:
        'methods that no route has: CONNECT, WebDAV’s, QUERY, PURGE, made-up and lowercase ones, as raw bytes',
      expected:
        '400, 404 or 405, or the connection is closed; never 2xx, nothing echoed, and nothing happens',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const calls = [callsOf(users), callsOf(sessions)]
      const body = JSON.stringify({ username: 'alice', password: goodPassword })
      for (const path of [...(await postPaths(service)), '/me/', '*', 'localhost:3000']) {
        for (const method of [
          'CONNECT',
          'TRACE',
          'PROPFIND',
          'LOCK',
          'QUERY',
          'PURGE',
          'SOURCE',
          'BREW',
          'post',
          'Post',
          'POSTS',
        ]) {
          const {
            statusCode,
            headers,
            body: echoed,
          } = await service.raw(
            `${method} ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nX-Canary: singing\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
          )
          expect([method, path, [0, 400, 404, 405].includes(statusCode)]).toEqual([method, path, true])
          expect(headers).not.toHaveProperty('set-cookie')
          expect(echoed).not.toMatch(/singing|session=/)
        }
      }
      expect(calls.flat().filter((name) => /^(create|update|delete)/.test(name))).toEqual([])
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'HDR-05',
    {
      tried:
        'links from emails if the routes are versioned, one or two versions in an app: opened by a browser, which sends no version, and by clients that send each one',
      expected:
        'each link works with every mounted version, and without one; everything except pages responds to its own version only',
    },
    async ({ start, users, sessions }) => {
      const first = { version: '1.0.0' }
      const second = { version: '2.0.0' }
      const { app, ...rest } = await start(
        { constraints: second },
        {
          async before(app) {
            await app.register(accounts, {
              secret,
              baseUrl,
              users: true,
              userStore: users,
              sessionStore: sessions,
              passwordHasher: cheapHasher(),
              mailer: outbox(),
              throttle: false,
              constraints: first,
              decorateAs: { instance: 'first', request: 'firstUser' },
            })
          },
        },
      )
      const service: Service = {
        ...rest,
        app,
        send: (method, url, payload, extra) =>
          rest.send(method, url, payload, {
            ...extra,
            headers: { 'accept-version': '2.0.0', ...extra?.headers },
          }),
      }
      await signUp(service, 'alice', { email })
      const links = [await verifyLink(service, email), await resetLink(service, email)]
      for (const url of links) {
        const page = await app.inject({ url, headers: browser })
        expect([url, page.statusCode, page.body.includes('<form method="post"')]).toEqual([url, 200, true])
        for (const version of ['1.0.0', '2.0.0', '1.x', '2.x']) {
          const headers = { 'accept-version': version, accept: 'text/html' }
          expect([url, version, (await app.inject({ url, headers })).statusCode]).toEqual([url, version, 200])
        }
        const unknown = await app.inject({ url, headers: { ...browser, 'accept-version': '3.x' } })
        expect(unknown.statusCode).toBe(404)
      }
      const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
      const [verify = '', reset = ''] = links
      const verified = await app.inject({
        ...{ method: 'POST', url: `${verify}password/`, headers: form },
        payload: new URLSearchParams({ password: goodPassword }).toString(),
      })
      expect(verified.statusCode).toBe(200)
      const payload = new URLSearchParams(passwords).toString()
      const sent = await app.inject({ method: 'POST', url: reset, headers: form, payload })
      expect([sent.statusCode, sent.headers.location]).toEqual([303, '/reset/d/'])
      expect((await app.inject({ url: '/reset/d/', headers: browser })).statusCode).toBe(200)
      const cookie = await logIn(service, 'alice', otherPassword)
      const known = await app.inject({ url: '/.well-known/change-password', headers: { ...browser, cookie } })
      const url = new URL(String(known.headers.location)).pathname
      const asked = await app.inject({ url, headers: { ...browser, cookie } })
      expect([asked.statusCode, asked.body.includes('name="old_password"')]).toEqual([200, true])
      for (const path of ['/me/', '/user/', '/api-root/']) {
        expect((await app.inject({ url: path, headers: { ...browser, cookie } })).statusCode).toBe(404)
      }
    },
  )
})
