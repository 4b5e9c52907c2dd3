import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { inspect } from 'node:util'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import {
  browser,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { startSmtp, startTcp } from '@fastify-accounts/test-support/smtp'
import { type AuditEvent, InvalidArgumentError, type Mail } from 'fastify-accounts'
import { expect, onTestFinished, vi } from 'vitest'
import { cases } from './catalogue.js'

import type { Service } from './service.js'

const email = 'alice@example.org'
const credentials = { username: 'alice', password: goodPassword }
const form = { new_password: otherPassword, confirm_password: otherPassword }

const tokenOf = (link: string): string => link.split('/').at(-2) ?? ''

/** A logged-in user with a reset link and a verification link. */
async function newcomer(service: Service, username = 'alice') {
  const email = `${username}@example.org`
  const user = await signUp(service, username, { email })
  const cookie = await logIn(service, username)
  await service.send('POST', '/forgot/', { email })
  await service.send('POST', '/user/v/', { email })
  const reset = linkPath(await service.mail('reset-password', email))
  const verify = linkPath(await service.mail('verify-email', email))
  return { user, cookie, reset, verify }
}

/** Captures what is written to the standard streams until the test ends. */
function watchConsole(): () => string {
  const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  const consoles = [vi.spyOn(console, 'log'), vi.spyOn(console, 'info')]
  for (const spy of spies) spy.mockReturnValue(true)
  for (const spy of consoles) spy.mockReturnValue()
  onTestFinished(() => void vi.restoreAllMocks())
  return () => [...spies, ...consoles].flatMap(({ mock }) => mock.calls.map(String)).join('\n')
}

cases('Logging', ({ rule }) => {
  rule(
    'LGG-01',
    {
      tried: 'level trace, in this case and all other cases on this page',
      expected:
        'no password, cookie, link, password hash or secret in the log, and no error if nothing failed',
    },
    async ({ start, log }) => {
      const service = await start()
      const { cookie, reset, verify } = await newcomer(service)
      await service.send('POST', '/login/', { ...credentials, password: otherPassword })
      await service.send('POST', reset, { ...form, confirm_password: 'other' })
      const update = service.users.update
      service.users.update = () => Promise.reject(new Error('away'))
      await service.send('POST', reset, form)
      service.users.update = update
      await service.send('GET', verify)
      await service.send('POST', reset, form)
      await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })

      expect(log.text()).toContain('"url":"/reset/:uid64/:token/"')
      expect(log.text()).toContain('ACCOUNTS_INVALID_CREDENTIALS')
      // The secrets searched for after each case are those it used.
      const known = log.secrets.all()
      const user = await service.users.findByUsername('alice')
      const id = decodeURIComponent(cookie).slice('session='.length).split('.')[0]
      for (const secret of [
        goodPassword,
        otherPassword,
        tokenOf(reset),
        tokenOf(verify),
        id,
        cookie.slice(8),
      ]) {
        expect(known).toContain(secret)
      }
      expect(known).toContain(user?.passwordHash)
    },
  )

  rule(
    'LGG-01',
    {
      tried:
        'links with a typo in their path, with extra path segments, too long, with broken percent signs; the host logs with `maskedRequest` and has its own 404 handler (docs/deployment.md)',
      expected: '404, 400 or 414, and no token in the log',
    },
    async ({ start, log }) => {
      const service = await start()
      const { cookie, reset, verify } = await newcomer(service)
      const headers = { cookie }
      for (const link of [reset, verify]) {
        for (const url of [
          link.replace('/', '/x'),
          `/x${link}`,
          `${link}more`,
          `${link}${'a'.repeat(4000)}`,
          link.replace(tokenOf(link), `${tokenOf(link)}${'a'.repeat(200)}`),
          link.replace(tokenOf(link), `${tokenOf(link)}%`),
          link.replace(tokenOf(link), `%E0%A4%A${tokenOf(link)}`),
          `${link}?password=${encodeURIComponent(goodPassword)}&token=${tokenOf(link)}`,
          `//${link}`,
        ]) {
          for (const method of ['GET', 'POST', 'DELETE'] as const) {
            const response = await service.app.inject({ method, url, headers })
            expect([url, response.statusCode >= 200 && response.statusCode < 500]).toEqual([url, true])
          }
          const bytes = `GET ${url} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`
          expect((await service.raw(bytes)).statusCode).toBeGreaterThanOrEqual(200)
        }
      }
      expect(log.text()).toContain('"url":"(no route)"')
    },
  )

  rule(
    'LGG-01',
    {
      tried:
        'links from emails, opened and used by a browser with versioned routes; the host logs the path of each 404, as Fastify does by default',
      expected: 'they work, so nothing is a 404, and no token is in the log',
    },
    async ({ start, log }) => {
      const service = await start(
        { constraints: { version: '1.0.0' } },
        {
          before: (app) =>
            app.setNotFoundHandler((request, reply) => {
              request.log.info(`Route ${request.method}:${request.url} not found`)
              reply.code(404).send({ statusCode: 404 })
            }),
        },
      )
      const { send } = service
      const versioned: Service = {
        ...service,
        send: (method, url, payload, extra) =>
          send(method, url, payload, { ...extra, headers: { 'accept-version': '1.0.0', ...extra?.headers } }),
      }
      const { reset, verify } = await newcomer(versioned)
      for (const link of [reset, verify, reset.slice(0, -1), verify.slice(0, -1)]) {
        for (const method of ['HEAD', 'GET', 'DELETE'] as const) {
          const { statusCode } = await service.app.inject({ method, url: link, headers: browser })
          expect([method, statusCode]).toEqual([method, method === 'DELETE' ? 405 : 200])
        }
      }
      const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
      const press = (url: string, fields = {}) =>
        service.app.inject({
          method: 'POST',
          url,
          headers: form,
          payload: new URLSearchParams(fields).toString(),
        })
      expect((await press(`${verify}password/`, { password: goodPassword })).statusCode).toBe(200)
      expect(
        (await press(reset, { new_password: otherPassword, confirm_password: otherPassword })).statusCode,
      ).toBe(303)
      expect(log.secrets.all()).toEqual(expect.arrayContaining([tokenOf(reset), tokenOf(verify)]))
      expect(log.text()).not.toContain('not found')
    },
  )

  rule(
    'LGG-03',
    {
      tried:
        'a database that puts the values of the statement into its error, as query builders do, at every call of every route',
      expected: '503; the error is logged with its class, code and location, without the values',
    },
    async ({ start, log, users, sessions }) => {
      class QueryError extends Error {
        override readonly name = 'QueryError'
        readonly code = 'E_QUERY'
        readonly query: string
        readonly params: unknown[]
        constructor(method: string, args: unknown[]) {
          const values = JSON.stringify(args)
          super(`${method} of rows with values (${values}) failed`, { cause: new Error(`params: ${values}`) })
          this.query = values
          this.params = args
        }
      }
      const stores: [object, readonly string[]][] = [
        [users, ['create', 'findById', 'findByUsername', 'findByEmail', 'update', 'delete']],
        [sessions, ['create', 'find', 'delete', 'deleteByUser']],
      ]
      for (const [store, names] of stores) {
        for (const name of names) {
          const username = `user-${names.length}-${name.toLowerCase()}`
          // Only the first error of an outage is logged, so each fault gets its own app.
          const service = await start()
          const { user, cookie, reset, verify } = await newcomer(service, username)
          const leaving = await newcomer(service, `leaving-${username}`)
          const methods = store as Record<string, unknown>
          const method = methods[name]
          methods[name] = async (...args: unknown[]) => {
            for (const each of args as ({ passwordHash?: string } | undefined)[]) {
              log.secrets.add('hash', each?.passwordHash)
            }
            throw new QueryError(name, args)
          }
          const change = { old_password: goodPassword, ...form }
          const body = { username: `new-${username}`, password: goodPassword, confirm_password: goodPassword }
          const responses = [
            await service.send('POST', '/user/', body),
            await service.send('POST', '/login/', { username, password: goodPassword }),
            await service.send('POST', '/forgot/', { email: user.email ?? '' }),
            await service.send('POST', verify),
            await service.send('POST', '/change-password/', change, { headers: { cookie } }),
            await service.send('POST', reset, form),
            await service.send('DELETE', `/user/${leaving.user.id}`, undefined, {
              headers: { cookie: leaving.cookie },
            }),
          ]
          methods[name] = method
          expect(responses.map(({ statusCode }) => statusCode)).not.toContain(500)
          expect([name, log.text().includes(`${name} of rows with values`)]).toEqual([name, true])
        }
      }
      const told = log.text().split('\n')
      const line = told.find((each) => each.includes('create of rows')) ?? ''
      for (const text of ['QueryError', '[…]', 'logging.test.ts']) expect(line).toContain(text)
    },
  )

  rule(
    'LGG-03',
    {
      tried:
        'mailers that fail with the email in their error: as text, as quoted-printable, only its link; with one of the plugin’s own error types; and a template that fails with the link',
      expected: 'the log and the event `mail-failed` say what went wrong, without the link or the password',
      on: 'memory',
      because: 'a mailer uses no store',
    },
    async ({ start, log }) => {
      const quoted = (text: string) => text.replace(/.{70}/g, '$&=\r\n')
      const failures: ((mail: Mail) => Error)[] = [
        ({ text }) => new Error(`refused: ${text}`),
        ({ text, html }) =>
          Object.assign(new Error(`refused: ${quoted(text)}`), { response: text, mail: { html } }),
        ({ text }) => new Error('refused', { cause: new Error(`spam: ${/http\S+/.exec(text)?.[0]}`) }),
        ({ text }) => new InvalidArgumentError(`refused: ${text}`),
      ]
      const service = await start({
        // The recipient's name selects the failure.
        mailer: {
          async send(mail) {
            throw failures[Number(mail.to.name.at(-1))]?.(mail)
          },
        },
        emails: {
          'verify-email': ({ url }) => {
            log.secrets.addLinks(`${url}`)
            throw new Error(`refused: no template for ${url}`)
          },
        },
      })
      const failed: unknown[] = []
      service.app.accounts.events.on('mail-failed', (failure) => failed.push(failure))
      for (const [at] of failures.entries()) {
        await signUp(service, `user-${at}`, { email: `user-${at}@example.org` })
        await service.send('POST', '/forgot/', { email: `user-${at}@example.org` })
      }
      await service.send('POST', '/user/v/', { email: 'user-0@example.org' })
      // Four attempts within 3.5 seconds.
      await expect.poll(() => failed.length).toBe(failures.length + 1)
      const told = log.text().split('\n')
      const lines = told.filter((each) => each.includes('gave up on an email'))
      expect(lines).toHaveLength(failures.length + 1)
      for (const line of lines) expect(line).toMatch(/refused.*\[…\]/)
      const events = failed.map((each) => inspect(each, { depth: 9 }))
      for (const each of events) expect(each).toMatch(/refused.*\[…\]/s)
      expect(log.secrets.all().filter((secret) => events.join().includes(secret))).toEqual([])
    },
  )

  rule(
    'LGG-03',
    {
      tried:
        'nodemailer with `logger`, `debug` and `transactionLog`, against a server that accepts emails, one that rejects the login, and one that hangs up',
      expected: 'neither the log nor the console contains the link or the password of the mail server',
      on: 'memory',
      because: 'a mailer uses no store',
    },
    async ({ start, log }) => {
      const written = watchConsole()
      const server = await startSmtp()
      const refusing = await startSmtp({
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(new Error('no')),
      })
      const broken = await startTcp((socket) => void socket.destroy())
      const password = 'password-of-the-mail-server'
      log.secrets.add('password', password)
      const mailers = [server, refusing, broken].map(({ port }) =>
        createNodemailerMailer({
          transport: {
            host: '127.0.0.1',
            port,
            ...(port !== server.port && { auth: { user: 'accounts', pass: password } }),
            logger: true,
            debug: true,
            transactionLog: true,
          },
          from: 'accounts@example.com',
          timeout: 10_000,
        }),
      )
      const flow = async (mailer: (typeof mailers)[number], at: number) => {
        const name = `user-${at}`
        const service = await start({ mailer })
        await signUp(service, name, { email: `${name}@example.org` })
        const failed = once(service.app.accounts.events, 'mail-failed')
        await service.send('POST', '/forgot/', { email: `${name}@example.org` })
        if (at === 0) await expect.poll(() => server.arrived.length).toBe(1)
        else await failed
        await mailer.close()
      }
      await Promise.all(mailers.map(flow))
      for (const each of [server, refusing, broken]) await each.close()
      const link = /reset\/\S+/.exec(server.arrived[0]?.mail.text ?? '')?.[0] ?? ''
      const texts = [tokenOf(link), password, Buffer.from(password).toString('base64')]
      for (const text of texts) {
        expect(text.length).toBeGreaterThan(20)
        expect(written()).not.toContain(text)
        expect(log.text()).not.toContain(text)
      }
    },
  )

  rule(
    'LGG-07',
    {
      tried:
        'opening emailed links and pressing their buttons in a browser, where the routes require a version, or a header by a strategy of the app',
      expected:
        'the pages are served although browsers send no such header, and no line of the log has a token',
    },
    async ({ start, log }) => {
      const client = {
        name: 'client',
        mustMatchWhenDerived: true,
        storage() {
          const handlers = new Map<unknown, never>()
          return {
            get: (key: unknown) => handlers.get(key) ?? null,
            set: (key: unknown, handler: unknown) => void handlers.set(key, handler as never),
          }
        },
        validate: () => true,
        deriveConstraint: ({ headers }: { headers: IncomingHttpHeaders }) => headers['x-client'] as string,
      }
      for (const [at, [constraint, header]] of [
        ['version', 'accept-version'],
        ['client', 'x-client'],
      ].entries() as ArrayIterator<[number, [string, string]]>) {
        const service = await start(
          { constraints: { [constraint]: '1.0.0' } },
          { server: { routerOptions: { constraints: { client } } } },
        )
        const send: Service['send'] = (method, url, payload) =>
          service.send(method, url, payload, { headers: { [header]: '1.0.0' } })
        const { reset, verify } = await newcomer({ ...service, send }, `user-${at}`)
        const pressed = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
        for (const [url, way, payload] of [
          [verify, 'password/', new URLSearchParams({ password: goodPassword }).toString()],
          [reset, '', new URLSearchParams(form).toString()],
        ] as const) {
          const page = await service.app.inject({ url, headers: browser })
          expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
          const done = await service.app.inject({ method: 'POST', url: url + way, headers: pressed, payload })
          expect([200, 303]).toContain(done.statusCode)
          expect(log.text()).not.toContain(tokenOf(url))
        }
      }
    },
  )

  rule(
    'LGG-05',
    {
      tried:
        'every outcome of every route under /login/, /logout/, /forgot/, /reset/, /change-password/, /me/',
      expected: 'one event each: who, what, when, from where, and why not; even if the response hides it',
    },
    async ({ start }) => {
      const service = await start()
      const { eventOf, send, mail } = audited(service)
      const alice = await signUp(service, 'alice', { email })
      const about = { userId: alice.id }
      const as = { actorId: alice.id }

      const before = Date.now()
      const wrong = { ...credentials, password: otherPassword }
      const event = await eventOf(() => send('POST', '/login/', wrong, { remoteAddress: '192.0.2.7' }))
      expect(event).toEqual({
        action: 'login',
        method: 'POST',
        outcome: 'refused',
        reason: 'ACCOUNTS_INVALID_CREDENTIALS',
        userId: alice.id,
        actorId: null,
        ip: '192.0.2.7',
        requestId: expect.stringMatching(/^req-/),
        at: expect.any(Date),
      })
      expect(event.at.getTime()).toBeGreaterThanOrEqual(before)

      const refused = (action: string, reason: string) => ({ action, outcome: 'refused', reason })
      const success = (action: string) => ({ action, outcome: 'success', reason: null })

      expect(await eventOf(() => send('POST', '/login/', credentials))).toMatchObject({
        ...success('login'),
        ...about,
      })
      const nobody = { ...credentials, username: 'nobody' }
      expect(await eventOf(() => send('POST', '/login/', nobody))).toMatchObject({
        ...refused('login', 'ACCOUNTS_INVALID_CREDENTIALS'),
        userId: null,
      })
      expect(await eventOf(() => send('POST', '/login/', { username: 'alice' }))).toMatchObject(
        refused('login', 'ACCOUNTS_INVALID_INPUT'),
      )
      const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } }
      expect(await eventOf(() => send('POST', '/login/', credentials, crossSite))).toMatchObject(
        refused('login', 'ACCOUNTS_CROSS_SITE'),
      )
      const asText = { payload: 'a', headers: { 'content-type': 'text/plain' } }
      expect(await eventOf(() => send('POST', '/login/', undefined, asText))).toMatchObject(
        refused('login', 'FST_ERR_CTP_INVALID_MEDIA_TYPE'),
      )
      expect(await eventOf(() => send('PUT', '/login/'))).toMatchObject({
        ...refused('login', 'ACCOUNTS_METHOD_NOT_ALLOWED'),
        method: 'PUT',
      })

      expect(await eventOf(() => send('POST', '/forgot/', { email }))).toMatchObject({
        ...success('forgot'),
        ...about,
      })
      // The response hides it; the event doesn't.
      expect(await eventOf(() => send('POST', '/forgot/', { email: 'nobody@example.org' }))).toMatchObject({
        ...refused('forgot', 'ACCOUNTS_NOT_FOUND'),
        userId: null,
      })
      const link = linkPath(await mail('reset-password'))
      expect(await eventOf(() => send('GET', link))).toMatchObject({
        ...success('reset'),
        ...about,
        method: 'GET',
      })
      const reset = (confirm: string) => () =>
        send('POST', link, { ...form, confirm_password: confirm }, { headers: browser })
      expect(await eventOf(reset('another'))).toMatchObject({
        ...refused('reset', 'ACCOUNTS_INVALID_INPUT'),
        ...about,
      })
      expect(await eventOf(reset(otherPassword))).toMatchObject({
        ...success('reset'),
        ...about,
        method: 'POST',
      })
      expect(await eventOf(reset(otherPassword))).toMatchObject({
        ...refused('reset', 'ACCOUNTS_INVALID_LINK'),
        userId: null,
      })
      expect(await eventOf(() => send('GET', '/reset/d/'))).toMatchObject(success('reset-done'))

      const headers = { cookie: await logIn(service, 'alice', otherPassword) }
      expect(await eventOf(() => send('GET', '/me/', undefined, { headers }))).toMatchObject({
        ...success('me'),
        ...about,
        ...as,
      })
      expect(await eventOf(() => send('GET', '/me/'))).toMatchObject(refused('me', 'ACCOUNTS_LOGIN_REQUIRED'))
      const third = 'yet another one'
      const change = (old_password: string) => () =>
        send(
          'POST',
          '/change-password/',
          { old_password, new_password: third, confirm_password: third },
          { headers },
        )
      expect(await eventOf(change(goodPassword))).toMatchObject({
        ...refused('change-password', 'ACCOUNTS_INVALID_INPUT'),
        ...about,
      })
      expect(await eventOf(change(otherPassword))).toMatchObject({
        ...success('change-password'),
        ...about,
        ...as,
      })
      headers.cookie = await logIn(service, 'alice', third)
      expect(await eventOf(() => send('POST', '/logout/', undefined, { headers }))).toMatchObject({
        ...success('logout'),
        ...about,
      })
      expect(await eventOf(() => send('POST', '/logout/'))).toMatchObject({
        ...success('logout'),
        userId: null,
      })
      expect(await eventOf(() => send('GET', '/api-root/'))).toMatchObject(success('api-root'))
    },
  )

  rule(
    'LGG-05',
    {
      tried: 'every outcome of every route under /user/ and /signup/, with email confirmation required',
      expected: 'one event each, even if the response hides that the address is taken',
    },
    async ({ start }) => {
      const service = await start({ requireEmailConfirmation: true })
      const { eventOf, send, mail, users } = audited(service)
      const refused = (action: string, reason: string) => ({ action, outcome: 'refused', reason })
      const body = { ...credentials, confirm_password: goodPassword, email }
      const created = await eventOf(() => send('POST', '/signup/', body))
      const userId = (await users.findByUsername('alice'))?.id
      expect(created).toMatchObject({ action: 'create-user', outcome: 'success', userId })
      expect(await eventOf(() => send('POST', '/user/', body))).toMatchObject(
        refused('create-user', 'ACCOUNTS_USERNAME_TAKEN'),
      )
      expect(await eventOf(() => send('POST', '/user/', { ...body, username: 'bea' }))).toMatchObject({
        ...refused('create-user', 'ACCOUNTS_EMAIL_TAKEN'),
        userId: null,
      })
      expect(await eventOf(() => send('POST', '/login/', credentials))).toMatchObject({
        ...refused('login', 'ACCOUNTS_NOT_VERIFIED'),
        userId,
      })
      const resend = () => send('POST', '/signup/v/', { email })
      expect(await eventOf(resend)).toMatchObject({ action: 'verify-resend', outcome: 'success', userId })
      const link = linkPath(await mail('verify-email'))
      expect(await eventOf(() => send('HEAD', link))).toMatchObject({
        action: 'verify',
        method: 'HEAD',
        userId,
      })
      expect(await eventOf(() => send('POST', link))).toMatchObject({
        action: 'verify',
        method: 'POST',
        outcome: 'success',
        userId,
      })
      expect(await eventOf(() => send('POST', `${link.slice(0, -3)}x/`))).toMatchObject(
        refused('verify', 'ACCOUNTS_INVALID_LINK'),
      )
      expect(await eventOf(resend)).toMatchObject(refused('verify-resend', 'ACCOUNTS_NOT_FOUND'))

      const bob = await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
      // Nobody sees an account that nobody has used.
      await logIn(service, 'bob')
      const headers = { cookie: await logIn(service) }
      const call = (method: 'GET' | 'DELETE', url: string) => () => send(method, url, undefined, { headers })
      const as = { actorId: userId }
      expect(await eventOf(call('GET', '/user/'))).toMatchObject({ action: 'list-users', ...as })
      expect(await eventOf(call('GET', `/user/${bob.id}`))).toMatchObject({
        action: 'show-user',
        outcome: 'success',
        userId: bob.id,
        ...as,
      })
      expect(await eventOf(call('DELETE', `/user/${bob.id}`))).toMatchObject({
        ...refused('delete-user', 'ACCOUNTS_FORBIDDEN'),
        userId: bob.id,
        ...as,
      })
      expect(await eventOf(call('DELETE', `/user/${userId}`))).toMatchObject({
        action: 'delete-user',
        outcome: 'success',
        userId,
        ...as,
      })
    },
  )

  rule(
    'LGG-05',
    {
      tried:
        'every outcome of the routes for your own sessions and account, of the links about addresses and logins, and of the staff routes',
      expected:
        'one event each, with the affected account, who requested it and why not; no address, name or token in it',
    },
    async ({ start }) => {
      const service = await start({ session: { newDeviceMail: true } })
      const { eventOf, send, mail, users } = audited(service)
      const alice = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(alice.id, { isVerified: true })
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      const chief = await service.app.accounts.createUser({
        username: 'chief',
        password: goodPassword,
        isStaff: true,
      })
      const headers = { cookie: await logIn(service) }
      type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
      const call = (method: Method, url: string, body?: object, cookie = headers.cookie) =>
        eventOf(() => send(method, url, body, { headers: { cookie } }))
      const own = { userId: alice.id, actorId: alice.id }
      const success = (action: string) => ({ action, outcome: 'success', reason: null })
      const refused = (action: string, reason: string) => ({
        action,
        outcome: 'refused',
        reason: `ACCOUNTS_${reason}`,
      })

      const routes: [Method, string, string, object?][] = [
        ['GET', '/sessions/', 'list-sessions'],
        ['DELETE', '/sessions/x', 'end-session'],
        ['POST', '/sessions/end-others/', 'end-other-sessions'],
        ['POST', '/confirm/', 'confirm', { password: goodPassword }],
        ['PATCH', '/me/', 'change-profile', {}],
        ['DELETE', '/me/', 'delete-user'],
        ['POST', '/change-email/', 'change-email', { email: 'a@example.net' }],
        ['GET', '/change-email/', 'show-email-change'],
        ['DELETE', '/change-email/', 'cancel-email-change'],
        ['PATCH', `/user/${bob.id}`, 'update-user', { is_active: false }],
        ['POST', `/user/${bob.id}/end-sessions/`, 'end-user-sessions'],
      ]
      for (const [method, url, action, body] of routes) {
        expect(await call(method, url, body, '')).toMatchObject({
          ...refused(action, 'LOGIN_REQUIRED'),
          userId: null,
          actorId: null,
        })
      }

      const other = { headers: { cookie: await logIn(service) } }
      const link = linkPath(await mail('new-device'))
      expect(await call('GET', '/sessions/')).toMatchObject({ ...success('list-sessions'), ...own })
      expect(await call('DELETE', '/sessions/x')).toMatchObject({
        ...refused('end-session', 'NOT_FOUND'),
        ...own,
      })
      const [{ id }] = (await send('GET', '/sessions/', undefined, other)).json().results
      expect(await call('DELETE', `/sessions/${id}`)).toMatchObject({ ...success('end-session'), ...own })
      expect(await call('POST', '/sessions/end-others/')).toMatchObject({
        ...success('end-other-sessions'),
        ...own,
      })
      const wrong = { password: otherPassword }
      expect(await call('POST', '/confirm/', wrong)).toMatchObject({
        ...refused('confirm', 'INVALID_INPUT'),
        ...own,
      })
      const right = { password: goodPassword }
      expect(await call('POST', '/confirm/', right)).toMatchObject({
        ...success('confirm'),
        ...own,
      })
      headers.cookie = await logIn(service)
      expect(await call('PATCH', '/me/', { username: 'bob' })).toMatchObject({
        ...refused('change-profile', 'USERNAME_TAKEN'),
        ...own,
      })
      expect(await call('PATCH', '/me/', { username: 'Alice' })).toMatchObject({
        ...success('change-profile'),
        ...own,
      })

      const [fresh, shared] = ['alice@example.net', 'shared@example.net']
      expect(await call('POST', '/change-email/', { email })).toMatchObject({
        ...refused('change-email', 'INVALID_INPUT'),
        ...own,
      })
      expect(await call('POST', '/change-email/', { email: shared })).toMatchObject({
        ...success('change-email'),
        ...own,
      })
      const late = linkTarget(await mail('change-email', shared))
      await signUp(service, 'carol', { email: shared })
      expect(await call('POST', late)).toMatchObject(refused('confirm-email', 'EMAIL_TAKEN'))
      await send('POST', '/change-email/', { email: fresh }, { headers })
      const confirm = linkTarget(await mail('change-email', fresh))
      expect(await call('POST', late)).toMatchObject(refused('confirm-email', 'INVALID_LINK'))
      const about = { userId: alice.id, actorId: null }
      expect(await call('GET', confirm)).toMatchObject({
        ...success('confirm-email'),
        ...about,
        method: 'GET',
      })
      const changed = await call('POST', confirm)
      expect(changed).toMatchObject({ ...success('confirm-email'), userId: alice.id, method: 'POST' })
      expect(await call('POST', confirm)).toMatchObject(refused('confirm-email', 'INVALID_LINK'))
      const undo = linkTarget(await mail('email-changed', email))
      expect(await call('GET', undo)).toMatchObject({ ...success('undo-email'), ...about })
      expect(await call('POST', undo)).toMatchObject({ ...success('undo-email'), ...about })
      expect(await call('POST', undo)).toMatchObject(refused('undo-email', 'INVALID_LINK'))
      // The undo has invalidated that link as well.
      expect(await call('POST', link)).toMatchObject(refused('not-me', 'INVALID_LINK'))
      await service.app.accounts.setPassword(alice.id, goodPassword)
      service.mails.splice(0)
      await logIn(service)
      const notMe = linkPath(await mail('new-device'))
      expect(await call('GET', notMe)).toMatchObject({ ...success('not-me'), ...about })
      expect(await call('POST', notMe)).toMatchObject({ ...success('not-me'), ...about })

      const staff = await logIn(service, 'chief')
      const by = { userId: bob.id, actorId: chief.id }
      expect(await call('PATCH', `/user/${bob.id}`, { is_active: false }, staff)).toMatchObject({
        ...success('update-user'),
        ...by,
      })
      expect(await call('POST', `/user/${bob.id}/end-sessions/`, undefined, staff)).toMatchObject({
        ...success('end-user-sessions'),
        ...by,
      })
      expect(await call('PATCH', `/user/${chief.id}`, { is_active: false }, staff)).toMatchObject({
        ...refused('update-user', 'FORBIDDEN'),
        userId: chief.id,
      })
      await service.app.accounts.updateUser(bob.id, { isActive: true })
      const user = await logIn(service, 'bob')
      expect(await call('PATCH', `/user/${chief.id}`, { is_active: false }, user)).toMatchObject({
        ...refused('update-user', 'FORBIDDEN'),
        userId: chief.id,
        actorId: bob.id,
      })
      const deleted = await call('DELETE', '/me/', undefined, user)
      expect(deleted).toMatchObject({ ...success('delete-user'), userId: bob.id, actorId: bob.id })
      expect(await users.findById(bob.id)).toBeNull()
      for (const event of [changed, deleted]) {
        expect(JSON.stringify(event)).not.toMatch(/example|alice|bob[^-]|"token"/)
      }
    },
  )

  rule(
    'LGG-05',
    {
      tried: 'a rejected request, and an unavailable store',
      expected:
        'a rejection is logged below level error, the store’s failure at error, once; the event distinguishes the two',
    },
    async ({ start, log, users }) => {
      const service = await start()
      const { eventOf, send } = audited(service)
      await signUp(service)
      await send('POST', '/login/', { ...credentials, password: otherPassword })
      const levels = () =>
        log
          .text()
          .split('\n')
          .filter((line) => /"msg":"accounts: the (request|user store)/.test(line))
          .map((line) => JSON.parse(line).level)
      expect(levels()).toEqual([30])
      users.findByUsername = () => Promise.reject(new Error('away'))
      expect(await eventOf(() => send('POST', '/login/', credentials))).toMatchObject({
        outcome: 'failure',
        reason: 'ACCOUNTS_UNAVAILABLE',
      })
      expect(levels()).toEqual([30, 50, 30])
    },
  )
})

/** A service that records its audit events. */
function audited(service: Service) {
  const events: AuditEvent[] = []
  service.app.accounts.events.on('audit', (event) => events.push(event))
  /** The only event of the request made by `work`. */
  async function eventOf(work: () => Promise<unknown>): Promise<AuditEvent> {
    await service.settle()
    events.length = 0
    const told = once(service.app.accounts.events, 'audit')
    await work()
    await told
    await service.settle()
    // A reset of a used account that was never proven also tells that it has changed hands.
    const own = events.filter(({ action }) => action !== 'handed-over')
    expect(own).toHaveLength(1)
    return own[0] as AuditEvent
  }
  return { ...service, eventOf }
}
