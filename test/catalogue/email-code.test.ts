import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  whoIs,
} from '@fastify-accounts/test-support/app'
import {
  askCode,
  askConfirmation,
  askedCookie,
  codeIn,
  confirmationCode,
  confirmBy,
  email,
  giveCode,
  isConfirmed,
  logInByCode,
  newCode,
  otherThan,
} from '@fastify-accounts/test-support/email-code'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { secondFactor, type UserChanges } from 'fastify-accounts'
import { expect, vi } from 'vitest'
import { noPassword } from '../../packages/accounts/src/user.js'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const minute = 60_000
const on = { login: { emailCode: true }, adapterTimeout: 10 * minute }

/** Stands for another process: shares nothing but the stores. */
async function startOn({ start }: Scene, options: Parameters<Scene['start']>[0] = {}): Promise<Service> {
  return start({ ...on, ...options })
}

async function withAlice(service: Service, isVerified = true): Promise<string> {
  const alice = { username: 'alice', password: goodPassword, email, isVerified }
  const { id } = await service.app.accounts.createUser(alice)
  return id
}

/** A session of alice without a recent confirmation; her account has no password. */
async function staleSession(scene: Scene, service: Service): Promise<string> {
  await withoutPassword(scene, await withAlice(service))
  const cookie = await logInByCode(service)
  await scene.wait(16 * minute)
  return cookie
}

const withoutPassword = (scene: Scene, id: string) => change(scene, id, { passwordHash: noPassword })

async function change({ users }: Scene, id: string, changes: UserChanges): Promise<void> {
  const { version = 0 } = (await users.findById(id)) ?? {}
  expect(await users.update(id, changes, version)).not.toBeNull()
}

cases('Codes by email', ({ rule, storage }) => {
  storage(
    'COD-01',
    {
      tried:
        'one code used twenty times concurrently in two processes, also by copies of the cookie, and once more later',
      expected: 'one login; everything else is rejected',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      await withAlice(services[0])
      const asked = await newCode(services[0])
      expect(asked.code).toMatch(
        /^[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{4}-[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{4}$/,
      )
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => giveCode(services[n % 2 === 0 ? 0 : 1], asked)),
      )
      const statuses = responses.map(({ statusCode }) => statusCode).sort()
      expect(statuses).toEqual([200, ...Array(19).fill(401)])
      expect((await giveCode(services[1], asked)).statusCode).toBe(401)
    },
  )

  storage(
    'COD-02',
    {
      tried: 'wrong codes from many copies of the cookie concurrently, in two processes, with no other limit',
      expected: 'three attempts: after that even the correct code is rejected',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      await withAlice(services[0])
      for (const [mistakes, status] of [
        [3, 401],
        [2, 200],
      ] as const) {
        const mistyped = await newCode(services[0])
        for (let n = 0; n < mistakes; n += 1)
          await giveCode(services[0], { ...mistyped, code: otherThan(mistyped.code) })
        expect((await giveCode(services[0], mistyped)).statusCode).toBe(status)
      }
      const asked = await newCode(services[0])
      const guess = { ...asked, code: otherThan(asked.code) }
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => giveCode(services[n % 2 === 0 ? 0 : 1], guess)),
      )
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(401))
      expect((await giveCode(services[0], asked)).statusCode).toBe(401)
    },
  )

  rule(
    'COD-03',
    {
      tried:
        'a correct code in a browser that hasn’t requested one, or requested one for another address or earlier',
      expected: '401, and the code still works where it was requested',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withAlice(service)
      const earlier = await askCode(service)
      await service.mail('login-code')
      await scene.wait(1000)
      const asked = await newCode(service)
      const others = [
        'session-code=',
        `${asked.cookie}x`,
        earlier,
        await askCode(service, 'nobody@example.org'),
      ]
      for (const cookie of others)
        expect((await giveCode(service, { ...asked, cookie })).statusCode).toBe(401)
      expect((await giveCode(service, asked)).statusCode).toBe(200)
    },
  )

  rule(
    'COD-04',
    {
      tried: 'guesses at code after fresh code, from many addresses; then the owner on a known device',
      expected:
        'one budget for all of them; once it is spent the correct code is rejected, but on the known device',
    },
    async (scene) => {
      const limits = { loginCode: { max: 5, window: 60 * minute } }
      const service = await startOn(scene, { throttle: { limits } })
      await withAlice(service)
      const home = await giveCode(service, await newCode(service))
      const device = home.cookies.find(({ name }) => name.endsWith('device'))
      for (let n = 0; n < 3; n += 1) {
        const asked = await newCode(service)
        const guess = { ...asked, code: otherThan(asked.code) }
        for (let each = 0; each < 2; each += 1) await giveCode(service, guess)
      }
      const late = await newCode(service)
      expect((await giveCode(service, late)).json()).toMatchObject({
        ...{ statusCode: 429, code: 'ACCOUNTS_THROTTLED' },
      })
      const cookie = `${late.cookie}; ${device?.name}=${device?.value}`
      expect((await giveCode(service, { ...late, cookie })).statusCode).toBe(200)
      await scene.wait(60 * minute)
      expect((await giveCode(service, await newCode(service))).statusCode).toBe(200)
    },
  )

  rule(
    'COD-05',
    {
      tried:
        'a code after another one was used, a new password, a reset, disabling and enabling, a change of address, and after it expired',
      expected: '401 each time',
    },
    async (scene) => {
      const service = await startOn(scene)
      const id = await withAlice(service)
      const { accounts } = service.app
      const ends: (() => Promise<unknown>)[] = [
        async () => giveCode(service, await newCode(service)),
        () => accounts.setPassword(id, otherPassword),
        async () => service.send('POST', await resetLink(service, email), choice(goodPassword)),
        async () => {
          await accounts.updateUser(id, { isActive: false })
          await accounts.updateUser(id, { isActive: true })
        },
        () => scene.wait(10 * minute),
        async () => {
          const { version = 0 } = (await scene.users.findById(id)) ?? {}
          const address = 'alice@example.net'
          await scene.users.update(id, { email: address, emailKey: address }, version)
        },
      ]
      for (const end of ends) {
        const asked = await newCode(service)
        await service.settle()
        await scene.wait(1000)
        await end()
        expect((await giveCode(service, asked)).statusCode).toBe(401)
      }
    },
  )

  storage(
    'COD-06',
    { tried: 'a code across a restart, in its last millisecond', expected: 'it logs in, once' },
    async (scene) => {
      // Stops the clock.
      await scene.wait(0)
      const service = await startOn(scene)
      await withAlice(service)
      const asked = await newCode(service)
      expect(asked.mail.text).toContain('10 minutes')
      await service.settle()
      await service.app.close()
      const next = await startOn(scene)
      await scene.wait(10 * minute - 1)
      expect(await whoIs(next, cookieOf(await giveCode(next, asked)))).toBe('alice')
      expect((await giveCode(next, asked)).statusCode).toBe(401)
    },
  )

  rule(
    'COD-07',
    {
      tried: 'a code for an account with a second factor',
      expected: 'no session; the code is used up, and a pending login elsewhere is unaffected',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [secondFactor()] })
      await withAlice(service)
      const { codes } = await enroll(service)
      const first = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
      const waiting = first.cookies.find(({ name }) => name === 'session-pending')
      const asked = await newCode(service)
      const owing = await giveCode(service, asked)
      expect(owing.json().code).toBe('ACCOUNTS_SECOND_FACTOR_REQUIRED')
      expect(owing.cookies.some(({ name }) => name === 'session')).toBe(false)
      expect((await giveCode(service, asked)).json().code).toBe('ACCOUNTS_INVALID_CODE')
      const headers = { cookie: `session-pending=${waiting?.value}` }
      const done = await service.send('POST', '/login/second-factor/', { code: codes[0] ?? '' }, { headers })
      expect(done.statusCode).toBe(200)
    },
  )

  rule(
    'COD-08',
    {
      tried:
        'two codes each for addresses with an account, with a disabled one and without one, and wrong codes entered',
      expected: 'one response, with the same cookies and the same number of store calls',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withAlice(service)
      const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true }
      const { id } = await service.app.accounts.createUser(bob)
      await service.app.accounts.updateUser(id, { isActive: false })
      const seen: string[] = []
      for (const address of [email, bob.email, 'nobody@example.org']) {
        const headers = { cookie: await askCode(service, address) }
        const response = await service.send('POST', '/login/code/', { email: address }, { headers })
        const [cookie] = response.cookies
        await service.settle()
        const calls = (['findByEmail', 'findById', 'update'] as const).map((name) =>
          vi.spyOn(service.users, name),
        )
        const refused = await giveCode(service, {
          cookie: `${cookie?.name}=${cookie?.value}`,
          code: 'AAAA-AAAA',
        })
        const counts = calls.map(({ mock }) => mock.calls.length)
        for (const spy of calls) spy.mockRestore()
        expect(counts[0]).toBe(1)
        const { headers: _, ...named } = { ...response, name: cookie?.name }
        seen.push(JSON.stringify([named.statusCode, response.body, named.name, refused.body, counts]))
      }
      expect(new Set(seen).size).toBe(1)
    },
  )

  rule(
    'COD-09',
    {
      tried: 'finding the code in the log, on the account, and in the cookie',
      expected: 'it is only in the email',
    },
    async (scene) => {
      const service = await startOn(scene)
      const id = await withAlice(service)
      const asked = await newCode(service)
      await service.send('GET', linkPath(asked.mail))
      await giveCode(service, asked)
      const record = JSON.stringify(await scene.users.findById(id))
      for (const each of [asked.code, asked.code.replace('-', '')])
        for (const place of [scene.log.text(), record, asked.cookie]) expect(place).not.toContain(each)
    },
  )

  rule(
    'COD-10',
    {
      tried: 'an account that someone created with another person’s address, who then logs in by code',
      expected: 'the creator’s password and sessions are gone',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withAlice(service, false)
      const squatter = await logIn(service)
      const done = await giveCode(service, await newCode(service))
      expect(done.json()).toMatchObject({ username: 'alice', is_verified: true })
      expect(await whoIs(service, squatter)).toBeNull()
      const again = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
      expect(again.statusCode).toBe(401)
    },
  )

  rule(
    'COD-11',
    {
      tried: 'the link in the email opened by a scanner, and in another browser',
      expected: 'nobody is logged in, and the code still works where it was requested',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withAlice(service)
      const asked = await newCode(service)
      for (const method of ['HEAD', 'GET', 'POST'] as const) {
        const response = await service.send(method, linkPath(asked.mail))
        expect(response.cookies.some(({ name }) => name === 'session')).toBe(false)
      }
      const opened = await service.send('GET', linkPath(asked.mail), undefined, {
        headers: { cookie: asked.cookie },
      })
      expect(opened.cookies).toEqual([])
      expect((await giveCode(service, asked)).statusCode).toBe(200)
    },
  )

  storage(
    'COD-12',
    {
      tried: 'one confirmation code used twenty times concurrently in two processes, and once more later',
      expected: 'one confirmation, and one session continues',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const cookie = await staleSession(scene, services[0])
      expect(await isConfirmed(services[0], cookie)).toBe(false)
      const code = await confirmationCode(services[0], cookie)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => confirmBy(services[n % 2 === 0 ? 0 : 1], cookie, code)),
      )
      const done = responses.filter(({ statusCode }) => statusCode === 204)
      expect(done).toHaveLength(1)
      // Later requests find the code used, or their session replaced.
      for (const { statusCode } of responses) expect([204, 400, 401]).toContain(statusCode)
      const sessions = responses.flatMap(({ cookies }) =>
        cookies.filter(({ name, value }) => name === 'session' && value),
      )
      expect(sessions).toHaveLength(1)
      const [again = ''] = done.map(cookieOf)
      expect([await isConfirmed(services[0], cookie), await isConfirmed(services[0], again)]).toEqual([
        false,
        true,
      ])
      expect((await confirmBy(services[1], again, code)).json()).toMatchObject({
        code: 'ACCOUNTS_INVALID_INPUT',
        fields: [{ field: 'email_code', code: 'incorrect' }],
      })
    },
  )

  rule(
    'COD-13',
    {
      tried: 'a confirmation code in another session of the account, in another account, and as a login code',
      expected: 'rejected, and the code still works in the session that requested it',
    },
    async (scene) => {
      const service = await startOn(scene)
      const cookie = await staleSession(scene, service)
      const other = await logInByCode(service)
      const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true }
      await withoutPassword(scene, (await service.app.accounts.createUser(bob)).id)
      const others = [other, await logInByCode(service, bob.email)]
      const login = await newCode(service)
      const code = await confirmationCode(service, cookie)
      // More often than the code may be tried where it was requested.
      for (const each of [...others, ...others])
        for (let n = 0; n < 2; n += 1) expect((await confirmBy(service, each, code)).statusCode).toBe(400)
      expect((await giveCode(service, { ...login, code })).statusCode).toBe(401)
      expect((await confirmBy(service, cookie, login.code)).statusCode).toBe(400)
      expect((await giveCode(service, login)).statusCode).toBe(200)
      expect((await confirmBy(service, cookie, code.toLowerCase().replace('-', ' '))).statusCode).toBe(204)
    },
  )

  storage(
    'COD-14',
    {
      tried: 'wrong confirmation codes, twenty concurrently in two processes, with no other limit',
      expected: 'three attempts: after that even the correct code is rejected',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const stale = await staleSession(scene, services[0])
      const mistyped = await confirmationCode(services[0], stale)
      for (let n = 0; n < 2; n += 1) await confirmBy(services[0], stale, otherThan(mistyped))
      const cookie = cookieOf(await confirmBy(services[0], stale, mistyped))
      const code = await confirmationCode(services[0], cookie)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          confirmBy(services[n % 2 === 0 ? 0 : 1], cookie, otherThan(code)),
        ),
      )
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(400))
      expect((await confirmBy(services[0], cookie, code)).statusCode).toBe(400)
    },
  )

  rule(
    'COD-15',
    {
      tried:
        'confirming by emailed code if the account has a password, a second factor, or an unverified address, from before and since the code was emailed',
      expected: '403 when it is requested, and when it is submitted',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [secondFactor()] })
      const id = await withAlice(service)
      const { passwordHash = '' } = (await scene.users.findById(id)) ?? {}
      const [cookie, plain] = [
        await logIn(service),
        { passwordHash: noPassword, isVerified: true, factors: [] },
      ]
      expect((await service.send('POST', '/confirm/code/')).statusCode).toBe(401)
      for (const [something, refusal] of [
        [{ passwordHash }, 'ACCOUNTS_CONFIRMATION_REQUIRED'],
        [{ factors: ['totp'] }, 'ACCOUNTS_CONFIRMATION_REQUIRED'],
        [{ isVerified: false }, 'ACCOUNTS_NOT_VERIFIED'],
      ] as const) {
        await change(scene, id, plain)
        const code = await confirmationCode(service, cookie)
        await change(scene, id, something as UserChanges)
        const asked = await askConfirmation(service, cookie)
        expect(asked.json().code).toBe(refusal)
        for (const response of [asked, await confirmBy(service, cookie, code)])
          expect([response.statusCode, response.cookies]).toEqual([403, []])
      }
    },
  )

  rule(
    'COD-16',
    {
      tried:
        'a confirmation code after a change of address, a new password, and after it expired; and finding it in the log and on the account',
      expected: 'rejected each time; it is only in the email',
    },
    async (scene) => {
      const service = await startOn(scene)
      const cookie = await staleSession(scene, service)
      const id = (await scene.users.findByEmail(email))?.id ?? ''
      const ends: (() => Promise<unknown>)[] = [
        () => scene.wait(10 * minute),
        () => change(scene, id, { email: 'alice@example.net', emailKey: 'alice@example.net' }),
        () => service.app.accounts.setPassword(id, otherPassword),
      ]
      for (const end of ends) {
        const code = await confirmationCode(service, cookie)
        await service.settle()
        await scene.wait(1000)
        await end()
        const response = await confirmBy(service, cookie, code)
        expect([400, 401]).toContain(response.statusCode)
        const record = JSON.stringify(await scene.users.findById(id))
        for (const place of [scene.log.text(), record])
          for (const each of [code, code.replace('-', '')]) expect(place).not.toContain(each)
      }
    },
  )

  storage(
    'COD-17',
    {
      tried:
        'strangers request codes in two processes until the limit is reached, also with the cookie of another account’s device; then the owner does, on a device where they have logged in and on another one',
      expected:
        'five go out in an hour, no matter who requests them; the owner’s device has its own five, which nobody else can use up, and the code logs in',
    },
    async (scene) => {
      const services = [
        await startOn(scene, { throttle: {} }),
        await startOn(scene, { throttle: {} }),
      ] as const
      const [service, other] = services
      const mallory = { username: 'mallory', password: goodPassword }
      await withAlice(service)
      await service.app.accounts.createUser(mallory)
      const deviceOf = async (username: string) => {
        const { cookies } = await service.send('POST', '/login/', { username, password: goodPassword })
        const device = cookies.find(({ name }) => name.endsWith('-device'))
        return { headers: { cookie: `${device?.name}=${device?.value}` } }
      }
      const [owner, stranger] = [await deviceOf('alice'), await deviceOf('mallory')]
      const comes = async (at: Service, headers: object) => {
        for (const { mails } of services) mails.length = 0
        const asked = await at.send('POST', '/login/code/', { email }, headers)
        expect([asked.statusCode, askedCookie(asked)]).toEqual([
          202,
          expect.stringContaining('session-code='),
        ])
        for (let n = 0; n < 3; n += 1) for (const each of services) await each.settle()
        const [mail] = services.flatMap(({ mails }) => mails)
        return { asked, mail }
      }
      for (let n = 0; n < 5; n += 1)
        expect((await comes(services[n % 2 === 0 ? 0 : 1], n < 3 ? {} : stranger)).mail?.kind).toBe(
          'login-code',
        )
      for (const headers of [{}, stranger]) expect((await comes(other, headers)).mail).toBeUndefined()
      await scene.wait(1000)
      for (let n = 0; n < 4; n += 1) expect((await comes(service, owner)).mail?.kind).toBe('login-code')
      await scene.wait(1000)
      const { asked, mail } = await comes(other, owner)
      if (mail === undefined) throw new Error('no email arrived')
      expect((await comes(service, owner)).mail).toBeUndefined()
      expect((await comes(service, {})).mail).toBeUndefined()
      const login = { cookie: askedCookie(asked), code: codeIn(mail) }
      expect((await giveCode(service, login)).statusCode).toBe(200)
      await scene.wait(60 * minute)
      expect((await comes(other, {})).mail?.kind).toBe('login-code')
    },
  )

  storage(
    'COD-18',
    {
      tried:
        'strangers request codes for the address of someone who has requested one: nine concurrently in two processes, with wrong codes entered there and the owner’s among them; an eleventh; the remaining codes once one was used',
      expected:
        'the owner’s code logs in, only in the owner’s browser; each has three attempts of its own; the first of eleven is dropped, and using one ends all',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service, other] = services
      const id = await withAlice(service)
      const kept = async () =>
        (await scene.users.findById(id))?.credentials.filter(({ kind }) => kind === 'login-code') ?? []
      /** Requests codes from `count` browsers concurrently; the codes are in no particular order. */
      const askAtOnce = async (count: number) => {
        for (const { mails } of services) mails.length = 0
        const cookies = await Promise.all(
          Array.from({ length: count }, (_, n) => askCode(services[n % 2 === 0 ? 0 : 1])),
        )
        const mails = () => services.flatMap((each) => each.mails)
        await expect
          .poll(async () => {
            for (const each of services) await each.settle()
            return mails().length
          })
          .toBe(count)
        return { cookies, codes: mails().map(codeIn) }
      }
      const own = await newCode(service)
      await service.settle()
      await scene.wait(1000)
      const { cookies, codes } = await askAtOnce(9)
      expect(await kept()).toHaveLength(10)
      for (const cookie of cookies.slice(0, 3)) {
        const responses = await Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            giveCode(services[n % 2 === 0 ? 0 : 1], { cookie, code: own.code }),
          ),
        )
        expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(401))
      }
      expect((await kept()).map(({ left }) => left).sort()).toEqual([0, 0, 0, ...Array(7).fill(3)])
      for (const code of codes.slice(0, 2))
        expect((await giveCode(other, { cookie: own.cookie, code })).statusCode).toBe(401)
      expect((await giveCode(other, own)).json()).toMatchObject({ username: 'alice' })
      expect((await kept()).map(({ left }) => left)).toEqual([0])
      for (const cookie of cookies)
        for (const code of codes) expect((await giveCode(service, { cookie, code })).statusCode).toBe(401)

      const first = await newCode(service)
      await service.settle()
      await scene.wait(1000)
      const second = await newCode(service)
      await service.settle()
      await scene.wait(1000)
      await askAtOnce(9)
      expect(await kept()).toHaveLength(10)
      expect((await giveCode(other, first)).statusCode).toBe(401)
      expect((await giveCode(other, second)).statusCode).toBe(200)
    },
  )

  rule(
    'COD-19',
    {
      tried:
        'several codes requested in one browser: the first entered, there and with the cookie from before; a wrong one three times; a sixth request; a request for another address',
      expected:
        'each logs in where it was requested, and using one ends all; a wrong one counts against each, so several give no more attempts; the browser keeps five, of one address',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withAlice(service)
      /** Requests codes in one browser, whose cookie is then that of the last. */
      const askTimes = async (count: number) => {
        const asked: Awaited<ReturnType<typeof newCode>>[] = []
        for (let n = 0; n < count; n += 1) {
          await scene.wait(1000)
          asked.push(await newCode(service, email, asked.at(-1)?.cookie))
          await service.settle()
        }
        const paths = asked.map(({ mail }) => linkPath(mail))
        return { paths, codes: asked.map(({ code }) => code), cookies: asked.map(({ cookie }) => cookie) }
      }
      const statusOf = async (cookie = '', code = '') =>
        (await giveCode(service, { cookie, code })).statusCode

      const two = await askTimes(2)
      expect(await statusOf(two.cookies[0], two.codes[1])).toBe(401)
      expect(await statusOf(two.cookies[1], two.codes[0])).toBe(200)
      for (const cookie of two.cookies)
        for (const code of two.codes) expect(await statusOf(cookie, code)).toBe(401)

      const tried = await askTimes(2)
      for (let n = 0; n < 3; n += 1)
        expect(await statusOf(tried.cookies[1], otherThan(tried.codes[0] ?? ''))).toBe(401)
      for (const code of tried.codes) expect(await statusOf(tried.cookies[1], code)).toBe(401)

      const six = await askTimes(6)
      expect(await statusOf(six.cookies[5], six.codes[0])).toBe(401)
      const elsewhere = await askCode(service, 'nobody@example.org', six.cookies[5])
      expect(await statusOf(elsewhere, six.codes[5])).toBe(401)
      const headers = { cookie: elsewhere }
      const shown = await service.send('GET', six.paths[5] ?? '', undefined, { headers })
      expect(shown.json()).toMatchObject({ same_browser: false })
      expect(await statusOf(six.cookies[5], six.codes[1])).toBe(200)
    },
  )

  rule(
    'COD-20',
    {
      tried:
        'two confirmation codes requested in one session: the first, after the second; wrong ones before it; the other one after one was used',
      expected:
        'each confirms, and using one ends both; a wrong one counts against each: after three, neither confirms',
    },
    async (scene) => {
      const service = await startOn(scene)
      let cookie = await staleSession(scene, service)
      for (const [mistakes, status] of [
        [2, 204],
        [3, 400],
      ] as const) {
        const first = await confirmationCode(service, cookie)
        await service.settle()
        await scene.wait(1000)
        const second = await confirmationCode(service, cookie)
        for (let n = 0; n < mistakes; n += 1)
          expect((await confirmBy(service, cookie, otherThan(first))).statusCode).toBe(400)
        const done = await confirmBy(service, cookie, first)
        expect(done.statusCode).toBe(status)
        if (status === 204) cookie = cookieOf(done)
        expect((await confirmBy(service, cookie, second)).statusCode).toBe(400)
      }
    },
  )
})
