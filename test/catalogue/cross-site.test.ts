import websocket from '@fastify/websocket'
import { browser, goodPassword, linkPath, logIn, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { tokenClient } from '@fastify-accounts/test-support/tokens'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type AccountsHook, apiKeys, tokens } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { mountedPaths, postPaths } from './routes.js'
import { callsOf } from './store-calls.js'

const form = 'application/x-www-form-urlencoded'
const site = 'http://localhost:3000'
const trusted = 'https://app.example.org'
const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'
const trustedApps = [
  ...['app://.', 'capacitor://localhost', extension, 'exp://192.168.0.2:8081', 'ionic://localhost'],
  ...['moz-extension://1b4e28ba-2fa1-11d2-883f-0016d3cca427', 'tauri://localhost', 'wails://wails'],
  ...['safari-web-extension://1B4E28BA-2FA1-11D2-883F-0016D3CCA427', 'vscode-webview://1a2b3c'],
]

/** Headers of requests made by another site, or by an origin that merely resembles ours. */
const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site', origin: site },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost' },
  { 'sec-fetch-site': 'nonsense', origin: site },
  { 'sec-fetch-site': '', origin: site },
  { 'sec-fetch-site': 'SAME-ORIGIN' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'https://localhost:3000' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000.evil.example' },
  { origin: 'http://LOCALHOST:3000' },
  { origin: `${site}/` },
  { origin: `${trusted}.evil.example` },
  { origin: 'http://app.example.org' },
  { origin: `${site}, https://evil.example` },
  { origin: 'capacitor://evil' },
  { origin: 'capacitor://LOCALHOST' },
  { origin: extension.replace('abc', 'cba') },
  { origin: 'file://' },
]
const own: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
  { 'sec-fetch-site': 'none' },
  { origin: site },
  { 'sec-fetch-site': 'cross-site', origin: trusted },
  { origin: trusted },
  ...trustedApps.map((origin) => ({ origin, 'sec-fetch-site': 'cross-site' })),
  {},
]

/** Matches the names of store methods that write. */
const writes = /^(create|update|delete|touch)/

cases('Cross-site requests', ({ rule }) => {
  rule(
    'CSR-01',
    {
      tried: 'logging a visitor in, or signing them up, through a form on another site, without any cookie',
      expected: '403, no cookie, nothing hashed and nothing written; the same form on the site itself works',
    },
    async ({ start, users, sessionRows }) => {
      const service = await start({ trustedOrigins: [trusted, ...trustedApps] })
      await signUp(service, 'mallory')
      const password = goodPassword.replaceAll(' ', '+')
      const forms = [
        ['/login/', `username=mallory&password=${password}`, 200],
        ['/signup/', `username=puppet&password=${password}&confirm_password=${password}`, 201],
      ] as const
      const work = () => service.hasher.hashes + service.hasher.verifications
      const before = work()
      const post = (url: string, payload: string, headers: Record<string, string>) =>
        service.app.inject({ method: 'POST', url, payload, headers: { ...headers, 'content-type': form } })
      for (const [url, payload] of forms) {
        for (const headers of foreign) {
          const response = await post(url, payload, headers)
          expect([headers, response.statusCode, response.cookies]).toEqual([headers, 403, []])
          expect(response.json().code).toBe('ACCOUNTS_CROSS_SITE')
          // People can't change options.
          expect(response.json().message).not.toContain('trustedOrigins')
        }
        const twice = `Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\nOrigin: ${site}\r\n`
        const raw = await service.raw(
          `POST ${url} HTTP/1.1\r\nHost: localhost:3000\r\n${twice}Content-Type: ${form}\r\nContent-Length: ${payload.length}\r\nConnection: close\r\n\r\n${payload}`,
        )
        expect([raw.statusCode, raw.headers['set-cookie']]).toEqual([403, undefined])
      }
      expect([work(), await sessionRows(), await users.list({ limit: 9 })]).toMatchObject([before, 0, [{}]])
      for (const [url, payload, status] of forms) {
        const response = await post(url, payload, { 'sec-fetch-site': 'same-origin', origin: site })
        expect([url, response.statusCode]).toEqual([url, status])
      }
    },
  )

  rule(
    'CSR-01',
    {
      tried: 'every state-changing route, from another site, from a lookalike of this one, and from this one',
      expected:
        '403 for foreign sites; requests from the site itself, a trusted origin or a non-browser client pass the check',
    },
    async ({ start, users }) => {
      const service = await start({ trustedOrigins: [trusted, ...trustedApps] })
      const user = await signUp(service)
      const cookie = await logIn(service)
      const targets: InjectOptions[] = (await postPaths(service)).map((url) => ({ method: 'POST', url }))
      targets.push({ method: 'DELETE', url: `/user/${user.id}` })
      const asked = callsOf(users)
      for (const target of targets) {
        for (const headers of foreign) {
          for (const accept of ['application/json', browser.accept]) {
            const response = await service.app.inject({ ...target, headers: { ...headers, cookie, accept } })
            expect([target, headers, response.statusCode]).toEqual([target, headers, 403])
            expect(response.cookies).toEqual([])
          }
        }
      }
      expect(asked).toEqual([])
      expect(await whoIs(service, cookie)).toBe('alice')
      for (const target of targets.filter(({ method }) => method === 'POST')) {
        for (const headers of own) {
          const { body } = await service.app.inject({ ...target, headers })
          expect([target, headers, body.includes('ACCOUNTS_CROSS_SITE')]).toEqual([target, headers, false])
        }
      }
    },
  )

  rule(
    'CSR-02',
    {
      tried:
        'JSON under the content types that a form on another site can send, and under none, at every route',
      expected: '415, or 400 if it is parsed as a form; nothing is written, and the session survives',
    },
    async ({ start, users, sessions, sessionRows }) => {
      const service = await start()
      const user = await signUp(service, 'alice', { email: 'alice@example.org' })
      const cookie = await logIn(service)
      const calls = [callsOf(users), callsOf(sessions)]
      const password = { new_password: 'another good one', confirm_password: 'another good one' }
      const bodies: Record<string, object> = {
        '/login/': { username: 'alice', password: goodPassword },
        '/forgot/': { email: 'alice@example.org' },
        '/change-password/': { old_password: goodPassword, ...password },
        '/user/': { username: 'bob', password: goodPassword, confirm_password: goodPassword },
        '/signup/': { username: 'bob', password: goodPassword, confirm_password: goodPassword },
      }
      for (const url of await postPaths(service)) {
        const payload = JSON.stringify(bodies[url] ?? { x: 1 })
        for (const type of [
          'text/plain',
          'text/plain; charset=utf-8',
          'text/plain;application/json',
          'multipart/form-data; boundary=x',
          `${form}; json`,
          form,
          'text/json',
          'application/xml',
          'application/octet-stream',
          'application/json-seq',
          'x',
          ' ',
          '',
        ]) {
          const headers = { cookie, 'content-type': type }
          const response = await service.app.inject({ method: 'POST', url, payload, headers })
          const refused = type.startsWith(form) ? 400 : 415
          expect([url, type, response.statusCode, response.cookies]).toEqual([url, type, refused, []])
        }
        const raw = await service.raw(
          `POST ${url} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nContent-Length: ${payload.length}\r\nConnection: close\r\n\r\n${payload}`,
        )
        expect([url, raw.statusCode]).toEqual([url, 415])
      }
      expect(calls.flat().filter((name) => writes.test(name))).toEqual([])
      expect(await users.findById(user.id)).toMatchObject({ passwordHash: user.passwordHash })
      expect(await sessionRows()).toBe(1)
      expect(await whoIs(service, cookie)).toBe('alice')
      expect(service.mails).toEqual([])
    },
  )

  rule(
    'CSR-05',
    {
      tried:
        'preflights and credentialed requests from another origin, including a trusted one, at every route',
      expected: 'no Access-Control header in any response: CORS is up to the host',
    },
    async ({ start }) => {
      const service = await start({ trustedOrigins: [trusted, ...trustedApps] })
      await signUp(service)
      const cookie = await logIn(service)
      for (const { path, methods } of await mountedPaths(service)) {
        for (const origin of ['https://evil.example', 'null', trusted]) {
          const preflight = await service.app.inject({
            method: 'OPTIONS',
            url: path,
            headers: {
              origin,
              'access-control-request-method': methods[0] ?? 'GET',
              'access-control-request-headers': 'content-type',
            },
          })
          expect([path, preflight.statusCode]).toEqual([path, 404])
          const others = []
          for (const method of methods.filter((each) => each !== 'DELETE')) {
            others.push(
              await service.app.inject({ method, url: path, headers: { origin, cookie } } as InjectOptions),
            )
          }
          for (const { headers } of [preflight, ...others]) {
            const names = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
            expect([path, names]).toEqual([path, []])
          }
        }
        await logIn(service)
      }
    },
  )

  rule(
    'CSR-06',
    {
      tried:
        'GET and HEAD of every route, as a browser and as a client, with live links, against stores that record writes',
      expected:
        'no writes except two documented ones: a JSON client’s GET of a verification link verifies, and "last seen" is updated once a minute',
    },
    async ({ start, users, sessions, wait }) => {
      const service = await start()
      const email = 'alice@example.org'
      const user = await signUp(service, 'alice', { email })
      const cookie = await logIn(service)
      for (const url of ['/forgot/', '/user/v/']) await service.send('POST', url, { email })
      const reset = linkPath(await service.mail('reset-password'))
      const verify = linkPath(await service.mail('verify-email'))
      const paths = (await mountedPaths(service)).filter(({ methods }) => methods.includes('GET'))
      const urls = [...paths.map(({ path }) => path), `/user/${user.id}`, '/user/?limit=1', reset]
      const calls = [callsOf(users), callsOf(sessions)]
      const written = () => calls.flatMap((each) => each.splice(0)).filter((name) => writes.test(name))
      for (const url of [...urls, verify]) {
        for (const method of ['GET', 'HEAD'] as const) {
          for (const accept of ['application/json', browser.accept]) {
            if (url === verify && method === 'GET' && accept === 'application/json') continue
            for (const headers of [
              { accept, cookie },
              { accept, 'sec-fetch-site': 'cross-site' },
            ]) {
              const response = await service.app.inject({ method, url, headers })
              expect(response.statusCode).toBeLessThan(500)
              expect([method, url, written()]).toEqual([method, url, []])
            }
          }
        }
      }
      await service.send('GET', verify)
      expect(written()).toEqual([])
      const asJson = { headers: { accept: 'application/json' } }
      await service.send('GET', verify, undefined, asJson)
      expect(written()).toEqual(['update'])
      await service.send('GET', verify, undefined, asJson)
      expect(written().length).toBeLessThanOrEqual(1)
      expect((await users.findById(user.id))?.isVerified).toBe(true)
      await wait(61_000)
      await whoIs(service, cookie)
      await whoIs(service, cookie)
      expect(written()).toEqual(['touch'])
    },
  )

  rule(
    'CSR-07',
    {
      tried:
        'a WebSocket that another site opens with the victim’s cookie, on a route of the host and on ours',
      expected: '403 before it opens; the site itself, trusted origins and clients without an origin open it',
    },
    async ({ start }) => {
      let opened = 0
      const service = await start(
        { trustedOrigins: [trusted, ...trustedApps] },
        {
          async before(app) {
            await app.register(websocket)
            const onRequest: AccountsHook[] = [
              (request, reply) => app.accounts.refuseCrossSite(request, reply),
              (request, reply) => app.accounts.requireUser(request, reply),
            ]
            app.get('/live', { websocket: true, onRequest }, (socket) => {
              opened += 1
              socket.close()
            })
          },
        },
      )
      await signUp(service)
      const cookie = await logIn(service)
      const open = (headers: Record<string, string>) =>
        service.app.injectWS('/live', { headers: { cookie, ...headers } }).then(
          (socket) => {
            socket.terminate()
            return 'open'
          },
          (error: Error) => error.message,
        )
      for (const headers of foreign.filter(({ origin }) => origin !== site)) {
        expect([headers, await open(headers)]).toEqual([headers, expect.stringContaining('403')])
        const ours = { ...headers, cookie, connection: 'upgrade', upgrade: 'websocket' }
        const response = await service.app.inject({ url: '/me/', headers: ours })
        expect([headers, response.statusCode]).toEqual([headers, 403])
      }
      expect(opened).toBe(0)
      for (const headers of own) {
        expect([headers, await open(headers)]).toEqual([
          headers,
          headers.origin === 'null' ? expect.stringContaining('403') : 'open',
        ])
      }
    },
  )

  rule(
    'CSR-08',
    {
      tried:
        'another site sends the cookies of a victim and a token or key, forged or the attacker’s own, to a route of the host that reads a cookie of its own',
      expected: '403; the same without cookies, and from the site itself, passes',
      on: 'memory',
      because: 'the stores are not asked',
    },
    async ({ start }) => {
      const before = (app: FastifyInstance) =>
        app.post(
          '/own',
          { onRequest: (request, reply) => app.accounts.refuseCrossSite(request, reply) },
          async () => 'done',
        )
      const service = await start({ features: [tokens(), apiKeys({ scopes: ['read'] })] }, { before })
      const { id } = await signUp(service)
      const { key } = await service.app.accounts.createApiKey(id, { name: 'x', scopes: ['read'] })
      const mallory = tokenClient(service)
      await mallory.send('POST', '/login/', { username: 'alice', password: goodPassword })
      const send = async (headers: Record<string, string>) =>
        (await service.send('POST', '/own', undefined, { headers })).statusCode
      const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      for (const text of ['fat_x', 'far_x', 'fa_x', mallory.tokens?.access_token ?? '', key]) {
        const authorization = `Bearer ${text}`
        expect([text, await send({ ...evil, authorization, cookie: 'sid=victim' })]).toEqual([text, 403])
        expect([text, await send({ ...evil, authorization })]).toEqual([text, 200])
        expect([text, await send({ authorization, cookie: 'sid=own' })]).toEqual([text, 200])
      }
      expect(await send(evil)).toBe(403)
    },
  )
})
