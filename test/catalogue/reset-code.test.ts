import { goodPassword, linkPath, logIn, otherPassword, whoIs } from '@fastify-accounts/test-support/app'
import {
  askedCookie,
  askReset,
  email,
  giveCode,
  newCode,
  newResetCode,
  otherThan,
  resetByCode,
} from '@fastify-accounts/test-support/email-code'
import type { FastifyInstance } from 'fastify'
import { expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { choice, passwordsThatWork } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'

const minute = 60_000
const on = { login: { emailCode: true }, adapterTimeout: 10 * minute }
const third = 'the third password of this test'

/** Stands for another process: shares nothing but the stores. */
const startOn = async ({ start }: Scene, options: Parameters<Scene['start']>[0] = {}): Promise<Service> =>
  start({ ...on, ...options })

async function withUser(service: Service, name = 'alice', isVerified = true): Promise<string> {
  const user = { username: name, password: goodPassword, email: `${name}@example.org`, isVerified }
  return (await service.app.accounts.createUser(user)).id
}

const both = [goodPassword, otherPassword]

cases('Reset by code', ({ rule, storage }) => {
  rule(
    'RSC-01',
    {
      tried:
        'codes requested for addresses with an account, with a disabled one and without one; wrong codes entered, a fourth one too, with good and with bad passwords',
      expected:
        'one response each, with the same headers and cookies, the same store calls and no hash; the attempts end the same',
    },
    async (scene) => {
      const service = await startOn(scene, {
        throttle: { limits: { loginCode: { max: 5, window: 60 * minute } } },
      })
      await withUser(service)
      await service.app.accounts.updateUser(await withUser(service, 'bob'), { isActive: false })
      const asked: Awaited<ReturnType<Service['send']>>[] = []
      const refused: (typeof asked)[] = []
      const calls: unknown[] = []
      for (const name of ['nobody', 'alice', 'bob']) {
        const response = await service.send('POST', '/forgot/', { email: `${name}@example.org` })
        asked.push(response)
        const cookie = askedCookie(response, 'session-reset-code')
        await service.settle()
        const hashed = service.hasher.hashes + service.hasher.verifications
        const tries: typeof asked = []
        const spies = (['findByEmail', 'findById', 'update'] as const).map((each) =>
          vi.spyOn(service.users, each),
        )
        // The budget takes two more attempts than the code does.
        for (const password of [otherPassword, 'short', name, otherPassword, otherPassword, otherPassword]) {
          tries.push(await resetByCode(service, { cookie, code: 'AAAA-AAAA' }, password))
        }
        calls.push(spies.map(({ mock }) => mock.calls.length))
        for (const spy of spies) spy.mockRestore()
        refused.push(tries)
        expect(service.hasher.hashes + service.hasher.verifications).toBe(hashed)
      }
      const [unknown, ...others] = asked
      if (unknown !== undefined) expectAlike(unknown, ...others)
      const cookieNames = asked.map(({ cookies }) =>
        cookies.map(({ name, value }) => [name, value.length > 0]),
      )
      expect(new Set(cookieNames.map((each) => JSON.stringify(each))).size).toBe(1)
      const seen = refused.map((tries) =>
        tries.map(({ statusCode, headers, body }) => [statusCode, Object.keys(headers), body]),
      )
      expect(seen[0]?.map(([status]) => status)).toEqual([401, 401, 401, 401, 401, 429])
      for (const each of seen) expect(each).toEqual(seen[0])
      expect(new Set(calls.map((each) => JSON.stringify(each))).size).toBe(1)
    },
  )

  rule(
    'RSC-02',
    {
      tried:
        'a second request for the same address in the same browser, with and without an account; wrong codes after it; the codes of both, there and in another browser that requested one',
      expected:
        'the same responses, and the same store calls; each code sets a password, only in the browser that requested it, and using one ends all',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withUser(service)
      const responses: Awaited<ReturnType<Service['send']>>[] = []
      const calls: unknown[] = []
      for (const address of ['nobody@example.org', email]) {
        const headers = { cookie: await askReset(service, address) }
        await service.settle()
        const second = await service.send('POST', '/forgot/', { email: address }, { headers })
        responses.push(second)
        await service.settle()
        const spies = (['findByEmail', 'findById', 'update'] as const).map((each) =>
          vi.spyOn(service.users, each),
        )
        const cookie = askedCookie(second, 'session-reset-code')
        for (let n = 0; n < 4; n += 1)
          expect((await resetByCode(service, { cookie, code: 'AAAA-AAAA' })).statusCode).toBe(401)
        calls.push(spies.map(({ mock }) => mock.calls.length))
        for (const spy of spies) spy.mockRestore()
      }
      const [unknown, known] = responses
      if (unknown === undefined || known === undefined) throw new Error('no response')
      expectAlike(unknown, known)
      expect(calls[0]).toEqual(calls[1])

      for (const [entered, password] of [
        ['older', third],
        ['newer', otherPassword],
      ] as const) {
        await scene.wait(1000)
        const older = await newResetCode(service)
        const newer = await newResetCode(service, email, older.cookie)
        const elsewhere = await newResetCode(service)
        await service.settle()
        await scene.wait(1000)
        const { cookie } = newer
        for (const { code } of [older, newer])
          expect((await resetByCode(service, { ...elsewhere, code })).statusCode).toBe(401)
        expect((await resetByCode(service, { ...elsewhere, cookie })).statusCode).toBe(401)
        const { code } = { older, newer }[entered]
        expect((await resetByCode(service, { cookie, code }, password)).statusCode).toBe(204)
        for (const each of [{ ...older, cookie }, newer, elsewhere])
          expect((await resetByCode(service, each, goodPassword)).statusCode).toBe(401)
        expect(await passwordsThatWork(service, [...both, third])).toEqual([password])
      }
    },
  )

  rule(
    'RSC-03',
    {
      tried:
        'a correct code in a browser that hasn’t requested one, with a forged cookie, and with one for another address or in another realm',
      expected: '401, and the code still works where it was requested',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withUser(service)
      await withUser(service, 'mallory')
      const asked = await newResetCode(service)
      const others = [
        'session-reset-code=',
        `${asked.cookie}x`,
        await askReset(service, 'nobody@example.org'),
        await askReset(service, 'mallory@example.org'),
      ]
      for (const cookie of others)
        expect((await resetByCode(service, { ...asked, cookie })).statusCode).toBe(401)
      const realm = await startOn(scene, { session: { cookieName: 'other' } })
      const cookie = asked.cookie.replace('session-', 'other-')
      expect((await resetByCode(realm, { ...asked, cookie })).statusCode).toBe(401)
      expect(await passwordsThatWork(service, both)).toEqual([goodPassword])
      expect((await resetByCode(service, asked)).statusCode).toBe(204)
    },
  )

  storage(
    'RSC-04',
    {
      tried:
        'one code used twenty times concurrently in two processes, each with another password, and once more later',
      expected: 'one password is set; everything else is rejected',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      await withUser(services[0])
      const asked = await newResetCode(services[0])
      const passwords = Array.from({ length: 20 }, (_, n) => `password number ${n} of twenty`)
      const responses = await Promise.all(
        passwords.map((each, n) => resetByCode(services[n % 2 === 0 ? 0 : 1], asked, each)),
      )
      const statuses = responses.map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      expect(statuses.filter((status) => status === 401)).toHaveLength(19)
      const winner = passwords[statuses.indexOf(204)]
      expect(await passwordsThatWork(services[1], [goodPassword, ...passwords])).toEqual([winner])
      expect((await resetByCode(services[1], asked)).statusCode).toBe(401)
    },
  )

  storage(
    'RSC-05',
    {
      tried:
        'the link and the code of one email: one after the other, in both orders, and at once in two processes',
      expected: 'whichever is first ends the other; at once, one of them sets the password',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service, other] = services
      await withUser(service)
      const byLink = await newResetCode(service)
      expect((await other.send('POST', linkPath(byLink.mail), choice(otherPassword))).statusCode).toBe(204)
      expect((await resetByCode(service, byLink, third)).statusCode).toBe(401)
      await scene.wait(1000)
      const byCode = await newResetCode(service)
      expect((await resetByCode(service, byCode, third)).statusCode).toBe(204)
      expect((await other.send('POST', linkPath(byCode.mail), choice(otherPassword))).statusCode).toBe(400)
      expect(await passwordsThatWork(service, [...both, third])).toEqual([third])
      await scene.wait(1000)
      const race = await newResetCode(service)
      const outcomes = await Promise.all([
        resetByCode(service, race, goodPassword),
        other.send('POST', linkPath(race.mail), choice(otherPassword)),
      ])
      const statuses = outcomes.map(({ statusCode }) => statusCode)
      expect([
        [204, 400],
        [401, 204],
      ]).toContainEqual(statuses)
      const winner = statuses[0] === 204 ? goodPassword : otherPassword
      expect(await passwordsThatWork(service, [...both, third])).toEqual([winner])
    },
  )

  rule(
    'RSC-06',
    {
      tried: 'a login code as a reset code, and the reverse, each with both cookies, under both names',
      expected: '401, and each still works for what it was requested for',
    },
    async (scene) => {
      const service = await startOn(scene)
      await withUser(service)
      const login = await newCode(service)
      const reset = await newResetCode(service)
      const swapped = {
        login: reset.cookie.replace('session-reset-code=', 'session-code='),
        reset: login.cookie.replace('session-code=', 'session-reset-code='),
      }
      for (const cookie of [login.cookie, reset.cookie, swapped.reset])
        expect((await resetByCode(service, { cookie, code: login.code })).statusCode).toBe(401)
      for (const cookie of [login.cookie, reset.cookie, swapped.login])
        expect((await giveCode(service, { cookie, code: reset.code })).statusCode).toBe(401)
      expect(await passwordsThatWork(service, both)).toEqual([goodPassword])
      expect((await giveCode(service, login)).statusCode).toBe(200)
      expect((await resetByCode(service, reset)).statusCode).toBe(204)
    },
  )

  rule(
    'RSC-07',
    {
      tried:
        'a code after another one was used, a new password, disabling and enabling, a change of address, and after ten minutes; and the login codes of an account after a reset by code',
      expected: '401 each time',
    },
    async (scene) => {
      const service = await startOn(scene)
      const id = await withUser(service)
      const { accounts } = service.app
      const ends: (() => Promise<unknown>)[] = [
        async () => resetByCode(service, await newResetCode(service), third),
        () => accounts.setPassword(id, otherPassword),
        async () => {
          await accounts.updateUser(id, { isActive: false })
          await accounts.updateUser(id, { isActive: true })
        },
        () => scene.wait(10 * minute),
      ]
      for (const end of ends) {
        const asked = await newResetCode(service)
        await service.settle()
        await scene.wait(1000)
        await end()
        expect((await resetByCode(service, asked)).statusCode).toBe(401)
      }
      const login = await newCode(service)
      await service.settle()
      await scene.wait(1000)
      expect((await resetByCode(service, await newResetCode(service))).statusCode).toBe(204)
      expect((await giveCode(service, login)).statusCode).toBe(401)
      const asked = await newResetCode(service)
      const { version = 0 } = (await scene.users.findById(id)) ?? {}
      const address = 'alice@example.net'
      await scene.users.update(id, { email: address, emailKey: address }, version)
      expect((await resetByCode(service, asked)).statusCode).toBe(401)
    },
  )

  storage(
    'RSC-08',
    {
      tried:
        'wrong codes, twenty concurrently in two processes with no other limit; wrong login and reset codes by turns; correct ones with a bad password many times',
      expected:
        'three attempts for each code, and one budget for both kinds, after which the link still works; a bad password costs none',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      await withUser(service)
      const asked = await newResetCode(service)
      const guess = { ...asked, code: otherThan(asked.code) }
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => resetByCode(services[n % 2 === 0 ? 0 : 1], guess)),
      )
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(401))
      expect((await resetByCode(service, asked)).statusCode).toBe(401)

      const limits = { loginCode: { max: 4, window: 60 * minute } }
      const limited = await startOn(scene, { throttle: { limits } })
      await scene.wait(1000)
      const [reset, login] = [await newResetCode(limited), await newCode(limited)]
      for (let n = 0; n < 12; n += 1)
        expect((await resetByCode(limited, reset, 'short')).statusCode).toBe(400)
      for (let n = 0; n < 2; n += 1) {
        const wrong = { ...reset, code: otherThan(reset.code) }
        expect((await resetByCode(limited, wrong)).statusCode).toBe(401)
        expect((await giveCode(limited, { ...login, code: otherThan(login.code) })).statusCode).toBe(401)
      }
      expect((await resetByCode(limited, reset)).statusCode).toBe(429)
      expect((await giveCode(limited, login)).statusCode).toBe(429)
      const link = linkPath(reset.mail)
      expect((await limited.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
    },
  )

  rule(
    'RSC-09',
    {
      tried: 'finding the code in the log, on the account, and in the cookie',
      expected: 'it is only in the email',
    },
    async (scene) => {
      const service = await startOn(scene)
      const id = await withUser(service)
      const asked = await newResetCode(service)
      const places = async () => [
        scene.log.text(),
        JSON.stringify(await scene.users.findById(id)),
        asked.cookie,
      ]
      const before = await places()
      expect((await resetByCode(service, asked, 'short')).statusCode).toBe(400)
      expect((await resetByCode(service, asked)).statusCode).toBe(204)
      for (const place of [...before, ...(await places())])
        for (const each of [asked.code, asked.code.replace('-', '')]) expect(place).not.toContain(each)
    },
  )

  storage(
    'RSC-10',
    {
      tried:
        'an account that someone created with another person’s address, who resets its password by code; sessions and the code across a restart',
      expected:
        'as with the link: the creator’s password and sessions are gone, nobody is logged in, and the owner is told',
    },
    async (scene) => {
      const service = await startOn(scene)
      const id = await withUser(service, 'alice', false)
      const squatter = await logIn(service)
      const asked = await newResetCode(service)
      await service.settle()
      await service.app.close()
      const next = await startOn(scene)
      const done = await resetByCode(next, asked)
      expect([done.statusCode, done.cookies.some(({ name, value }) => name === 'session' && value)]).toEqual([
        204,
        false,
      ])
      expect(await whoIs(next, squatter)).toBeNull()
      expect(await passwordsThatWork(next, both)).toEqual([otherPassword])
      expect((await scene.users.findById(id))?.isVerified).toBe(true)
      expect((await next.mail('password-changed', email)).to.address).toBe(email)
      expect(await whoIs(next, await logIn(next, 'alice', otherPassword))).toBe('alice')
    },
  )

  rule(
    'RSC-11',
    {
      tried: 'POST /reset/code/ where no emails have codes, with and without the slash',
      expected:
        'the 404 of the app, as for any other path that isn’t mounted; a link without its end is invalid as before',
      on: 'memory',
      because: 'no store is involved',
    },
    async ({ start }) => {
      const own = (app: FastifyInstance) =>
        app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ is: 'of the app' }))
      const service = await start({}, { before: own })
      const shown = async (method: 'GET' | 'POST', path: string) => {
        const { statusCode, body, headers } = await service.send(
          method,
          path,
          method === 'POST' ? {} : undefined,
        )
        return { statusCode, body, cache: headers['cache-control'] }
      }
      const elsewhere = await shown('POST', '/nowhere/')
      expect(elsewhere.statusCode).toBe(404)
      for (const path of ['/reset/code/', '/reset/code']) expect(await shown('POST', path)).toEqual(elsewhere)
      expect(await shown('GET', '/reset/dQ/')).toMatchObject({ statusCode: 400, cache: 'no-store' })
    },
  )
})
