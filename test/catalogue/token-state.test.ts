import { cookieOf, goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { codeOf, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import { deliveredBy, type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import { secondFactor, tokens } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'
import { appOf, day, minute, partsOf, password, stateOf, whoHas } from './token-clients.js'

const options = {
  login: { emailCode: true },
  features: [tokens(), secondFactor()],
  session: { newDeviceMail: true },
} as const
const email = 'alice@example.org'
const names = (client: TokenClient) =>
  client.state === ''
    ? []
    : partsOf(client.state)
        .map(([name]) => name)
        .sort()

cases('Tokens', ({ rule, storage }) => {
  rule(
    'TOK-28',
    {
      tried:
        'a login with a second factor that remembers the device, the next logins with and without the state, and a new device',
      expected:
        'the state carries the waiting login, the remembered and the known device; without it each is a stranger’s',
    },
    async ({ start, wait }) => {
      const service = await start(options)
      const { app, secret } = await owner(service)
      const stranger = tokenClient(service)
      const waits = await app.send('POST', '/login/', password())
      expect([waits.statusCode, waits.cookies, deliveredBy(waits)]).toEqual([401, [], undefined])
      expect(names(app)).toEqual(['session-device', 'session-pending'])
      const step = { code: codeOf(secret), remember_device: true }
      expect((await stranger.send('POST', '/login/second-factor/', step)).statusCode).toBe(401)
      const done = await app.send('POST', '/login/second-factor/', step)
      expect([done.statusCode, done.cookies]).toEqual([200, []])
      expect(names(app)).toEqual(['session-device', 'session-remembered'])
      expect(await whoHas(app)).toBe('alice')
      service.mails.length = 0
      await app.send('POST', '/logout/')
      expect((await app.send('POST', '/login/', password())).statusCode).toBe(200)
      expect((await app.send('GET', '/me/')).headers['accounts-state']).toBeUndefined()
      expect((await stranger.send('POST', '/login/', password())).statusCode).toBe(401)
      await wait(minute)
      await stranger.send('POST', '/login/second-factor/', { code: codeOf(secret) })
      expect(await whoHas(stranger)).toBe('alice')
      await service.mail('new-device', email)
      expect(service.mails.filter(({ kind }) => kind === 'new-device')).toHaveLength(1)
      // A browser keeps none of it in this header, and none of it is read from there.
      const headers = { 'accounts-state': app.state }
      const plain = await service.send('POST', '/login/', password(), { headers })
      expect([plain.statusCode, plain.headers['accounts-state']]).toEqual([401, undefined])
    },
  )

  rule(
    'TOK-29',
    {
      tried:
        'two codes by email, and a failed login after a sign-up, in the app that asked or signed up and in another',
      expected:
        'the first code works, and only with the state of the app that asked; only the app that signed up hears that its address may have to be confirmed',
    },
    async ({ start }) => {
      const service = await start({
        ...options,
        requireEmailConfirmation: true,
      })
      await service.app.accounts.createUser({
        username: 'alice',
        email,
        password: goodPassword,
        isVerified: true,
      })
      const [app, other] = [tokenClient(service), tokenClient(service)]
      expect((await app.send('POST', '/login/code/', { email })).statusCode).toBe(202)
      const code = codeIn(await service.mail('login-code', email))
      expect((await app.send('POST', '/login/code/', { email })).statusCode).toBe(202)
      const wrong = await other.send('POST', '/login/code/confirm/', { code })
      expect([wrong.statusCode, deliveredBy(wrong)]).toEqual([401, undefined])
      const right = await app.send('POST', '/login/code/confirm/', { code })
      expect([right.statusCode, right.cookies, await whoHas(app)]).toEqual([200, [], 'alice'])

      const form = { ...password('bob'), confirm_password: goodPassword, email: 'bob@example.org' }
      const made = await app.send('POST', '/user/', form, { authorization: '' })
      expect([made.statusCode, made.cookies]).toEqual([202, []])
      expect(names(app)).toContain('session-signup')
      const codes = []
      for (const client of [app, other]) {
        const wrongly = { username: form.email, password: otherPassword }
        codes.push((await client.send('POST', '/login/', wrongly, { authorization: '' })).json().code)
      }
      expect(codes).toEqual(['ACCOUNTS_INVALID_OR_NOT_VERIFIED', 'ACCOUNTS_INVALID_CREDENTIALS'])
    },
  )

  rule(
    'TOK-30',
    {
      tried:
        'states of more than 4 KB, malformed, sent twice, with tampered, exchanged and expired parts, with ends put off, and with a session’s cookie as a part',
      expected:
        'what isn’t ours or is over counts as absent, and never 500; no part does another’s work, and a cookie’s session logs nobody in',
    },
    async ({ start, wait }) => {
      const service = await start(options)
      const { app, secret } = await owner(service)
      const device = partsOf(app.state)
      const browser = await firstStep(service)
      const cookie = cookieOf(await secondStep(service, browser, codeOf(secret)))
      await app.send('POST', '/login/', password())
      const [pending, ...others] = partsOf(app.state).sort(([one], [other]) => (one < other ? 1 : -1))
      if (pending === undefined || others.length === 0) throw new Error('there is no waiting login')
      const [name, value, end] = pending
      await wait(minute)

      const far = Math.ceil((Date.now() + 300 * day) / 1000)
      const letter = value.at(5) === 'A' ? 'B' : 'A'
      const foreign: string[] = [
        'x',
        '%',
        'null',
        `${app.state}, ${app.state}`,
        app.state.slice(0, -5),
        ...[
          null,
          1,
          'x',
          {},
          [],
          [[]],
          [[name]],
          [[name, value]],
          [[name, 1, end]],
          [[name, value, 'x']],
        ].map(stateOf),
        ...[[[name, value, null]], [[name, '\ud800', end]], [['\ud800', value, end]], [[name, '', end]]].map(
          stateOf,
        ),
        stateOf([[name, value, Math.floor(Date.now() / 1000)]]),
        stateOf([[name, value.slice(0, 5) + letter + value.slice(6), end]]),
        stateOf([[name, device[0]?.[1], end]]),
        stateOf([['session-device', value, end]]),
        stateOf([[`x; ${name}`, value.slice(1), end]]),
        stateOf([
          [name, value, end],
          ['x', 'y'.repeat(4096), end],
        ]),
        stateOf([['session', decodeURIComponent(cookie).slice('session='.length), far]]),
        stateOf([
          ['__proto__', value, far],
          ['constructor', value, far],
        ]),
      ]
      for (const state of foreign) {
        const client = Object.assign(tokenClient(service), { state })
        const step = await client.send('POST', '/login/second-factor/', { code: codeOf(secret) })
        expect([state, step.statusCode, deliveredBy(step)]).toEqual([state, 401, undefined])
        const me = await client.send('GET', '/me/')
        expect([state, me.statusCode]).toEqual([state, 401])
        const login = await client.send('POST', '/login/', password())
        expect([state, login.statusCode]).toEqual([state, 401])
        // A login that waits got a good state all the same.
        expect(names(client)).toContain('session-pending')
        expect(client.state.length).toBeLessThanOrEqual(4096)
      }

      // The parts themselves were right.
      const right = Object.assign(tokenClient(service), { state: stateOf([[name, value, end]]) })
      expect((await right.send('POST', '/login/second-factor/', { code: codeOf(secret) })).statusCode).toBe(
        200,
      )

      // Its own end is inside the part as well.
      await wait(day)
      const late = Object.assign(tokenClient(service), { state: stateOf([[name, value, far]]) })
      const step = await late.send('POST', '/login/second-factor/', { code: codeOf(secret) })
      expect([step.statusCode, deliveredBy(step)]).toEqual([401, undefined])
    },
  )

  storage(
    'TOK-30',
    {
      tried: 'two waiting logins at once with one state, and everything that a state can have',
      expected: 'the newest state completes its login and only that; all of it is less than 2 KB',
    },
    async ({ start, wait }) => {
      const service = await start(options)
      await wait(0)
      const { app, secret } = await owner(service)
      const two = [app.copy(), app.copy()]
      await Promise.all(two.map((each) => each.send('POST', '/login/', password())))
      await wait(minute)
      const [one, other] = two as [TokenClient, TokenClient]
      expect(one.state).not.toBe(other.state)
      const step = await other.send('POST', '/login/second-factor/', {
        code: codeOf(secret),
        remember_device: true,
      })
      expect([step.statusCode, await whoHas(other)]).toEqual([200, 'alice'])
      await other.send('POST', '/login/code/', { email })
      const made = await other.send('POST', '/user/', { ...password('bob'), confirm_password: goodPassword })
      expect(made.statusCode).toBe(201)
      expect(names(other).length).toBeGreaterThan(2)
      expect(other.state.length).toBeLessThan(2048)
    },
  )
})

/** An app of alice's, whose login needs a second factor the next time. */
async function owner(service: Service): Promise<{ app: TokenClient; secret: string }> {
  const alice = { username: 'alice', email, password: goodPassword, isVerified: true }
  await service.app.accounts.createUser(alice)
  const app: TokenClient = await appOf(service)
  const { secret, token } = (await app.send('POST', '/second-factor/totp/')).json()
  const code = codeOf(secret, -1)
  const done = await app.send('POST', '/second-factor/totp/confirm/', { code, token })
  if (done.statusCode !== 200) throw new Error(done.body)
  await app.send('POST', '/logout/')
  app.tokens = null
  return { app, secret }
}
