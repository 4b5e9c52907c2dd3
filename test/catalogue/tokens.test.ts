import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:http2'
import websocket from '@fastify/websocket'
import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { deliveredBy, type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import type { FastifyInstance } from 'fastify'
import { type AccountsError, type AccountUser, type AuditEvent, secondFactor, tokens } from 'fastify-accounts'
import { deriveKeys, type Feature, finishLogin, noReply, route } from 'fastify-accounts/features'
import { expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { change, choice } from './passwords.js'
import { mountedPaths } from './routes.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'
import {
  type App,
  alone,
  appAt,
  appOf,
  bearer,
  canRefresh,
  day,
  isIn,
  minute,
  password,
  whoHas,
  withTokens,
} from './token-clients.js'

const changed = { old_password: goodPassword, ...choice(otherPassword) }
const invalid = 'Bearer error="invalid_token"'

/** Everything that ends a session. */
const ends: Record<string, (service: Service, app: App, owner: AccountUser) => Promise<unknown>> = {
  'its logout': (_, app) => app.send('POST', '/logout/'),
  'its refresh token is revoked': ({ send }, app) =>
    send('POST', '/tokens/revoke/', { token: app.tokens.refresh_token ?? app.tokens.access_token }),
  'its access token is revoked': ({ send }, app) =>
    send('POST', '/tokens/revoke/', { token: app.tokens.access_token }),
  async 'another session has ended it in the list'(service, _, { username }) {
    const headers = { cookie: await logIn(service, username ?? '') }
    const { results } = (await service.send('GET', '/sessions/', undefined, { headers })).json()
    const { id } = results.find(({ current }: { current: boolean }) => !current)
    return service.send('DELETE', `/sessions/${id}`, undefined, { headers })
  },
  async 'another session has ended the others'(service, _, { username }) {
    const other = await appOf(service, username ?? '')
    await other.send('POST', '/sessions/end-others/')
    expect(await isIn(other)).toBe(true)
  },
  'a new password': async (service, _, { username }) =>
    change(service, await logIn(service, username ?? ''), otherPassword),
  'a reset': async (service, _, { email }) =>
    service.send('POST', await resetLink(service, email ?? ''), choice(otherPassword)),
  'a lock-down': ({ app }, _, { id }) => app.accounts.secureUser(id),
  'the account was disabled': ({ app }, _, { id }) => app.accounts.updateUser(id, { isActive: false }),
  'the account was deleted': async (service, _, { username }) =>
    service.send('DELETE', '/me/', undefined, { headers: { cookie: await logIn(service, username ?? '') } }),
  async 'staff has ended all sessions'(service, _, { id, username }) {
    const manager = `manager-of-${username}`
    await service.app.accounts.createUser({ username: manager, password: goodPassword, isStaff: true })
    const headers = { cookie: await logIn(service, manager) }
    return service.send('POST', `/user/${id}/end-sessions/`, undefined, { headers })
  },
}

/** A feature whose route continues the session by a method that proves nothing, once its gate is open. */
const slowFeature = (gate: { reached(): void; opened: Promise<void> }): Feature => ({
  name: 'slow',
  routes: () => ({
    auth: [
      route({
        name: 'slow',
        action: 'confirm',
        method: 'POST',
        path: '/slow/',
        operation: { id: 'slow', summary: 'Go on', errors: [], setsSession: true },
        access: 'logged-in',
        budget: null,
        schema: { response: { 204: noReply } },
        async handle({ who, client }, deps) {
          gate.reached()
          await gate.opened
          await deps.keeper.confirm(client, { user: who.user, methods: [] })
          return {}
        },
      }),
    ],
  }),
})

/** A login that a feature of others takes on trust. */
const partner: Feature = {
  name: 'partner',
  routes: () => ({
    auth: [
      route({
        name: 'partner',
        action: 'login',
        method: 'POST',
        path: '/partner/',
        operation: { id: 'partner', summary: 'Log in at a partner', errors: [], setsSession: true },
        access: 'anyone',
        budget: 'login',
        schema: { response: { 204: noReply } },
        async handle({ client }, deps) {
          const user = await deps.users.findByUsername('alice')
          if (user === null) throw new Error('no such user')
          await finishLogin(deps, client, { user, methods: ['pwd'] }, false)
          return {}
        },
      }),
    ],
  }),
}

cases('Tokens', ({ rule, storage }) => {
  rule(
    'TOK-01',
    {
      tried: 'a login that asks for tokens, in a browser that has a session and a known device as cookies',
      expected: 'tokens and no cookie; the cookie’s session isn’t read, and goes on',
    },
    async ({ start, sessions }) => {
      const service = await start(withTokens)
      const user = await signUp(service)
      const cookie = await logIn(service)
      const app = tokenClient(service)
      const response = await app.send('POST', '/login/', password(), { cookie })
      expect([response.statusCode, response.cookies]).toEqual([200, []])
      expect(deliveredBy(response)).toMatchObject({ token_type: 'Bearer', expires_in: 900 })
      expect([await whoHas(app), await whoIs(service, cookie)]).toEqual(['alice', 'alice'])
      const rows = await sessions.listByUser(user.id)
      expect(rows.map(({ kind }) => kind).sort()).toEqual(['cookie', 'token'])
      // Nothing of it is a cookie afterwards.
      const all = [
        await app.send('POST', '/confirm/', { password: goodPassword }),
        await app.refresh(),
        await app.send('POST', '/change-password/', changed),
        await app.send('POST', '/logout/'),
      ]
      expect(all.map(({ statusCode, cookies }) => [statusCode, cookies.length])).toEqual([
        [200, 0],
        [200, 0],
        [200, 0],
        [204, 0],
      ])
    },
  )

  rule(
    'TOK-02',
    {
      tried: 'a session’s cookie and `Accounts-Delivery: tokens`, at every route that needs a login',
      expected: '401 and no tokens: a cookie’s session never becomes a refresh token',
    },
    async ({ start, sessions }) => {
      const service = await start(withTokens)
      const user = await signUp(service)
      const cookie = await logIn(service)
      const headers = { cookie, 'accounts-delivery': 'tokens' }
      const before = await sessions.listByUser(user.id)
      let tried = 0
      for (const { path, methods } of await mountedPaths(service)) {
        for (const method of methods) {
          const { statusCode } = await service.send(method, path)
          if (statusCode !== 401 || path === '/login/') continue
          tried += 1
          const response = await service.send(method, path, undefined, { headers })
          expect([path, response.statusCode, response.cookies]).toEqual([path, 401, []])
        }
      }
      expect(tried).toBeGreaterThan(10)
      for (const [url, body] of [
        ['/confirm/', { password: goodPassword }],
        ['/change-password/', changed],
      ] as const) {
        const response = await service.send('POST', url, body, { headers })
        expect([url, response.statusCode, deliveredBy(response)]).toEqual([url, 401, undefined])
      }
      expect((await service.send('POST', '/logout/', undefined, { headers })).cookies).toEqual([])
      expect(await sessions.listByUser(user.id)).toEqual(before)
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'TOK-02',
    {
      tried:
        'an access token beside another user’s cookie: to read, to confirm, to change the password, to log out',
      expected:
        'the token’s user alone, answered with tokens; the cookie’s session is neither used nor ended',
    },
    async ({ start }) => {
      const service = await start(withTokens)
      await signUp(service)
      await signUp(service, 'bob')
      const cookie = await logIn(service, 'bob')
      const app = await appOf(service)
      // Without the header too, its tokens say what it is.
      const send = (url: string, body?: object) =>
        service.send('POST', url, body, { headers: { cookie, ...bearer(app.tokens.access_token) } })
      const me = { headers: { cookie, ...bearer(app.tokens.access_token) } }
      expect((await service.send('GET', '/me/', undefined, me)).json().username).toBe('alice')
      for (const [url, body] of [
        ['/confirm/', { password: goodPassword }],
        ['/change-password/', changed],
      ] as const) {
        const response = await send(url, body)
        expect([url, response.statusCode, response.cookies]).toEqual([url, 200, []])
        app.tokens = deliveredBy(response) as App['tokens']
        expect(await whoHas(app)).toBe('alice')
      }
      const gone = await send('/logout/')
      expect([gone.statusCode, gone.cookies, await isIn(app)]).toEqual([204, [], false])
      expect(await whoIs(service, cookie)).toBe('bob')
    },
  )

  rule(
    'TOK-03',
    {
      tried:
        'bearer values beside a valid cookie: of the host’s own JWTs and of nobody, and such that begin with a prefix of ours',
      expected:
        'what isn’t ours counts as absent; what is and fails is 401 with WWW-Authenticate wherever a login is looked for, also where none is needed, and never falls back to the cookie',
    },
    async ({ start }) => {
      const service = await start(withTokens, { before: hostRoutes })
      await signUp(service)
      const cookie = await logIn(service)
      const app = await appOf(service)
      const { access_token: access, refresh_token: refresh = '' } = app.tokens
      const ask = (url: string, authorization: string, more: Record<string, string> = {}) =>
        service.send('GET', url, undefined, { headers: { cookie, authorization, ...more } })
      const absent = [
        `Bearer ${jwt()}`,
        'Bearer fa',
        'Bearer FAT_x',
        'Bearer fat-x',
        `Bearer x${access}`,
        `Bearer "${access}"`,
        `Basic ${Buffer.from(`x:${access}`).toString('base64')}`,
        `Token ${access}`,
        access,
        `Bearer${access}`,
        '',
      ]
      for (const authorization of absent) {
        for (const url of ['/me/', '/host/user', '/host/known']) {
          const response = await ask(url, authorization)
          expect([url, authorization, response.statusCode]).toEqual([url, authorization, 200])
          expect(response.json().username).toBe('alice')
        }
      }
      const failing = [
        'fat_',
        'far_',
        'fat_x',
        'fat_.',
        'fat_....',
        refresh,
        `fat_${refresh.slice(4)}`,
        `far_${access.slice(4)}`,
        `${access} ${access}`,
        `${access},${access}`,
        `fat_${access}`,
        `${access}=`,
        `fat_${'x'.repeat(8000)}`,
      ]
      for (const text of failing) {
        for (const url of ['/me/', '/host/user', '/host/known', '/host/recent']) {
          const response = await ask(url, `Bearer ${text}`)
          expect([url, text, response.statusCode]).toEqual([url, text, 401])
          expect(response.json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
          expect(response.headers['www-authenticate']).toBe(invalid)
          expect(response.cookies).toEqual([])
        }
      }
      // Where nobody is looked for, it doesn't matter.
      expect((await ask('/api-root/', 'Bearer fat_x')).statusCode).toBe(200)
      for (const authorization of [`bearer ${access}`, `BEARER   ${access}  `])
        expect((await ask('/me/', authorization)).statusCode).toBe(200)
    },
  )

  rule(
    'TOK-04',
    {
      tried:
        'tokens with each character changed, with parts left out, exchanged or added, and signed with another key',
      expected: '401 without a look-up; a token has one spelling',
    },
    async ({ start, sessions }) => {
      const service = await start(withTokens)
      await signUp(service)
      const app = await appOf(service)
      const calls = callsOf(sessions)
      const together = sessions.withUsers ? callsOf(sessions.withUsers) : []
      const { access_token: access, refresh_token: refresh = '' } = app.tokens
      const wrong = (token: string): string[] => {
        const [body = '', mac = ''] = [token.slice(0, token.lastIndexOf('.')), token.split('.').at(-1)]
        const parts = body.split('.')
        return [
          ...Array.from(token.slice(4), (_, n) => replaced(token, n + 4)),
          body,
          `${body}.`,
          `.${mac}`,
          `${token}A`,
          `${token}.`,
          token.slice(0, -1),
          `${body}.0.${mac}`,
          `${parts.slice(0, -1).join('.')}.${mac}`,
          [parts[0], '9', ...parts.slice(2), mac].join('.'),
          `${body}.${createHmac('sha256', secret).update(body.slice(4)).digest('base64url')}`,
          `${body}.${randomBytes(32).toString('base64url')}`,
        ]
      }
      for (const token of wrong(access)) {
        const { statusCode } = await service.send('GET', '/me/', undefined, { headers: bearer(token) })
        expect([token, statusCode]).toEqual([token, 401])
      }
      for (const token of [...wrong(refresh), access, `far_${access.slice(4)}`]) {
        const { statusCode } = await service.send('POST', '/tokens/refresh/', { refresh_token: token })
        expect([token, statusCode]).toEqual([token, 401])
        if (token === access) continue
        const revoked = await service.send('POST', '/tokens/revoke/', { token })
        expect([token, revoked.statusCode, revoked.json()]).toEqual([token, 200, {}])
      }
      expect([...calls, ...together]).toEqual([])
      expect(await whoHas(app)).toBe('alice')
    },
  )

  rule(
    'TOK-05',
    {
      tried:
        'the access token, the refresh token and the state of another realm on the same secret and stores',
      expected: 'they log nobody in, refresh, end and say nothing there',
    },
    async ({ start }) => {
      const service = await start({ features: [tokens(), secondFactor()] })
      const staff = await start({
        features: [tokens(), secondFactor()],
        session: { cookieName: 'staff' },
        decorateAs: { instance: 'staff', request: 'staffUser' },
      })
      await signUp(service)
      const app = await appOf(service)
      const there = appAt(staff, app)
      expect([await whoHas(there), await canRefresh(there)]).toEqual([null, false])
      for (const token of Object.values(app.tokens).slice(0, 4).map(String))
        expect((await staff.send('POST', '/tokens/revoke/', { token })).statusCode).toBe(200)
      expect((await there.send('POST', '/logout/')).statusCode).toBe(204)
      expect(await isIn(app)).toBe(true)

      await enroll(app)
      const pending = tokenClient(service)
      const waits = await pending.send('POST', '/login/', password())
      expect([waits.statusCode, pending.state]).toEqual([401, expect.stringMatching(/./)])
      const elsewhere = tokenClient(staff)
      elsewhere.state = pending.state
      const { statusCode } = await elsewhere.send('POST', '/login/second-factor/', { code: '000000' })
      expect([statusCode, elsewhere.tokens]).toEqual([401, null])
    },
  )

  rule(
    'TOK-06',
    {
      tried:
        'a token in the query, in a form, in JSON, in cookies, in other headers and twice; with HEAD; over HTTP/2',
      expected: 'only the header Authorization counts',
    },
    async ({ start }) => {
      const service = await start(withTokens)
      await signUp(service)
      const app = await appOf(service)
      const { access_token: token } = app.tokens
      const { app: server } = service
      const query = `access_token=${token}`
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const statuses = [
        await server.inject({ url: `/me/?${query}` }),
        await server.inject({ url: `/me/?token=${token}&authorization=Bearer%20${token}` }),
        await server.inject({ method: 'POST', url: '/sessions/end-others/', payload: query, headers: form }),
        await server.inject({
          method: 'PATCH',
          url: '/me/',
          payload: { access_token: token, username: 'x' },
        }),
        await server.inject({ url: '/me/', headers: { cookie: `session=${token}; access_token=${token}` } }),
        await server.inject({
          url: '/me/',
          headers: { 'x-access-token': token, 'proxy-authorization': token },
        }),
        await server.inject({
          url: '/me/',
          headers: { 'accounts-delivery': 'tokens', cookie: `authorization=Bearer ${token}` },
        }),
      ].map(({ statusCode }) => statusCode)
      expect(statuses).toEqual(Array(7).fill(401))

      const head = await server.inject({ method: 'HEAD', url: '/me/', headers: bearer(token) })
      expect([head.statusCode, head.body]).toEqual([200, ''])
      expect(
        (await server.inject({ method: 'HEAD', url: '/me/', headers: bearer('fat_x') })).statusCode,
      ).toBe(401)
      // Node.js keeps the first of two.
      const twice = await service.raw(
        `GET /me/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer fat_x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      )
      expect(twice.statusCode).toBe(401)
    },
  )

  rule(
    'TOK-06',
    {
      tried: 'a login, a visit, a refresh and a logout over HTTP/2',
      expected: 'as over HTTP/1.1',
    },
    async ({ start }) => {
      const service = await start(withTokens, { server: { http2: true } as never })
      await signUp(service)
      const port = await service.listen()
      const session = connect(`http://127.0.0.1:${port}`)
      const send = async (method: string, path: string, headers: object = {}, body?: object) => {
        const type = body && { 'content-type': 'application/json' }
        const stream = session.request({ ':method': method, ':path': path, ...type, ...headers })
        stream.end(body && JSON.stringify(body))
        const [[head]] = await Promise.all([once(stream, 'response')])
        let text = ''
        for await (const chunk of stream) text += chunk
        return { status: head[':status'], state: head['accounts-state'], body: text && JSON.parse(text) }
      }
      try {
        const login = await send('POST', '/login/', { 'accounts-delivery': 'tokens' }, password())
        expect([login.status, login.state]).toEqual([200, expect.any(String)])
        const next = await send(
          'POST',
          '/tokens/refresh/',
          {},
          { refresh_token: login.body.tokens.refresh_token },
        )
        const headers = bearer(next.body.tokens.access_token)
        expect((await send('GET', '/me/', headers)).body.username).toBe('alice')
        expect((await send('POST', '/logout/', headers)).status).toBe(204)
        expect((await send('GET', '/me/', headers)).status).toBe(401)
      } finally {
        session.destroy()
      }
    },
  )

  rule(
    'TOK-07',
    {
      tried:
        'the tokens of a session, with and without refresh tokens, after each kind of end: logout, revoked, ended in the list or with the others, a new password, a reset, a lock-down, the account disabled or deleted, by staff',
      expected: '401 with WWW-Authenticate at the next request, and at a refresh',
    },
    async ({ start }) => {
      for (const [mode, options] of Object.entries({ withTokens, alone })) {
        const service = await start(options)
        for (const [what, end] of Object.entries(ends)) {
          const username = `${mode}-${Object.keys(ends).indexOf(what)}`.toLowerCase()
          const email = `${username}@example.org`
          const user = { username, email, password: goodPassword, isVerified: true }
          const owner = await service.app.accounts.createUser(user)
          const app = await appOf(service, username)
          const before = app.copy()
          expect(await canRefresh(app)).toBe(mode === 'withTokens')
          expect(await whoHas(app)).toBe(username)
          await end(service, app, owner)
          for (const each of [app, before]) {
            const response = await each.send('GET', '/me/')
            expect([mode, what, response.statusCode]).toEqual([mode, what, 401])
            expect(response.headers['www-authenticate']).toBe(invalid)
            expect([mode, what, await canRefresh(each.copy())]).toEqual([mode, what, false])
          }
        }
      }
    },
  )

  rule(
    'TOK-07',
    {
      tried:
        'the hundred-and-first session of a user, with tokens and cookies in turn, when the two oldest have been used',
      expected: 'the least recently used ends, whichever kind it is; 100 are left',
    },
    async ({ start, sessions, wait }) => {
      const service = await start(withTokens)
      const { id } = await signUp(service)
      await wait(0)
      const used = { app: await appOf(service), cookie: await logIn(service) }
      await wait(minute)
      const unused = { app: await appOf(service), cookie: await logIn(service) }
      await wait(minute)
      for (let n = 0; n < 48; n += 1) {
        await appOf(service)
        await logIn(service)
      }
      expect([await canRefresh(used.app), await whoIs(service, used.cookie)]).toEqual([true, 'alice'])
      await logIn(service)
      const newest = await appOf(service)
      expect([await whoHas(unused.app), await whoIs(service, unused.cookie)]).toEqual([null, null])
      expect([await isIn(used.app), await whoIs(service, used.cookie)]).toEqual([true, 'alice'])
      expect([await isIn(newest), (await sessions.listByUser(id)).length]).toEqual([true, 100])
    },
  )

  rule(
    'TOK-08',
    {
      tried:
        'a leaked database, a leaked secret, and both: tokens made of the rows’ ids with the keys of the secret',
      expected: 'none is valid: the store has only a hash of what a token names',
    },
    async ({ start, sessions }) => {
      const service = await start(withTokens)
      const { id } = await signUp(service)
      const app = await appOf(service)
      const [row] = await sessions.listByUser(id)
      if (row === undefined) throw new Error('there is no session')
      const all = JSON.stringify(row)
      for (const part of app.tokens.access_token
        .slice(4)
        .split('.')
        .filter((each) => each.length > 15))
        expect(all).not.toContain(part)
      const claims = [row.generation, row.epoch, 0, row.confirmation]
      const forge = (kind: 'access' | 'refresh', key: string, sessionId: string) => {
        const body = [sessionId, ...claims, ...(kind === 'access' ? [Date.now() + day] : [])].join('.')
        const [first] = deriveKeys([key], `${kind}-token:session`)
        return `${kind === 'access' ? 'fat_' : 'far_'}${body}.${createHmac('sha256', first).update(body).digest('base64url')}`
      }
      const own = app.tokens.access_token.slice(4).split('.')[0] ?? ''
      const leaks: [key: string, sessionId: string][] = [
        ['guessed', row.id],
        [secret, randomBytes(24).toString('base64url')],
        [secret, row.id],
        [secret, `${row.id}=`],
      ]
      for (const [key, sessionId] of leaks) {
        const forged = {
          access_token: forge('access', key, sessionId),
          refresh_token: forge('refresh', key, sessionId),
        }
        const thief = Object.assign(tokenClient(service), { tokens: forged }) as TokenClient
        expect([sessionId, await whoHas(thief), await canRefresh(thief)]).toEqual([sessionId, null, false])
      }
      // So the forgery itself is right, and only the id is missing.
      const known = await service.send('GET', '/me/', undefined, {
        headers: bearer(forge('access', secret, own)),
      })
      expect(known.statusCode).toBe(200)
    },
  )

  rule(
    'TOK-09',
    {
      tried:
        'a session’s whole life with tokens, its errors and a reuse, with the log at trace and an audit listener',
      expected: 'no token, state or session id in the log, in audit events, in errors or in emails',
    },
    async ({ start, log, wait }) => {
      const service = await start({ features: [tokens(), secondFactor()], auditLog: true })
      const events: AuditEvent[] = []
      service.app.accounts.events.on('audit', (event) => events.push(event))
      const email = 'alice@example.org'
      const owner = { username: 'alice', email, password: goodPassword, isVerified: true }
      await service.app.accounts.createUser(owner)
      const app = await appOf(service, 'alice', 'Phone')
      const bodies: string[] = []
      const keep = ({ body, statusCode }: { body: string; statusCode: number }) => {
        if (statusCode >= 400) bodies.push(body)
      }
      await enroll(app)
      const stolen = app.copy()
      await app.send('POST', '/confirm/', { password: otherPassword }).then(keep)
      await app.send('GET', '/me/', undefined, bearer(`${app.tokens.access_token}x`)).then(keep)
      await app.refresh(`${app.tokens.refresh_token}x`).then(keep)
      await app.send('POST', '/tokens/refresh/', { refresh_token: 1 }).then(keep)
      await app
        .send('POST', '/tokens/refresh/', { refresh_token: 'x', token: app.tokens.refresh_token })
        .then(keep)
      await tokenClient(service).send('POST', '/login/', password()).then(keep)
      await app.refresh()
      expect(await whoHas(app)).toBe('alice')
      await wait(minute)
      await stolen.refresh().then(keep)
      await app.refresh().then(keep)
      await vi.waitFor(
        () => expect(events.some(({ reason }) => reason === 'TOKEN_REUSED')).toBe(true),
        60_000,
      )
      expect(events.find(({ reason }) => reason === 'TOKEN_REUSED')).toMatchObject({
        action: 'refresh-tokens',
        outcome: 'refused',
        userId: expect.any(String),
      })
      const mail = await service.mail('token-reused')
      const said = [JSON.stringify(events), ...bodies, mail.text, mail.html].join('\n')
      const secrets = log.secrets.all().filter((each) => each.length > 20)
      expect(secrets.some((each) => each.startsWith('far_'))).toBe(true)
      expect(bodies).toHaveLength(8)
      const { text } = mail
      const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '-'
      for (const each of secrets) if (!link.includes(each)) expect(said).not.toContain(each)
    },
  )

  storage(
    'TOK-10',
    {
      tried:
        'an access token until and after 15 minutes, and one used for all that time; an unused session until 60 days, and one refreshed until a year has passed',
      expected:
        'each ends at its time: use prolongs no access token, a refresh prolongs the session, and nothing its absolute end',
    },
    async ({ start, wait, prefix }) => {
      const service = await start(withTokens)
      await signUp(service)
      await wait(0)
      const left = prefix === undefined ? 1000 : minute
      const app = await appOf(service)
      for (let passed = 0; passed < 14; passed += 1) {
        await wait(minute)
        expect([passed, await whoHas(app)]).toEqual([passed, 'alice'])
      }
      await wait(minute - 1)
      expect(await whoHas(app)).toBe('alice')
      await wait(1)
      expect(await whoHas(app)).toBeNull()
      expect(await canRefresh(app)).toBe(true)
      const idle = await appOf(service)
      for (let days = 50; days <= 350; days += 50) {
        await wait(50 * day)
        expect([days, await canRefresh(app), await whoHas(app)]).toEqual([days, true, 'alice'])
      }
      await wait(15 * day - 15 * minute - left)
      expect((await app.refresh()).json().tokens.expires_in).toBeLessThanOrEqual(minute / 1000)
      expect([await whoHas(app), await isIn(idle)]).toEqual(['alice', false])
      await wait(left)
      expect(await isIn(app)).toBe(false)
    },
  )

  rule(
    'TOK-11',
    {
      tried:
        'requests from other sites: with a token of ours, with a foreign bearer value, and with `Accounts-Delivery` alone',
      expected: 'the rule doesn’t apply where a token is sent, valid or not; otherwise 403 as always',
    },
    async ({ start }) => {
      const service = await start(withTokens)
      await signUp(service)
      const cookie = await logIn(service)
      const app = await appOf(service)
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const confirm = (headers: Record<string, string>) =>
        service.send(
          'POST',
          '/confirm/',
          { password: goodPassword },
          { headers: { ...foreign, cookie, ...headers } },
        )
      expect((await confirm(bearer(app.tokens.access_token))).statusCode).toBe(200)
      expect((await confirm(bearer('fat_x'))).statusCode).toBe(401)
      for (const headers of [{}, bearer(jwt()), { 'accounts-delivery': 'tokens' }])
        expect((await confirm(headers)).json().code).toBe('ACCOUNTS_CROSS_SITE')
      const headers = { ...foreign, 'accounts-delivery': 'tokens' }
      const login = await service.send('POST', '/login/', password(), { headers })
      expect([login.statusCode, deliveredBy(login)]).toEqual([403, undefined])
    },
  )

  rule(
    'TOK-12',
    {
      tried:
        'what needs a recent login, with the tokens from before the owner confirmed, with their successor, and with the owner’s once the old one was sent again',
      expected:
        'confirmed are the tokens of the confirmation and their successors, whatever else is sent; nobody is confirmed by what another has proved',
    },
    async ({ start, wait }) => {
      const service = await start(withTokens)
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const owner = await appOf(service)
      await wait(14 * minute)
      await owner.refresh()
      const thief = owner.copy()
      await wait(2 * minute)
      const recent = async () => [await isRecent(owner), await isRecent(thief)]
      expect(await recent()).toEqual([false, false])
      const wrong = await thief.send('POST', '/confirm/', { password: otherPassword })
      expect([wrong.statusCode, deliveredBy(wrong)]).toEqual([400, undefined])

      await owner.send('POST', '/confirm/', { password: goodPassword })
      expect([...(await recent()), await whoHas(thief)]).toEqual([true, false, 'alice'])
      await thief.refresh()
      expect([...(await recent()), await whoHas(thief)]).toEqual([true, false, 'alice'])
      await owner.refresh()
      expect(await recent()).toEqual([true, false])
      expect(owner.tokens.refresh_token).not.toBe(thief.tokens?.refresh_token)
      await wait(minute)
      await thief.refresh()
      expect(await recent()).toEqual([true, false])
      await wait(minute)
      expect([await canRefresh(owner), await isIn(thief)]).toEqual([false, false])
    },
  )

  rule(
    'TOK-12',
    {
      tried:
        'an old token sent again, while a request of the confirmed owner is under way that continues the session without a new proof',
      expected: 'each gets tokens that are as confirmed as those it sent',
    },
    async ({ start, wait }) => {
      const gate = { reached: () => {}, opened: Promise.resolve() }
      const service = await start({ features: [tokens(), slowFeature(gate)] })
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await wait(0)
      const owner = await appOf(service)
      await wait(14 * minute)
      await owner.refresh()
      await wait(2 * minute)
      const thief = owner.copy()
      await owner.send('POST', '/confirm/', { password: goodPassword })
      let open = () => {}
      gate.opened = new Promise((resolve) => {
        open = resolve
      })
      const reached = new Promise<void>((resolve) => {
        gate.reached = resolve
      })
      const slow = owner.send('POST', '/slow/')
      await reached
      expect(await canRefresh(thief)).toBe(true)
      open()
      expect((await slow).statusCode).toBe(200)
      expect([await isRecent(owner), await isRecent(thief)]).toEqual([true, false])
    },
  )

  rule(
    'TOK-13',
    {
      tried:
        'what needs a second factor, with tokens from before the owner gave one, and with what their refresh token gets',
      expected: 'only the tokens delivered with the factor have it',
    },
    async ({ start, wait }) => {
      const service = await start({ features: [tokens(), secondFactor()] }, { before: hostRoutes })
      await signUp(service)
      await wait(0)
      const owner = await appOf(service)
      const totp = await enroll(owner)
      const other = await logInWithFactor(service, totp)
      await wait(day)
      for (const each of [owner, other]) await each.refresh()
      const hasFactor = async (client: TokenClient) =>
        (await client.send('GET', '/host/factor')).statusCode === 200
      expect([await hasFactor(owner), await hasFactor(other)]).toEqual([true, true])

      // Another account gets its factor only later, by another session.
      await signUp(service, 'bob')
      const bob = await appOf(service, 'bob')
      const thief = bob.copy()
      await enroll(bob)
      expect([await hasFactor(bob), await hasFactor(thief)]).toEqual([true, false])
      await thief.refresh()
      expect(await hasFactor(thief)).toBe(false)
    },
  )

  rule(
    'TOK-14',
    {
      tried:
        'changes that end all sessions, made with tokens: of the password, of the second factor; with the tokens from before, and with another session’s',
      expected: 'the session goes on with the tokens of the response; all before them end',
    },
    async ({ start }) => {
      const service = await start({ features: [tokens(), secondFactor()] })
      await signUp(service)
      const app = await appOf(service)
      for (const step of [() => app.send('POST', '/change-password/', changed), () => enroll(app)]) {
        const other = await appOf(service, 'alice').catch(() => null)
        const another = other ?? (await appWith(service, otherPassword))
        const before = app.copy()
        await step()
        expect(app.tokens.access_token).not.toBe(before.tokens?.access_token)
        expect(await whoHas(app)).toBe('alice')
        for (const each of [before, another]) expect(await isIn(each)).toBe(false)
        expect(await canRefresh(app)).toBe(true)
        expect(await whoHas(app)).toBe('alice')
      }
    },
  )

  rule(
    'TOK-15',
    {
      tried:
        'a login by `app.accounts.logIn` and by a feature of others that never heard of tokens; `loadUser`, `requireUser`, `requireRecentLogin` and `requireSecondFactor` with tokens',
      expected: 'tokens for who asks for them, a cookie for others; the hooks say what they say of a cookie',
    },
    async ({ start, wait }) => {
      const service = await start({ features: [tokens(), partner] }, { before: hostRoutes })
      const { id } = await signUp(service)
      await wait(0)
      for (const url of ['/partner/', '/host/login']) {
        const app = tokenClient(service) as App
        const response = await app.send('POST', url, url === '/partner/' ? undefined : { id })
        expect([url, response.statusCode, response.cookies]).toEqual([url, 200, []])
        expect(app.tokens).not.toBeNull()
        expect([await whoHas(app), await canRefresh(app), await whoHas(app)]).toEqual([
          'alice',
          true,
          'alice',
        ])
        const plain = await service.send('POST', url, url === '/partner/' ? undefined : { id })
        expect([deliveredBy(plain), await whoIs(service, cookieOf(plain))]).toEqual([undefined, 'alice'])
      }
      const app = await appOf(service)
      const statuses = async () =>
        Promise.all(
          ['known', 'user', 'recent', 'factor'].map(
            async (what) => (await app.send('GET', `/host/${what}`)).statusCode,
          ),
        )
      expect(await statuses()).toEqual([200, 200, 200, 403])
      await wait(14 * minute)
      await app.refresh()
      await wait(2 * minute)
      expect(await statuses()).toEqual([200, 200, 403, 403])
    },
  )

  rule(
    'TOK-16',
    {
      tried:
        'a WebSocket opened with an access token: messages after the token has expired, after a refresh, and after a logout',
      expected: 'it outlives the token, as a request does; the logout closes it at the next message',
    },
    async ({ start, wait }) => {
      const service = await start(withTokens, { before: liveRoute })
      await signUp(service)
      await wait(0)
      const app = await appOf(service)
      await expect(service.app.injectWS('/live', { headers: bearer('fat_x') })).rejects.toThrow('401')
      // No browser can send the header from another site.
      const { say, close } = await openSocket(service, app, { origin: 'https://evil.example' })
      try {
        expect(await say()).toBe('alice')
        await wait(16 * minute)
        expect(await whoHas(app)).toBeNull()
        expect(await say()).toBe('alice')
        await app.refresh()
        expect([await whoHas(app), await say()]).toEqual(['alice', 'alice'])
        await app.send('POST', '/logout/')
        expect(await say()).toBe('1008')
      } finally {
        close()
      }
    },
  )

  rule(
    'TOK-16',
    {
      tried:
        'without refresh tokens: a WebSocket that is checked every other month of a year, and one whose token is replaced by a confirmation and then by a logout',
      expected:
        'each check counts as a request; a socket with a replaced token ends 30 to 60 seconds after the first use of the new one, the others with the session',
    },
    async ({ start, wait }) => {
      const service = await start(alone, { before: liveRoute })
      await signUp(service)
      await wait(0)
      const app = await appOf(service)
      const old = await openSocket(service, app)
      const sockets = [old]
      try {
        for (let days = 0; days < 300; days += 50) {
          await wait(50 * day)
          expect([days, await old.say()]).toEqual([days, 'alice'])
        }
        await app.send('POST', '/confirm/', { password: goodPassword })
        await wait(minute)
        expect(await old.say()).toBe('alice')
        const next = await openSocket(service, app)
        sockets.push(next)
        await wait(29_000)
        expect(await old.say()).toBe('alice')
        await wait(31_000)
        expect([await old.say(), await next.say()]).toEqual(['1008', 'alice'])
        await app.send('POST', '/logout/')
        expect(await next.say()).toBe('1008')
      } finally {
        for (const { close } of sockets) close()
      }
    },
  )

  rule(
    'TOK-17',
    {
      tried: 'the headers of tokens, in an app without the feature',
      expected: 'they aren’t read: a login sets its cookie, and the cookie counts beside any bearer value',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const headers = { 'accounts-delivery': 'tokens; nonsense', 'accounts-state': 'x', ...bearer('fat_x') }
      const response = await service.send('POST', '/login/', password(), { headers })
      expect([response.statusCode, deliveredBy(response)]).toEqual([200, undefined])
      const cookie = cookieOf(response)
      const me = await service.send('GET', '/me/', undefined, { headers: { ...headers, cookie } })
      expect([me.statusCode, me.headers['accounts-state']]).toEqual([200, undefined])
      expect((await service.send('POST', '/tokens/refresh/', { refresh_token: 'x' })).statusCode).toBe(404)
    },
  )
})

/** The host's own routes: who is logged in, by each hook, and a login that it vouches for. */
function hostRoutes(app: FastifyInstance): void {
  for (const [name, hook] of [
    ['known', 'loadUser'],
    ['user', 'requireUser'],
    ['recent', 'requireRecentLogin'],
    ['factor', 'requireSecondFactor'],
  ] as const) {
    app.get(
      `/host/${name}`,
      { onRequest: (request, reply) => app.accounts[hook](request, reply) },
      async ({ user }) => ({ username: user?.username ?? null }),
    )
  }
  app.post<{ Body: { id: string } }>('/host/login', async (request, reply) => {
    const { username, tokens: delivered } = await app.accounts.logIn(request, reply, request.body.id, {
      methods: ['pwd'],
    })
    return { username, tokens: delivered }
  })
}

/** As the docs page about WebSockets has it. */
async function liveRoute(app: FastifyInstance): Promise<void> {
  await app.register(websocket)
  app.get(
    '/live',
    {
      websocket: true,
      onRequest: [
        (request, reply) => app.accounts.refuseCrossSite(request, reply),
        (request, reply) => app.accounts.requireUser(request, reply),
      ],
    },
    (socket, request) => {
      socket.on('message', () => {
        app.accounts.requireUser(request).then(
          () => socket.send(app.accounts.userOf(request).username ?? ''),
          (error: AccountsError) => socket.close(error.statusCode < 500 ? 1008 : 1013),
        )
      })
    },
  )
}

/** A socket of this app there; each message is answered with who it is, or the code that closes the socket. */
async function openSocket({ app }: Service, { tokens: { access_token } }: App, headers: object = {}) {
  const socket = await app.injectWS('/live', { headers: { ...bearer(access_token), ...headers } })
  return {
    async say(): Promise<string> {
      socket.send('x')
      const [message] = await Promise.race([once(socket, 'message'), once(socket, 'close')])
      return String(message)
    },
    close: () => socket.terminate(),
  }
}

/** A JWT as a host makes its own. */
function jwt(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1' })}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

/** The text with another character at a place. */
function replaced(text: string, at: number): string {
  const other = text[at] === 'A' ? 'B' : 'A'
  return text.slice(0, at) + other + text.slice(at + 1)
}

/** Whether a client may do what needs a recent login. */
async function isRecent(client: TokenClient): Promise<boolean> {
  const { statusCode } = await client.send('POST', '/change-email/', { email: 'new@example.org' })
  return statusCode === 202
}

/** Turns on an authenticator app; returns its secret. */
async function enroll(client: TokenClient): Promise<string> {
  const begun = await client.send('POST', '/second-factor/totp/')
  if (begun.statusCode !== 200) throw new Error(begun.body)
  const { secret: totp, token } = begun.json()
  const done = await client.send('POST', '/second-factor/totp/confirm/', { code: codeOf(totp, -1), token })
  if (done.statusCode !== 200) throw new Error(done.body)
  return totp
}

async function logInWithFactor(service: Service, totp: string): Promise<TokenClient> {
  const client = tokenClient(service)
  await client.send('POST', '/login/', password())
  const done = await client.send('POST', '/login/second-factor/', { code: codeOf(totp) })
  if (done.statusCode !== 200) throw new Error(done.body)
  return client
}

async function appWith(service: Service, text: string): Promise<TokenClient> {
  const client = tokenClient(service)
  await client.send('POST', '/login/', { username: 'alice', password: text })
  return client
}
