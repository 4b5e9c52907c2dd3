import {
  as,
  cookieNamed,
  cookieOf,
  goodPassword,
  type Host,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  secret as serviceSecret,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import { codeOf, enroll, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import type { LightMyRequestResponse as Response } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterAll, expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { imported } from './imports.js'
import { resetLink, verifyLink } from './links.js'
import type { Errand, Outcome, tasks } from './other-process.js'
import { change, choice } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'

const minute = 60_000
const day = 24 * 60 * minute
const email = 'alice@example.org'
const password = { username: 'alice', password: goodPassword }

const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const wrong = [401, 'ACCOUNTS_INVALID_CODE']
const owing = [401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED']
const unconfirmed = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
const loggedOut = [401, 'ACCOUNTS_LOGIN_REQUIRED']

/** Stands for another process: shares nothing but the stores. */
function startOn(
  { start }: Scene,
  options: Parameters<Scene['start']>[0] = {},
  given: Parameters<typeof secondFactor>[0] = {},
  host: Host = {},
): Promise<Service> {
  return start({ features: [secondFactor(given)], ...options }, host)
}

/** Creates a user with a verified address. */
async function newUser(service: Service, username = 'alice'): Promise<string> {
  const given = { username, password: goodPassword, email: `${username}@example.org`, isVerified: true }
  return (await service.app.accounts.createUser(given)).id
}

async function withFactor(service: Service) {
  const id = await newUser(service)
  return { id, ...(await enroll(service)) }
}

/** Freezes the clock in the middle of a 30-second step, so no step ends between a code and its use. */
async function holdClock({ wait }: Scene): Promise<void> {
  await wait(0)
  await wait(30_000 - (Date.now() % 30_000) + 10_000)
}

/** The status of a response, and its error code. */
const said = (response: Response): [number, string | null] => [
  response.statusCode,
  response.statusCode < 400 ? null : response.json().code,
]

/** The names of the cookies that a response sets. */
const set = ({ cookies }: Response): string[] =>
  cookies.filter(({ value }) => value !== '').map(({ name }) => name)

/** Resets the password with an emailed link. */
async function reset(service: Service, chosen = goodPassword): Promise<Response> {
  return service.send('POST', await resetLink(service, email), choice(chosen))
}

const isApp = ({ kind }: { kind: string }): boolean => kind === 'totp'

let processes: Promise<Processes<keyof typeof tasks, Errand>> | undefined
afterAll(async () => (await processes)?.stop())

cases('Second factor', ({ rule, storage }) => {
  storage(
    'SFA-01',
    {
      tried:
        'one code, and one recovery code, twenty times concurrently in two processes, each for its own login',
      expected: 'one login each; everything else is rejected, and so is the code afterwards',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { secret, codes } = await withFactor(services[0])
      for (const code of [codeOf(secret), codes[0] ?? '']) {
        const waiting = await Promise.all(Array.from({ length: 20 }, () => firstStep(services[0])))
        const responses = await Promise.all(
          waiting.map((cookie, n) => secondStep(services[n % 2 === 0 ? 0 : 1], cookie, code)),
        )
        const statuses = responses.map(({ statusCode }) => statusCode).sort()
        expect(statuses[0]).toBe(200)
        expect(statuses.slice(1)).toEqual(Array(19).fill(401))
        const again = await secondStep(services[1], await firstStep(services[1]), code)
        expect(again.statusCode).toBe(401)
      }
    },
  )

  rule(
    'SFA-02',
    {
      tried: 'a pending login: as a session, and after a new password, disabling and another login',
      expected: '401, and no session',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, codes } = await withFactor(service)
      const pending = await firstStep(service)
      expect(await whoIs(service, pending.replace('session-pending', 'session'))).toBeNull()
      const used = await firstStep(service)
      const done = await secondStep(service, used, codes[0] ?? '')
      expect(await whoIs(service, cookieOf(done))).toBe('alice')
      expect((await secondStep(service, pending, codes[1] ?? '')).statusCode).toBe(401)
      const next = await firstStep(service)
      await service.app.accounts.updateUser(id, { isActive: false })
      await service.app.accounts.updateUser(id, { isActive: true })
      expect((await secondStep(service, next, codes[1] ?? '')).statusCode).toBe(401)
      const last = await firstStep(service)
      await service.app.accounts.setPassword(id, otherPassword)
      expect((await secondStep(service, last, codes[1] ?? '')).statusCode).toBe(401)
    },
  )

  rule(
    'SFA-03',
    {
      tried: 'a session from before the factor was turned on, and a password alone in place of the factor',
      expected: 'the session is over, and the password alone doesn’t confirm',
    },
    async (scene) => {
      const service = await startOn(scene)
      await newUser(service)
      const before = await logIn(service)
      const { cookie } = await enroll(service)
      expect(await whoIs(service, before)).toBeNull()
      const confirm = { payload: { password: goodPassword }, headers: { cookie } }
      const response = await service.app.inject({ method: 'POST', url: '/confirm/', ...confirm })
      expect(response.statusCode).toBe(403)
    },
  )

  rule(
    'SFA-04',
    {
      tried:
        'each way to log in, with a factor on and off: password, reset and login, first verification of the address, a login that the host vouches for; with an earlier session in the cookie',
      expected:
        'with a factor, 401 or no session at all, a cookie for the second step only, and the earlier session is unchanged; without one, each logs in as usual',
    },
    async (scene) => {
      const host: Host = {
        before: (app) =>
          app.post<{ Body: { id: string } }>('/own-login', (request, reply) =>
            app.accounts.logIn(request, reply, request.body.id, { methods: ['fed'] }),
          ),
      }
      const service = await startOn(scene, {}, {}, host)
      const id = await newUser(service)
      const ways: [string, (headers: object) => Promise<Response>][] = [
        ['password', (headers) => service.send('POST', '/login/', password, headers)],
        ['address', (headers) => service.send('POST', '/login/', { ...password, username: email }, headers)],
        ['host', (headers) => service.send('POST', '/own-login', { id }, headers)],
      ]
      for (const [way, go] of ways) expect([way, (await go({})).statusCode]).toEqual([way, 200])

      const { cookie, secret } = await enroll(service)
      const rows = await scene.sessionRows()
      for (const [way, go] of ways) {
        for (const headers of [{}, as(cookie)]) {
          const response = await go(headers)
          expect([way, ...said(response), set(response)]).toEqual([way, ...owing, ['session-pending']])
          expect(response.cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }])
          // On the host's own routes, the host writes the response.
          if (way !== 'host') expect(response.json().factors).toEqual(['totp', 'recovery-code'])
        }
      }
      // It only counts passwords.
      expect(set(await service.send('POST', await resetLink(service, email), choice(otherPassword)))).toEqual(
        ['session-device'],
      )
      const after = await service.send('POST', '/login/', { ...password, password: otherPassword })
      expect([...said(after), set(after)]).toEqual([...owing, ['session-pending']])
      await service.app.accounts.updateUser(id, { isVerified: false })
      expect(set(await service.send('POST', await verifyLink(service, email)))).toEqual([])
      await service.app.accounts.updateUser(id, { isVerified: true })
      expect(await scene.sessionRows()).toBeLessThanOrEqual(rows)
      const done = await secondStep(service, cookieNamed(after, 'session-pending'), codeOf(secret))
      expect([done.statusCode, await whoIs(service, cookieOf(done))]).toEqual([200, 'alice'])
    },
  )

  storage(
    'SFA-05',
    {
      tried:
        'one app code, and one recovery code, twenty times concurrently in two real processes: as the second step of logins, and to confirm sessions',
      expected: 'each is accepted once',
      on: ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB'],
      because: 'No other process can read in-memory data; SFA-01 has two services there.',
    },
    async (scene) => {
      const { place, prefix } = scene
      if (!place) throw new Error('the ground has no place')
      const service = await startOn(scene)
      const { secret, codes } = await withFactor(service)
      const [first = '', second = '', third = ''] = codes
      const session = cookieOf(await secondStep(service, await firstStep(service), first))
      processes ??= startProcesses(new URL('other-process.ts', import.meta.url), 2)
      for (const code of [second, third, () => codeOf(secret)]) {
        const waiting = await Promise.all(Array.from({ length: 5 }, () => firstStep(service)))
        const given = typeof code === 'string' ? code : code()
        const requests = waiting.flatMap((cookie) => [
          { method: 'POST' as const, url: '/login/second-factor/', payload: { code: given }, ...as(cookie) },
          { method: 'POST' as const, url: '/confirm/', payload: { code: given }, ...as(session) },
        ])
        const errand = { place, prefix, options: { throttle: false as const }, hasFactor: true, requests }
        const outcomes = await (await processes).race<Outcome>('send', errand)
        const statuses = outcomes.flatMap(({ statusCodes }) => statusCodes)
        expect(statuses.filter((status) => status === 200 || status === 204)).toHaveLength(1)
        expect(statuses.filter((status) => ![200, 204, 400, 401, 409].includes(status))).toEqual([])
        const again = await secondStep(service, await firstStep(service), given)
        expect(said(again)).toEqual(wrong)
      }
    },
  )

  storage(
    'SFA-06',
    {
      tried:
        'codes of this time step, the previous, the one before that and the next; the enrollment code; an older code after a newer one; a used code after a restart',
      expected:
        'this step and the previous one, once each and in order, in any process: a clock may be one step behind, never ahead',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const { secret } = await withFactor(service)
      const give = async (code: string, at = service) => said(await secondStep(at, await firstStep(at), code))
      // The code of the previous step was used to turn the app on.
      expect(await give(codeOf(secret, -1))).toEqual(wrong)
      expect((await give(codeOf(secret)))[0]).toBe(200)
      await scene.wait(10 * minute)
      for (const step of [-3, -2, 1, 2]) expect(await give(codeOf(secret, step))).toEqual(wrong)
      expect((await give(codeOf(secret, -1)))[0]).toBe(200)
      expect((await give(codeOf(secret)))[0]).toBe(200)
      const used = [codeOf(secret), codeOf(secret, -1)]
      const restarted = await startOn(scene)
      for (const code of used) expect(await give(code, restarted)).toEqual(wrong)
      await scene.wait(30_000)
      const older = codeOf(secret, -1)
      expect(await give(older)).toEqual(wrong)
      expect((await give(codeOf(secret), restarted))[0]).toBe(200)
    },
  )

  rule(
    'SFA-07',
    {
      tried:
        'guesses from many addresses, each after a fresh login, with a used code among them, and after a reset; the owner on a device where a factor was given; the daily total of guesses',
      expected:
        'five in five minutes, whatever happens in between, and a correct code waits like a wrong one; the known device has its own budget; a hundred a day; three wrong ones trigger an email, and so does the hundredth',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene, { throttle: {} })
      const { id, secret, codes } = await withFactor(service)
      const done = await secondStep(service, await firstStep(service), codes[0] ?? '')
      const device = cookieNamed(done, 'session-device')
      let attempts = 0
      const guess = async (code: string, more = '') => {
        attempts += 1
        const pending = [await firstStep(service), more].filter(Boolean).join('; ')
        const from = { ...as(pending), remoteAddress: `10.0.${attempts >> 8}.${attempts & 255}` }
        return service.send('POST', '/login/second-factor/', { code }, from)
      }
      for (let n = 0; n < 5; n += 1) {
        expect(said(await guess(n === 4 ? (codes[0] ?? '') : '000000'))).toEqual(wrong)
      }
      const blocked = [await guess('000000'), await guess(codeOf(secret)), await guess(codes[1] ?? '')]
      for (const response of blocked) expect(said(response)).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect(Number(blocked[0]?.headers['retry-after'])).toBeLessThanOrEqual(300)
      expect(await service.mail('factor-guessed')).toMatchObject({
        to: { address: email },
        text: expect.stringContaining('the wrong codes or used the wrong passkeys'),
      })
      expect((await guess(codes[1] ?? '', device)).statusCode).toBe(200)
      expect((await reset(service)).statusCode).toBe(204)
      expect(said(await guess(codes[2] ?? ''))).toEqual([429, 'ACCOUNTS_THROTTLED'])
      for (let n = 5; n < 100; n += 1) {
        if (n % 5 === 0) await scene.wait(5 * minute + 1000)
        expect([n, ...said(await guess('000000'))]).toEqual([n, ...wrong])
      }
      await scene.wait(5 * minute + 1000)
      expect(said(await guess('000000'))).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect(said(await guess(codeOf(secret)))).toEqual([429, 'ACCOUNTS_THROTTLED'])
      await scene.wait(day)
      const told = () => service.mails.filter(({ kind }) => kind === 'factor-turned-off')
      // The known device has submitted a correct code after the first five.
      for (let n = 0; n < 5; n += 1) {
        await service.settle()
        expect(told()).toEqual([])
        expect(said(await guess('000000'))).toEqual(wrong)
      }
      await scene.wait(5 * minute + 1000)
      // A hundred wrong codes in a row turn the app off: its owner is left with recovery codes.
      expect(said(await guess(codeOf(secret)))).toEqual(wrong)
      const off = await service.mail('factor-turned-off')
      expect(off.to.address).toBe(email)
      expect((await guess(codes[2] ?? '')).statusCode).toBe(200)
      await scene.wait(minute)
      expect((await guess(codeOf(secret))).statusCode).toBe(200)
      for (let n = 0; n < 5; n += 1) expect(said(await guess('000000', device))).toEqual(wrong)
      expect(said(await guess(codes[3] ?? '', device))).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect(told()).toEqual([off])
      expect(off.text).toContain('don’t work for now')
      expect((await service.send('POST', linkTarget(off))).statusCode).toBe(200)
      expect((await scene.users.findById(id))?.passwordHash).toBe('!')
    },
  )

  rule(
    'SFA-08',
    {
      tried:
        'a pending login, after each thing that ends it: a changed, a reset and a set password, a lockdown by the owner, the end of all sessions, disabling and re-enabling, another completed login, each change of the factors, staff who remove them',
      expected: '401 with a correct code, and no session',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const id = await newUser(service)
      let enrolled = await enroll(service)
      await service.app.accounts.createUser({ username: 'manager', password: goodPassword, isStaff: true })
      const login = async () => {
        await scene.wait(minute)
        return cookieOf(await secondStep(service, await first(), codeOf(enrolled.secret)))
      }
      /** With whichever password is current. */
      const first = () => firstStep(service).catch(() => firstStep(service, { password: otherPassword }))
      const own = (method: 'POST' | 'DELETE', path: string) => async (cookie: string) => {
        const response = await service.send(method, path, undefined, as(cookie))
        expect([path, response.statusCode < 300]).toEqual([path, true])
      }
      const { updateUser, setPassword, endUserSessions } = service.app.accounts
      const ends: [string, (cookie: string) => Promise<unknown>][] = [
        ['a changed password', (cookie) => change(service, cookie, otherPassword)],
        ['a set password', () => setPassword(id, goodPassword)],
        ['a reset', () => reset(service)],
        ['the end of all sessions', () => endUserSessions(id)],
        [
          'disabling',
          () => updateUser(id, { isActive: false }).then(() => updateUser(id, { isActive: true })),
        ],
        ['another login', login],
        ['new recovery codes', own('POST', '/second-factor/recovery-codes/')],
        ['another app', (cookie) => enroll(service, cookie)],
        ['no factor', own('DELETE', '/second-factor/totp/')],
      ]
      for (const [end, happen] of ends) {
        const cookie = await login()
        const pending = await first()
        await happen(cookie)
        await scene.wait(minute)
        const response = await secondStep(service, pending, codeOf(enrolled.secret))
        expect([end, ...said(response), set(response)]).toEqual([end, ...expired, []])
      }
      enrolled = await enroll(service)
      const pending = await firstStep(service)
      const staff = as(await logIn(service, 'manager'))
      const path = `/user/${id}/second-factor/reset/`
      expect((await service.send('POST', path, undefined, staff)).statusCode).toBe(204)
      expect(said(await secondStep(service, pending, codeOf(enrolled.secret)))).toEqual(expired)
      enrolled = await enroll(service)
      const last = await firstStep(service)
      const mail = service.mails.findLast(({ kind }) => kind === 'factor-added')
      if (mail === undefined) throw new Error('no email arrived')
      expect((await service.send('POST', linkTarget(mail))).statusCode).toBe(200)
      expect(said(await secondStep(service, last, codeOf(enrolled.secret)))).toEqual(expired)
    },
  )

  rule(
    'SFA-09',
    {
      tried:
        'the cookie of a pending login: as a session, as a remembered device, in another realm, under another secret, changed in each part, after ten minutes, and again after use',
      expected: '401 each time, no row, and it still works where it belongs',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const { codes } = await withFactor(service)
      const pending = await firstStep(service)
      const value = pending.slice('session-pending='.length)
      const rows = await scene.sessionRows()
      expect(await whoIs(service, `session=${value}`)).toBeNull()
      const owes = await service.send('POST', '/login/', password, as(`session-remembered=${value}`))
      expect(said(owes)).toEqual(owing)
      const realm = await startOn(scene, { session: { cookieName: 'other' } })
      expect(said(await secondStep(realm, `other-pending=${value}`, codes[0] ?? ''))).toEqual(expired)
      const elsewhere = await startOn(scene, { secret: 'YW5vdGhlci1zZWNyZXQtb2YtZW5vdWdoLWJ5dGVzLWhlcmU' })
      expect(said(await secondStep(elsewhere, pending, codes[0] ?? ''))).toEqual(expired)
      for (const at of [2, value.length >> 1, value.length - 2]) {
        const letter = value[at] === 'A' ? 'B' : 'A'
        const forged = `session-pending=${value.slice(0, at)}${letter}${value.slice(at + 1)}`
        expect(said(await secondStep(service, forged, codes[0] ?? ''))).toEqual(expired)
      }
      const empty = await service.send('POST', '/login/second-factor/', {}, as(pending))
      expect(empty.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'code', code: 'required' }] })
      expect(await scene.sessionRows()).toBe(rows)
      await scene.wait(10 * minute - 1)
      expect((await secondStep(service, pending, codes[0] ?? '')).statusCode).toBe(200)
      expect(said(await secondStep(service, pending, codes[1] ?? ''))).toEqual(expired)
      const late = await firstStep(service)
      await scene.wait(10 * minute)
      expect(said(await secondStep(service, late, codes[1] ?? ''))).toEqual(expired)
      expect((await secondStep(service, await firstStep(service), codes[1] ?? '')).statusCode).toBe(200)
    },
  )

  rule(
    'SFA-10',
    {
      tried:
        'sessions from before the first app, on host routes that require a factor; a device that was known before; a session that never gave its required factor',
      expected:
        'enrolling ends all of them except its own, which counts as proved; a login without a factor gets 403 there until it gives one',
    },
    async (scene) => {
      const host: Host = {
        before: (app) =>
          app.get(
            '/vault',
            { onRequest: (request, reply) => app.accounts.requireSecondFactor(request, reply) },
            () => 'gold',
          ),
      }
      const service = await startOn(scene, {}, {}, host)
      const id = await newUser(service)
      const vault = async (cookie: string) => said(await service.send('GET', '/vault', undefined, as(cookie)))
      const before = [await logIn(service), await logIn(service)]
      for (const cookie of before) {
        expect(await vault(cookie)).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
      }
      const { cookie, secret } = await enroll(service, before[0])
      for (const old of before) expect(await vault(old)).toEqual(loggedOut)
      expect(await vault(cookie)).toEqual([200, null])
      const found = await scene.users.findById(id)
      if (found === null) throw new Error('alice was not found')
      // As a migration would write it, bypassing the plugin.
      const { factors, credentials } = found
      const bare = await scene.users.update(id, { factors: [], credentials: [] }, found.version)
      const never = await logIn(service)
      const now = await scene.users.findById(id)
      await scene.users.update(id, { factors, credentials }, now?.version ?? bare?.version ?? 0)
      expect(await vault(never)).toEqual(unconfirmed)
      const given = await service.send('POST', '/confirm/', { code: codeOf(secret) }, as(never))
      expect(await vault(cookieOf(given))).toEqual([200, null])
    },
  )

  rule(
    'SFA-11',
    {
      tried:
        'turning the factor off, adding an app, creating recovery codes and changing the password in a session whose login is sixteen minutes old; confirming it with the password alone, and with a wrong code',
      expected: '403 before the body is read, and nothing has changed; with a code each succeeds',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const { id, cookie, secret } = await withFactor(service)
      const before = await scene.users.findById(id)
      await scene.wait(16 * minute)
      const requests = [
        ['DELETE', '/second-factor/totp/'],
        ['POST', '/second-factor/totp/'],
        ['POST', '/second-factor/totp/confirm/'],
        ['POST', '/second-factor/recovery-codes/'],
      ] as const
      for (const [method, path] of requests) {
        const response = await service.send(method, path, { nonsense: true }, as(cookie))
        expect([path, ...said(response)]).toEqual([path, ...unconfirmed])
      }
      expect(said(await change(service, cookie, otherPassword))).toEqual(unconfirmed)
      const confirm = (body: object) => service.send('POST', '/confirm/', body, as(cookie))
      expect(said(await confirm({ password: goodPassword }))).toEqual(unconfirmed)
      expect((await confirm({ code: '000000' })).json()).toMatchObject({
        statusCode: 400,
        fields: [{ field: 'code', code: 'incorrect' }],
      })
      const kept = await scene.users.findById(id)
      expect([kept?.factors, kept?.passwordHash]).toEqual([before?.factors, before?.passwordHash])
      const confirmed = cookieOf(await confirm({ code: codeOf(secret) }))
      const off = await service.send('DELETE', '/second-factor/totp/', undefined, as(confirmed))
      expect(off.statusCode).toBe(204)
      expect((await scene.users.findById(id))?.credentials).toEqual([])
      expect((await service.mail('factor-removed')).to.address).toBe(email)
    },
  )

  rule(
    'SFA-12',
    {
      tried:
        'recovery codes in lower case, with spaces and without dashes; used ones, those from before a renewal, parts of them, all ten, and an eleventh time',
      expected:
        'each logs in once, however it is typed; the last three trigger an email; with none left the app is still required',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { cookie, codes: old, secret } = await withFactor(service)
      const give = async (code: string) => said(await secondStep(service, await firstStep(service), code))
      const renewed = await service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie))
      const codes: string[] = renewed.json().recovery_codes
      expect(new Set([...old, ...codes]).size).toBe(20)
      expect(await give(old[0] ?? '')).toEqual(wrong)
      const [sample = ''] = codes
      for (const part of [sample.slice(0, -1), `${sample}A`, sample.slice(5), '-', 'x'.repeat(64)]) {
        expect(await give(part)).toEqual(wrong)
      }
      const spellings = [
        (code: string) => code,
        (code: string) => code.toLowerCase(),
        (code: string) => code.replaceAll('-', ''),
        (code: string) => ` ${code.replaceAll('-', ' ')} `,
        (code: string) => [...code.replaceAll('-', '')].join('-'),
      ]
      for (const [n, code] of codes.entries()) {
        const typed = spellings[n % spellings.length]?.(code) ?? code
        expect([typed, (await give(typed))[0]]).toEqual([typed, 200])
        for (const spell of spellings) expect(await give(spell(code))).toEqual(wrong)
        // Three are left.
        if (n !== 6) continue
        expect(await service.mail('recovery-codes-low')).toMatchObject({
          to: { address: email },
          text: expect.stringContaining('three or fewer'),
        })
      }
      const last = await service.send('POST', '/login/', password)
      expect([...said(last), last.json().factors]).toEqual([...owing, ['totp']])
      expect(await give(codeOf(secret))).toEqual([200, null])
    },
  )

  rule(
    'SFA-13',
    {
      tried:
        'actions on an account with a factor: a reset, also through an address set by staff, an app added at an unattended browser and the link in the email about it, staff who remove the factors; by strangers, and by the owner acting as staff',
      expected:
        'an earlier factor stays and is still required; an app added by an intruder is removed along with the intruder; only staff and the owner remove one, and the owner is notified',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const { id, cookie, secret } = await withFactor(service)
      const kinds = async () =>
        (await scene.users.findById(id))?.credentials.filter(({ kind }) => kind === 'totp').length
      await reset(service)
      await firstStep(service)
      await scene.wait(30 * day)
      const owner = cookieOf(await secondStep(service, await firstStep(service), codeOf(secret)))
      expect(await whoIs(service, cookie)).toBeNull()

      // Someone at the owner's unlocked browser.
      const { secret: theirs } = await enroll(service, owner)
      expect(await kinds()).toBe(2)
      const mail = () => service.mails.filter(({ kind }) => kind === 'factor-added')
      await expect.poll(() => mail().length).toBe(2)
      const report = mail().at(-1)
      if (report === undefined) throw new Error('no email arrived')
      expect((await service.send('POST', linkTarget(report))).statusCode).toBe(200)
      expect([await kinds(), await whoIs(service, owner)]).toEqual([1, null])
      await service.send('POST', linkPath(await service.mail('choose-password')), choice(goodPassword))
      await scene.wait(minute)
      expect(said(await secondStep(service, await firstStep(service), codeOf(theirs)))).toEqual(wrong)
      const back = await secondStep(service, await firstStep(service), codeOf(secret))
      expect(back.statusCode).toBe(200)

      await service.app.accounts.createUser({ username: 'manager', password: goodPassword, isStaff: true })
      await service.app.accounts.createUser({ username: 'mallory', password: goodPassword })
      const path = `/user/${id}/second-factor/reset/`
      const mallory = as(await logIn(service, 'mallory'))
      expect((await service.send('POST', path, undefined, mallory)).statusCode).toBe(403)
      expect(said(await service.send('POST', path))).toEqual(loggedOut)
      const staff = as(await logIn(service, 'manager'))
      expect(said(await service.send('POST', path, undefined, as(cookieOf(back))))[0]).toBe(403)
      const typo = 'typo@example.org'
      expect(said(await service.send('PATCH', `/user/${id}`, { email: typo }, staff))[0]).toBe(200)
      const moved = await service.send('POST', await resetLink(service, typo), choice(goodPassword))
      expect(moved.statusCode).toBe(204)
      await firstStep(service)
      expect(await kinds()).toBe(1)
      expect((await service.send('POST', path, undefined, staff)).statusCode).toBe(204)
      expect([await kinds(), (await service.mail('factor-removed')).to.address]).toEqual([0, typo])
      expect(await whoIs(service, await logIn(service))).toBe('alice')
    },
  )

  rule(
    'SFA-14',
    {
      tried:
        'finding out who has an account, and who a factor, by wrong passwords, second steps without a first, and wrong codes of two accounts',
      expected:
        'byte-identical responses: a factor shows only after the correct password, and which apps and codes exist not even then',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withFactor(service)
      await newUser(service, 'bob')
      await enroll(service, await logIn(service, 'bob'))
      await newUser(service, 'carol')
      const guesses = ['alice', 'carol', 'nobody-here'].map((username) =>
        service.send('POST', '/login/', { username, password: otherPassword }),
      )
      const [first, ...others] = await Promise.all(guesses)
      if (first) expectAlike(first, ...others)
      expect(first?.json()).not.toHaveProperty('factors')
      const none = await secondStep(service, 'a=b', '000000')
      expect(said(none)).toEqual(expired)
      const bob = await service.send('POST', '/login/', { username: 'bob', password: goodPassword })
      const alice = await service.send('POST', '/login/', password)
      expectAlike(alice, bob)
      const steps = [cookieNamed(alice, 'session-pending'), cookieNamed(bob, 'session-pending')]
      const [one, ...rest] = await Promise.all(
        steps.flatMap((cookie) =>
          ['000000', 'AAAA-AAAA-AAAA-AAAA'].map((code) => secondStep(service, cookie, code)),
        ),
      )
      if (one) expectAlike(one, ...rest)
    },
  )

  rule(
    'SFA-15',
    {
      tried:
        'a remembered device: after a logout, a new password, a reset, the end of all sessions, disabling, new recovery codes, another app, its removal from the list, staff who remove the factors, and thirty days; forged, for another account, in another realm, in another process and where remembering is off',
      expected:
        'a logout keeps it, in every process; anything else makes it require the factor again, and never weakens another user’s requirement',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const other = await startOn(scene)
      const id = await newUser(service)
      let enrolled = await enroll(service)
      await newUser(service, 'bob')
      const bob = await enroll(service, await logIn(service, 'bob'))
      /** With whichever password is current. */
      const skips = async (device: string, at = service, username = 'alice') => {
        const responses = [goodPassword, otherPassword].map((each) =>
          at.send('POST', '/login/', { username, password: each }, as(device)),
        )
        const codes = (await Promise.all(responses)).map(({ statusCode }) => statusCode)
        return codes.includes(200)
      }
      const first = () => firstStep(service).catch(() => firstStep(service, { password: otherPassword }))
      const remember = async () => {
        await scene.wait(minute)
        const body = { code: codeOf(enrolled.secret), remember_device: true }
        const done = await service.send('POST', '/login/second-factor/', body, as(await first()))
        const device = cookieNamed(done, 'session-remembered')
        expect(await skips(device)).toBe(true)
        return { device, cookie: cookieOf(done), set: done.cookies }
      }
      const { device, cookie, set } = await remember()
      expect(set.find(({ name }) => name === 'session-remembered')).toMatchObject({
        ...{ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: (30 * day) / 1000 },
      })
      expect((await service.send('POST', '/logout/', undefined, as(cookie))).statusCode).toBe(204)
      expect([await skips(device), await skips(device, other)]).toEqual([true, true])
      expect(await skips(`${device.slice(0, -2)}AA`)).toBe(false)
      expect(await skips(device, service, 'bob')).toBe(false)
      const realm = await startOn(scene, { session: { cookieName: 'other' } })
      expect(await skips(device.replace('session', 'other'), realm)).toBe(false)
      const off = await startOn(scene, {}, { rememberFor: 0 })
      expect(await skips(device, off)).toBe(false)
      const asked = { code: codeOf(enrolled.secret), remember_device: true }
      const refused = await off.send('POST', '/login/second-factor/', asked, as(await firstStep(off)))
      expect(refused.json().fields).toMatchObject([{ field: 'remember_device', code: 'unknown' }])
      expect(await skips(device)).toBe(true)

      const own = (method: 'POST' | 'DELETE', path: string) => (cookie: string) =>
        service.send(method, path, undefined, as(cookie))
      const { updateUser, setPassword, endUserSessions } = service.app.accounts
      const ends: [string, (cookie: string, device: string) => Promise<unknown>][] = [
        ['a changed password', (cookie) => change(service, cookie, otherPassword)],
        ['a set password', () => setPassword(id, goodPassword)],
        ['a reset', () => reset(service)],
        ['the end of all sessions', () => endUserSessions(id)],
        [
          'disabling',
          () => updateUser(id, { isActive: false }).then(() => updateUser(id, { isActive: true })),
        ],
        ['new recovery codes', own('POST', '/second-factor/recovery-codes/')],
        ['another app', (cookie) => enroll(service, cookie)],
        [
          'its end in the list',
          async (cookie) => {
            const shown = await service.send('GET', '/second-factor/', undefined, as(cookie))
            const [newest] = shown.json().remembered_devices
            expect(Date.parse(newest.expires_at) - Date.parse(newest.created_at)).toBe(30 * day)
            const remove = own('DELETE', `/second-factor/devices/${newest.id}`)
            const responses = [await remove(bob.cookie), await remove(cookie), await remove(cookie)]
            expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 204, 404])
          },
        ],
        [
          'thirty days',
          async (_, device) => {
            await scene.wait(30 * day - 1)
            expect(await skips(device)).toBe(true)
            await scene.wait(1)
          },
        ],
      ]
      for (const [end, happen] of ends) {
        const remembered = await remember()
        await happen(remembered.cookie, remembered.device)
        expect([end, await skips(remembered.device), await skips(remembered.device, other)]).toEqual([
          end,
          false,
          false,
        ])
      }
      const last = await remember()
      await service.app.accounts.createUser({ username: 'manager', password: goodPassword, isStaff: true })
      const path = `/user/${id}/second-factor/reset/`
      const staff = as(await logIn(service, 'manager'))
      expect((await service.send('POST', path, undefined, staff)).statusCode).toBe(204)
      enrolled = await enroll(service)
      expect(await skips(last.device)).toBe(false)
    },
  )

  rule(
    'SFA-16',
    {
      tried:
        'an app’s secret, its codes, recovery codes, the cookies of pending logins and remembered devices: in the log at level trace, in the database, in every response except the one that shows them',
      expected: 'nowhere',
    },
    async (scene) => {
      const service = await startOn(scene, {}, {})
      const { id, secret, codes, cookie } = await withFactor(service)
      const code = codeOf(secret)
      const pending = await firstStep(service)
      const body = { code, remember_device: true }
      const done = await service.send('POST', '/login/second-factor/', body, as(pending))
      await service.send('POST', '/confirm/', { code: codes[0] ?? '' }, as(cookie))
      await secondStep(service, await firstStep(service), codes[1] ?? '')
      await secondStep(service, await firstStep(service), codes[1] ?? '')
      const secrets = [
        ...[secret, ...codes, ...codes.map((each) => each.replaceAll('-', ''))],
        ...[pending, cookieNamed(done, 'session-remembered')].map((each) => each.split('=')[1] ?? ''),
        serviceSecret,
      ]
      const session = as(cookieOf(done))
      const shown = ['/me/', '/user/', `/user/${id}`, '/second-factor/', '/sessions/', '/api-root/']
      const responses = await Promise.all(shown.map((url) => service.send('GET', url, undefined, session)))
      const stored = JSON.stringify(await scene.users.findById(id))
      const places = [scene.log.text(), stored, done.body, ...responses.map((response) => response.body)]
      for (const each of secrets) {
        expect(each.length).toBeGreaterThan(15)
        expect(places.filter((text) => text.includes(each))).toEqual([])
      }
      expect(stored).toContain('"kind":"totp"')
      for (const { json, statusCode } of responses) {
        expect(statusCode).toBe(200)
        expect(JSON.stringify(json())).not.toMatch(/sealed|credentials|identityKeys/)
      }
      // The code alone is too short to search for: an id may contain the same digits.
      expect(scene.log.text()).not.toMatch(new RegExp(`"code":"?${code}`))
    },
  )

  storage(
    'SFA-17',
    {
      tried:
        'enrolling with the token of another account, another session, a changed state and after ten minutes; twenty times concurrently in two processes; with an unverified address; if a factor is required',
      expected:
        'only the user who requested it turns it on, once; a user who must have a factor can do nothing else until then, and nothing again once it is gone',
    },
    async (scene) => {
      await holdClock(scene)
      const requiredFor = ({ username }: { username: string | null }) => username === 'alice'
      const services = [
        await startOn(scene, {}, { requiredFor }),
        await startOn(scene, {}, { requiredFor }),
      ] as const
      const [service] = services
      const id = await newUser(service)
      await newUser(service, 'bob')
      const begin = async (cookie: string) =>
        (await service.send('POST', '/second-factor/totp/', undefined, as(cookie))).json()
      const finish = (
        cookie: string,
        { secret, token }: { secret: string; token: string },
        at: Service = service,
      ) => at.send('POST', '/second-factor/totp/confirm/', { code: codeOf(secret), token }, as(cookie))
      const cookie = await logIn(service)
      const blocked = async (session: string) =>
        said(await service.send('GET', '/user/', undefined, as(session)))
      expect(await blocked(cookie)).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
      expect(said(await service.send('PATCH', '/me/', {}, as(cookie)))).toEqual(await blocked(cookie))
      for (const path of ['/me/', '/second-factor/', '/sessions/'])
        expect((await service.send('GET', path, undefined, as(cookie))).statusCode).toBe(200)
      const theirs = await begin(await logIn(service, 'bob'))
      await scene.wait(1000)
      const elsewhere = await begin(await logIn(service))
      for (const begun of [theirs, elsewhere]) expect((await finish(cookie, begun)).statusCode).toBe(400)
      const late = await begin(cookie)
      const forged = { ...late, token: `${late.token.slice(0, -6)}AAAAAA` }
      expect((await finish(cookie, forged)).json().fields).toMatchObject([
        { field: 'token', code: 'invalid' },
      ])
      await scene.wait(10 * minute)
      expect((await finish(cookie, late)).statusCode).toBe(400)
      await service.app.accounts.updateUser(id, { isVerified: false })
      expect(said(await service.send('POST', '/second-factor/totp/', undefined, as(cookie)))).toEqual([
        403,
        'ACCOUNTS_NOT_VERIFIED',
      ])
      await service.app.accounts.updateUser(id, { isVerified: true })
      expect((await scene.users.findById(id))?.factors).toEqual([])
      await scene.wait(5 * minute)
      expect(said(await service.send('POST', '/second-factor/totp/', undefined, as(cookie)))).toEqual(
        unconfirmed,
      )

      const fresh = await logIn(service)
      const begun = await begin(fresh)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => finish(fresh, begun, services[n % 2 === 0 ? 0 : 1])),
      )
      const [done, ...more] = responses.filter(({ statusCode }) => statusCode === 200)
      expect(more).toEqual([])
      if (done === undefined) throw new Error('no app was added')
      const { credentials = [] } = (await scene.users.findById(id)) ?? {}
      expect(credentials.map(({ kind }) => kind).sort()).toEqual([...Array(10).fill('recovery-code'), 'totp'])
      // The twenty requests shared one session, which may have ended; the recovery codes still work.
      const [code = ''] = done.json().recovery_codes
      const session = cookieOf(await secondStep(service, await firstStep(service), code))
      expect(await blocked(session)).toEqual([200, null])
      const off = await service.send('DELETE', '/second-factor/totp/', undefined, as(session))
      expect(off.statusCode).toBe(204)
      expect(await blocked(session)).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
    },
  )

  storage(
    'SFA-18',
    {
      tried:
        'two apps: renamed and removed by someone else and in an old session; a code of one during twenty renames in two processes; codes of a removed one; both removed simultaneously in two processes',
      expected:
        'only their owner renames or removes one; the code stays used and one name is kept; with the last app the recovery codes are gone, and no account requires an app it doesn’t have',
    },
    async (scene) => {
      await holdClock(scene)
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service, other] = services
      const { id, cookie: first, secret: phone, codes } = await withFactor(service)
      await scene.wait(minute)
      const { cookie, secret: tablet } = await enroll(service, first, 'Tablet')
      const apps = async () => ((await scene.users.findById(id))?.credentials ?? []).filter(isApp)
      const paths = (await apps()).map((app) => `/second-factor/totp/${app.id}`)
      const [phonePath = '', tabletPath = ''] = paths
      await newUser(service, 'bob')
      const bob = as(await logIn(service, 'bob'))
      for (const path of paths) {
        expect(said(await service.send('PATCH', path, { name: 'Mine' }, bob))[0]).toBe(404)
        expect(said(await service.send('DELETE', path, undefined, bob))[0]).toBe(404)
        expect(said(await service.send('DELETE', path))).toEqual(loggedOut)
      }

      const code = codeOf(tablet)
      const pending = await firstStep(service)
      const [done, ...renamed] = await Promise.all([
        secondStep(other, pending, code),
        ...Array.from({ length: 20 }, (_, n) =>
          services[n % 2 === 0 ? 0 : 1].send('PATCH', tabletPath, { name: `Tablet ${n}` }, as(cookie)),
        ),
      ])
      // With this many concurrent requests, some may conflict.
      expect(renamed.filter(({ statusCode }) => ![200, 409].includes(statusCode))).toEqual([])
      const names = (await apps()).map(({ name }) => name)
      expect(names[0]).toBe('Authenticator app')
      expect(
        renamed.filter(({ statusCode }) => statusCode === 200).map((each) => each.json().name),
      ).toContain(names[1])
      if (done.statusCode === 200)
        expect(said(await secondStep(other, await firstStep(other), code))).toEqual(wrong)
      else expect(said(done)).toEqual([409, 'ACCOUNTS_CONFLICT'])

      await scene.wait(16 * minute)
      expect(said(await service.send('DELETE', phonePath, undefined, as(cookie)))).toEqual(unconfirmed)
      expect(await apps()).toHaveLength(2)
      const confirmed = await service.send('POST', '/confirm/', { code: codeOf(tablet) }, as(cookie))
      const session = as(cookieOf(confirmed))
      const third = await enroll(service, session.headers.cookie, 'Watch')
      const watch = as(third.cookie)
      const waiting = await firstStep(service)
      expect((await service.send('DELETE', phonePath, undefined, watch)).statusCode).toBe(204)
      expect((await service.send('DELETE', phonePath, undefined, watch)).statusCode).toBe(404)
      expect(said(await secondStep(service, waiting, codeOf(tablet)))).toEqual(expired)
      const removed = await secondStep(service, await firstStep(service), codeOf(phone))
      expect(said(removed)).toEqual(wrong)
      const left = (await apps()).map((app) => `/second-factor/totp/${app.id}`)
      const responses = await Promise.all(
        left.map((path, n) => services[n === 0 ? 0 : 1].send('DELETE', path, undefined, watch)),
      )
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204])
      const { factors, credentials } = (await scene.users.findById(id)) ?? {}
      expect([factors, credentials]).toEqual([[], []])
      const told = () =>
        services.flatMap(({ mails }) => mails).filter(({ kind }) => kind === 'factor-removed')
      await expect.poll(() => told().length).toBe(3)
      expect(await whoIs(service, await logIn(service))).toBe('alice')
      expect(codes).toHaveLength(10)
    },
  )

  rule(
    'SFA-19',
    {
      tried:
        'a thief at an unlocked browser who adds an app, creates recovery codes, and moves the address; then each lockdown link, “it was not me” and undo; and both for an account whose only factor is three days old',
      expected:
        'everything the thief added is gone, with sessions, pending logins, remembered devices and the password; the earlier app stays and is required, and its owner can add the rest again; a recent factor goes with its recovery codes',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const kindsOf = async (id: string) => {
        const { factors, credentials } = (await scene.users.findById(id)) ?? {}
        return [factors, credentials?.map(({ kind }) => kind)]
      }
      const lastMail = async (kind: string, address: string) => {
        const found = () =>
          service.mails.findLast((mail) => mail.kind === kind && mail.to.address === address)
        await expect.poll(found).toBeDefined()
        const mail = found()
        if (mail === undefined) throw new Error('no email arrived')
        service.mails.splice(0)
        return linkTarget(mail)
      }
      for (const [username, link] of [
        ['anna', 'not-me'],
        ['ben', 'undo'],
      ] as const) {
        const id = await newUser(service, username)
        const address = `${username}@example.org`
        const begin = () => firstStep(service, { username })
        const { secret: phone, codes } = await enroll(service, await logIn(service, username))
        await scene.wait(30 * day)
        const body = { code: codeOf(phone), remember_device: true }
        const done = await service.send('POST', '/login/second-factor/', body, as(await begin()))
        const device = cookieNamed(done, 'session-remembered')
        service.mails.splice(0)

        const { secret: theirs, cookie } = await enroll(service, cookieOf(done), 'My phone')
        const renewed = await service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie))
        const [theirCode = ''] = renewed.json().recovery_codes
        const pending = await begin()
        if (link === 'undo') {
          const moved = `mallory-${username}@example.org`
          await service.send('POST', '/change-email/', { email: moved }, as(cookie))
          expect((await service.send('POST', await lastMail('change-email', moved))).statusCode).toBe(200)
        }
        const kind = link === 'undo' ? 'email-changed' : 'recovery-codes-changed'
        expect((await service.send('POST', await lastMail(kind, address))).statusCode).toBe(200)

        expect(await kindsOf(id)).toEqual([['totp'], ['totp']])
        expect([await whoIs(service, cookie), await whoIs(service, cookieOf(done))]).toEqual([null, null])
        expect(said(await secondStep(service, pending, codeOf(theirs)))).toEqual(expired)
        const old = await service.send('POST', '/login/', { username, password: goodPassword })
        expect(said(old)).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
        const chosen = choice(goodPassword)
        expect(set(await service.send('POST', await lastMail('choose-password', address), chosen))).toEqual([
          'session-device',
        ])
        const owes = await service.send('POST', '/login/', { username, password: goodPassword }, as(device))
        expect([...said(owes), owes.json().factors]).toEqual([...owing, ['totp']])
        await scene.wait(minute)
        for (const code of [codeOf(theirs), theirCode, codes[0] ?? ''])
          expect(said(await secondStep(service, await begin(), code))).toEqual(wrong)
        const back = await secondStep(service, await begin(), codeOf(phone))
        expect(back.statusCode).toBe(200)
        await scene.wait(minute)
        const { cookie: added } = await enroll(service, cookieOf(back), 'Tablet')
        const fresh = await service.send('POST', '/second-factor/recovery-codes/', undefined, as(added))
        expect(fresh.json().recovery_codes).toHaveLength(10)
      }

      const id = await newUser(service)
      await enroll(service)
      await scene.wait(3 * day)
      expect((await service.send('POST', await lastMail('factor-added', email))).statusCode).toBe(200)
      expect(await kindsOf(id)).toEqual([[], []])
      await service.send('POST', await lastMail('choose-password', email), choice(goodPassword))
      await enroll(service, await logIn(service))
      expect(said(await service.send('POST', '/login/', password))).toEqual(owing)
    },
  )

  rule(
    'SFA-20',
    {
      tried:
        'an app and recovery codes from another system; a lockdown soon after the import; the same import again, after their owner has removed them; apps that can’t be carried over',
      expected:
        'the password alone doesn’t log in, and each code works once; the lockdown removes what was added since, and keeps what was imported; what was removed here stays removed; no user arrives without the factor they had',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
      const [one, two] = ['old-code-number-1', 'old-code-number-2']
      const known = {
        ...{ username: 'alice', email, isVerified: true, createdAt: '2024-01-02T03:04:05.678Z' },
        passwordHash: await service.hasher.hash(goodPassword),
      }
      const alice = { ...known, totp: { secret, name: 'Old phone' }, recoveryCodes: [one, two] }
      expect(await imported(scene, [secondFactor()], [alice])).toEqual([])
      const found = await scene.users.findByEmail(email)
      if (found === null) throw new Error('the user was not imported')
      for (const each of [secret, one, two]) expect(JSON.stringify(found)).not.toContain(each)
      const give = async (code: string) => secondStep(service, await firstStep(service), code)
      const code = codeOf(secret)
      const cookie = cookieOf(await give(code))
      expect([said(await give(code)), (await give(one)).statusCode, said(await give(one))]).toEqual([
        wrong,
        200,
        wrong,
      ])
      const shown = await service.send('GET', '/second-factor/', undefined, as(cookie))
      expect(shown.json()).toMatchObject({
        recovery_codes_left: 1,
        apps: [{ name: 'Old phone', created_at: known.createdAt, last_used_at: expect.stringMatching(/Z$/) }],
      })
      expect(said(await service.send('POST', '/confirm/', { password: goodPassword }, as(cookie)))).toEqual(
        unconfirmed,
      )

      await enroll(service, cookie, 'Theirs')
      expect((await service.send('POST', linkTarget(await service.mail('factor-added')))).statusCode).toBe(
        200,
      )
      const after = await scene.users.findById(found.id)
      expect(after?.credentials.map(({ kind, name = null }) => [kind, name])).toEqual([
        ['totp', 'Old phone'],
        ['recovery-code', null],
      ])
      await service.send('POST', linkTarget(await service.mail('choose-password')), choice(goodPassword))
      await scene.wait(minute)
      const owner = cookieOf(await give(codeOf(secret)))
      expect((await service.send('DELETE', '/second-factor/totp/', undefined, as(owner))).statusCode).toBe(
        204,
      )
      expect(await imported(scene, [secondFactor()], [alice])).toEqual([])
      const { factors, credentials } = (await scene.users.findById(found.id)) ?? {}
      expect([factors, credentials?.map(({ kind }) => kind)]).toEqual([[], []])

      const other = { ...known, username: 'bob', email: 'bob@example.org', totp: secret }
      const bad: object[] = [
        { ...other, totp: { secret, digits: 8 } },
        { ...other, totp: 'otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP' },
        { ...other, isVerified: false },
        { ...other, totp: undefined, recoveryCodes: [one] },
      ]
      expect(await imported(scene, [secondFactor()], bad)).toEqual([
        'totp: has codes of 8 digits; only 6 are supported',
        'totp: is not an otpauth://totp/ URL',
        'isVerified: a second factor requires a verified address',
        'recoveryCodes: require a second factor',
      ])
      expect(await scene.users.findByEmail(other.email)).toBeNull()
    },
  )

  storage(
    'SFA-21',
    {
      tried:
        'a pending login, an unused code, a remembered device and an unfinished app setup across a restart, also with a new secret in front of the old one; a used code if the server’s clock is set back by a step, and by an hour',
      expected:
        'everything pending continues, each code once; the clock makes neither a used code nor an earlier one valid again',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const { secret, codes } = await withFactor(service)
      const body = { code: codes[0] ?? '', remember_device: true }
      const done = await service.send('POST', '/login/second-factor/', body, as(await firstStep(service)))
      const device = cookieNamed(done, 'session-remembered')
      const session = cookieOf(done)
      const begun = (await service.send('POST', '/second-factor/totp/', undefined, as(session))).json()
      const waiting = await firstStep(service)
      const code = codeOf(secret)

      const rotated = ['YW5vdGhlci1zZWNyZXQtb2YtZW5vdWdoLWJ5dGVzLWhlcmU', serviceSecret]
      const restarted = await startOn(scene, { secret: rotated })
      const skips = async () =>
        (await restarted.send('POST', '/login/', password, as(device))).statusCode === 200
      expect((await secondStep(restarted, waiting, code)).statusCode).toBe(200)
      for (const at of [restarted, service])
        expect(said(await secondStep(at, await firstStep(at), code))).toEqual(wrong)
      expect(await skips()).toBe(true)
      const confirm = { code: codeOf(begun.secret, -1), token: begun.token }
      const added = await restarted.send('POST', '/second-factor/totp/confirm/', confirm, as(session))
      expect(added.statusCode).toBe(200)
      expect(await skips()).toBe(false)

      await scene.wait(minute)
      const used = [codeOf(secret, -1), codeOf(secret)]
      expect((await secondStep(service, await firstStep(service), used[1] ?? '')).statusCode).toBe(200)
      for (const back of [30_000, 60 * minute]) {
        vi.setSystemTime(Date.now() - back)
        for (const each of [...used, codeOf(secret), codeOf(secret, -1)])
          expect([back, ...said(await secondStep(restarted, await firstStep(restarted), each))]).toEqual([
            back,
            ...wrong,
          ])
        vi.setSystemTime(Date.now() + back)
      }
      await scene.wait(30_000)
      expect((await secondStep(service, await firstStep(service), codeOf(secret))).statusCode).toBe(200)
    },
  )

  storage(
    'SFA-22',
    {
      tried:
        'staff who remove the factors while other things are pending: an app being set up, a pending login, a remembered device, recovery codes, a session; at the same time as a code in another process; twice, and for a user who has none',
      expected:
        'everything that depended on the factors is invalid, the password alone logs in, and a factor can be turned on like the first one; the owner is notified once',
    },
    async (scene) => {
      await holdClock(scene)
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service, other] = services
      const { id, secret, codes } = await withFactor(service)
      await service.app.accounts.createUser({ username: 'manager', password: goodPassword, isStaff: true })
      const body = { code: codes[0] ?? '', remember_device: true }
      const done = await service.send('POST', '/login/second-factor/', body, as(await firstStep(service)))
      const session = as(cookieOf(done))
      const begun = (await service.send('POST', '/second-factor/totp/', undefined, session)).json()
      const [racing, pending] = [await firstStep(service), await firstStep(service)]

      const staff = as(await logIn(service, 'manager'))
      const remove = (at: Service) => at.send('POST', `/user/${id}/second-factor/reset/`, undefined, staff)
      const [removed, raced] = await Promise.all([remove(service), secondStep(other, racing, codes[1] ?? '')])
      expect(removed.statusCode).toBe(204)
      // Either may have come first.
      expect([200, 401]).toContain(raced.statusCode)
      const { factors, credentials } = (await scene.users.findById(id)) ?? {}
      expect([factors, credentials]).toEqual([[], []])
      for (const code of [codeOf(secret), codes[2] ?? ''])
        expect(said(await secondStep(service, pending, code))).toEqual(expired)
      const confirm = { code: codeOf(begun.secret, -1), token: begun.token }
      const late = await service.send('POST', '/second-factor/totp/confirm/', confirm, session)
      expect(late.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'token', code: 'invalid' }] })
      expect([(await remove(other)).statusCode, (await remove(service)).statusCode]).toEqual([204, 204])
      await service.mail('factor-removed')
      for (const each of services) await each.settle()
      const told = services.flatMap(({ mails }) => mails).filter(({ kind }) => kind === 'factor-removed')
      expect(told.map(({ to }) => to.address)).toEqual([email])

      const again = await enroll(service, await logIn(service))
      expect(again.codes).toHaveLength(10)
      expect(await whoIs(service, cookieOf(done))).toBeNull()
      const owes = as(cookieNamed(done, 'session-remembered'))
      expect(said(await service.send('POST', '/login/', password, owes))).toEqual(owing)
      await scene.wait(minute)
      for (const code of [codeOf(secret), codes[3] ?? ''])
        expect(said(await secondStep(service, await firstStep(service), code))).toEqual(wrong)
      expect((await secondStep(service, await firstStep(service), codeOf(again.secret))).statusCode).toBe(200)
    },
  )

  rule(
    'SFA-23',
    {
      tried:
        'the examples in the OpenAPI document, of two services with different secrets, before and after someone has turned an app on',
      expected: 'the same text for everyone: no secret, code or token that was ever issued',
    },
    async (scene) => {
      const routes: (() => unknown)[] = []
      const host: Host = {
        before: (app) =>
          app.addHook('onRoute', ({ method, url, config, schema }) => {
            const { swaggerTransform } = (config ?? {}) as { swaggerTransform?: (asked: object) => unknown }
            if (swaggerTransform && method !== 'HEAD')
              routes.push(() => {
                // The components are added to the document.
                const openapiObject = { openapi: '3.1.0' }
                return [swaggerTransform({ schema, url, openapiObject }), openapiObject]
              })
          }),
      }
      const documented = () => routes.map((describe) => JSON.stringify(describe()))
      const service = await startOn(scene, {}, {}, host)
      const before = documented()
      const { secret, codes } = await withFactor(service)
      const pending = await firstStep(service)
      await secondStep(service, pending, codes[0] ?? '')
      const after = documented()
      expect(after).toEqual(before)
      routes.length = 0
      await startOn(scene, { secret: 'YW5vdGhlci1zZWNyZXQtb2YtZW5vdWdoLWJ5dGVzLWhlcmU' }, {}, host)
      expect(documented()).toEqual(before)
      const text = before.join()
      expect(text).toContain('recovery_codes')
      for (const each of [secret, serviceSecret, ...codes, pending.split('=')[1] ?? ''])
        expect(text).not.toContain(each)
    },
  )

  rule(
    'SFA-24',
    {
      tried:
        'an app turned off by a hundred wrong codes, and another one added since: one owner removes the app that is off, another the one that works',
      expected:
        'the app that is off is removed alone; with the last working app it is removed as well, and so are the recovery codes: no user must give a factor they don’t have',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      for (const username of ['anna', 'ben']) {
        const id = await newUser(service, username)
        const first = await enroll(service, await logIn(service, username))
        const pending = await firstStep(service, { username })
        for (let n = 0; n < 100; n += 1) await secondStep(service, pending, 'AAAA')
        expect(said(await secondStep(service, pending, codeOf(first.secret)))).toEqual(wrong)
        await scene.wait(minute)
        const second = await enroll(service, first.cookie, 'Tablet')
        const kept = async () => {
          const { factors, credentials } = (await scene.users.findById(id)) ?? {}
          return [factors, credentials?.map(({ kind, name = null }) => [kind, name])]
        }
        const { apps } = (
          await service.send('GET', '/second-factor/', undefined, as(second.cookie))
        ).json() as { apps: { id: string; name: string }[] }
        const [off, on] = apps
        const removed = username === 'anna' ? off : on
        const response = await service.send(
          'DELETE',
          `/second-factor/totp/${removed?.id}`,
          undefined,
          as(second.cookie),
        )
        expect(response.statusCode).toBe(204)
        if (username === 'anna') {
          expect(await kept()).toEqual([
            ['totp'],
            [...Array(10).fill(['recovery-code', null]), ['totp', 'Tablet']],
          ])
          const done = await secondStep(
            service,
            await firstStep(service, { username }),
            codeOf(second.secret),
          )
          expect(done.statusCode).toBe(200)
        } else {
          expect(await kept()).toEqual([[], []])
          expect(await whoIs(service, await logIn(service, username))).toBe(username)
        }
      }
    },
  )

  rule(
    'SFA-25',
    {
      tried:
        'wrong codes in a stolen session, then behind the stolen password, and again after the owner’s next login',
      expected:
        'the third wrong code in a row is told, wherever it was entered, and no other until a right one',
    },
    async (scene) => {
      await holdClock(scene)
      const service = await startOn(scene)
      const { cookie, codes } = await withFactor(service)
      const told = async () => {
        await service.settle()
        await scene.wait(5000)
        await service.settle()
        return service.mails.filter(({ kind }) => kind === 'factor-guessed').length
      }
      const numbers = []
      for (let n = 0; n < 2; n += 1) await service.send('POST', '/confirm/', { code: '000000' }, as(cookie))
      numbers.push(await told())
      await service.send('POST', '/confirm/', { code: '000000' }, as(cookie))
      const { text } = await service.mail('factor-guessed')
      expect(text).not.toContain('logged in to your account')
      for (let n = 0; n < 4; n += 1) await secondStep(service, await firstStep(service), '000000')
      numbers.push(await told())
      expect((await secondStep(service, await firstStep(service), codes[0] ?? '')).statusCode).toBe(200)
      for (let n = 0; n < 3; n += 1) await secondStep(service, await firstStep(service), '000000')
      await expect.poll(told).toBe(2)
      expect(numbers).toEqual([0, 1])
    },
  )
})
