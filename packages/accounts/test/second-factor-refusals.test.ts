import { as, cookieOf, goodPassword, logIn, type TestApp, whoIs } from '@fastify-accounts/test-support/app'
import {
  codeOf,
  enroll,
  factorApp,
  firstStep,
  secondStep,
} from '@fastify-accounts/test-support/second-factor'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UnavailableError } from '../src/index.js'

type Response = { statusCode: number; body: string; json(): { code: string } }
const refusalOf = (response: Response) => [response.statusCode, response.body && response.json().code]
const expired = [401, 'ACCOUNTS_LOGIN_EXPIRED']
const loggedOut = [401, 'ACCOUNTS_LOGIN_REQUIRED']
const conflict = [409, 'ACCOUNTS_CONFLICT']

// So no time step ends between creating and using a code.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Runs something once, right before the store's next call of a method. */
function before(
  { users }: Pick<TestApp, 'users'>,
  method: 'findById' | 'update',
  happen: () => Promise<unknown>,
): void {
  const kept = users[method] as (...args: never[]) => Promise<never>
  Object.assign(users, {
    async [method](...args: never[]) {
      Object.assign(users, { [method]: kept })
      await happen()
      return kept(...args)
    },
  })
}

/** Changes the record directly in the store, as a migration does. */
async function write(
  { users }: Pick<TestApp, 'users'>,
  id: string,
  changes: Parameters<TestApp['users']['update']>[1],
): Promise<void> {
  await users.update(id, changes, (await users.findById(id))?.version ?? 0)
}

describe('the start stops at', () => {
  test.each([
    [{ issuer: 'Shop: Berlin' }, 'secondFactor.issuer must be a string without a colon'],
    [{ issuer: '' }, 'secondFactor.issuer must be a string'],
    [{ issuer: 7 }, 'secondFactor.issuer must be a string'],
    [{ requiredFor: true }, 'secondFactor.requiredFor must be a function'],
    [{ require: true }, 'secondFactor.require is not an option'],
  ])('%j', async (given, message) => {
    await expect(factorApp({}, given as object)).rejects.toThrow(message)
  })
})

describe('the second step', () => {
  test('of an account deleted, logged out or disabled while the code is checked', async () => {
    const service = await factorApp()
    const { codes } = await enroll(service)
    const pending = await firstStep(service)
    const ends = [
      () => service.app.accounts.endUserSessions(service.id),
      () => service.app.accounts.updateUser(service.id, { isActive: false }),
    ]
    for (const end of ends) {
      await service.app.accounts.updateUser(service.id, { isActive: true })
      const waiting = await firstStep(service)
      before(service, 'update', end)
      const response = await secondStep(service, waiting, codes[0] ?? '')
      expect(response.statusCode).toBe(401)
      expect(response.cookies.filter(({ name }) => name === 'session')).toEqual([])
    }
    expect((await service.users.findById(service.id))?.credentials).toHaveLength(11)
    await service.users.delete(service.id)
    expect(refusalOf(await secondStep(service, pending, codes[0] ?? ''))).toEqual(expired)
  })

  test('after a login overtaken by another one', async () => {
    const service = await factorApp()
    const { secret, codes } = await enroll(service)
    const [slow, fast] = [await firstStep(service), await firstStep(service)]
    before(service, 'update', async () => {
      expect((await secondStep(service, fast, codes[0] ?? '')).statusCode).toBe(200)
    })
    expect(refusalOf(await secondStep(service, slow, codeOf(secret)))).toEqual(expired)
    const next = await firstStep(service)
    expect((await secondStep(service, next, codeOf(secret))).statusCode).toBe(200)
  })

  test('is rejected for each of many simultaneous wrong codes', async () => {
    const service = await factorApp()
    const { secret } = await enroll(service)
    const pending = await firstStep(service)
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => secondStep(service, pending, '000000')),
    )
    expect(responses.map(refusalOf)).toEqual(Array(40).fill([401, 'ACCOUNTS_INVALID_CODE']))
    expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(200)
  })

  test('is 503 if the secret was changed in the database', async () => {
    const service = await factorApp()
    const { secret } = await enroll(service)
    const pending = await firstStep(service)
    const { credentials = [] } = (await service.users.findById(service.id)) ?? {}
    const spoiled = credentials.map((each) =>
      each.kind === 'totp' ? { ...each, sealed: `${String(each.sealed).slice(0, -8)}AAAAAAAA` } : each,
    )
    await write(service, service.id, { credentials: spoiled })
    expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(503)
    await write(service, service.id, { credentials })
    expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(200)
  })
})

describe('a login with a password', () => {
  test('requires a factor turned on while it is being finished', async () => {
    const service = await factorApp()
    const { codes } = await enroll(service)
    const { factors = [], credentials = [] } = (await service.users.findById(service.id)) ?? {}
    await write(service, service.id, { factors: [], credentials: [] })
    before(service, 'update', () => write(service, service.id, { factors, credentials }))
    const pending = await firstStep(service)
    expect((await secondStep(service, pending, codes[0] ?? '')).statusCode).toBe(200)
  })
})

describe("the user's own factors", () => {
  test("can't be removed or replaced if they don't exist", async () => {
    const service = await factorApp()
    const cookie = await logIn(service)
    expect(refusalOf(await service.send('DELETE', '/second-factor/totp/', undefined, as(cookie)))).toEqual([
      404,
      'ACCOUNTS_NOT_FOUND',
    ])
    const renewed = await service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie))
    expect(refusalOf(renewed)).toEqual(conflict)
    expect((await service.users.findById(service.id))?.credentials).toEqual([])
  })

  test('are neither shown nor changed by a request whose session ends meanwhile', async () => {
    let meanwhile = async () => {}
    const host = { before: (app: TestApp['app']) => app.addHook('preHandler', () => meanwhile()) }
    const service = await factorApp({}, {}, host)
    const { secret } = await enroll(service)
    const kinds = async () => (await service.users.findById(service.id))?.credentials.map(({ kind }) => kind)
    const kept = await kinds()
    const requests = [
      ['POST', '/second-factor/totp/'],
      ['POST', '/second-factor/totp/confirm/'],
      ['DELETE', '/second-factor/totp/'],
      ['POST', '/second-factor/recovery-codes/'],
      ['GET', '/second-factor/'],
    ] as const
    for (const [method, path] of requests) {
      vi.setSystemTime(Date.now() + 60_000)
      const cookie = cookieOf(await secondStep(service, await firstStep(service), codeOf(secret)))
      const begun = (await service.send('POST', '/second-factor/totp/', undefined, as(cookie))).json()
      const body = path.endsWith('confirm/') ? { code: codeOf(begun.secret), token: begun.token } : undefined
      // After every session check, before the service reads the record.
      meanwhile = async () => {
        meanwhile = async () => {}
        if (method === 'GET') await service.users.delete(service.id)
        else await service.app.accounts.endUserSessions(service.id)
      }
      expect(refusalOf(await service.send(method, path, body, as(cookie)))).toEqual(loggedOut)
      expect(await kinds()).toEqual(method === 'GET' ? undefined : kept)
    }
  })

  test("don't include an app if the factors change while its first code is checked", async () => {
    const service = await factorApp()
    const { cookie } = await enroll(service)
    const begun = await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
    const { secret, token } = begun.json()
    before(service, 'update', () =>
      service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie)),
    )
    const body = { code: codeOf(secret), token }
    const response = await service.send('POST', '/second-factor/totp/confirm/', body, as(cookie))
    expect(refusalOf(response)).toEqual(conflict)
    const { credentials = [] } = (await service.users.findById(service.id)) ?? {}
    expect(credentials.filter(({ kind }) => kind === 'totp')).toHaveLength(1)
  })

  test('get no recovery codes if they are removed meanwhile', async () => {
    const service = await factorApp()
    const { cookie } = await enroll(service)
    before(service, 'update', () => write(service, service.id, { factors: [], credentials: [] }))
    const response = await service.send('POST', '/second-factor/recovery-codes/', undefined, as(cookie))
    expect(refusalOf(response)).toEqual(conflict)
    expect((await service.users.findById(service.id))?.credentials).toEqual([])
  })

  test("are on, and the codes shown, if only the session can't continue", async () => {
    const service = await factorApp()
    const cookie = await logIn(service)
    const begun = await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
    const { secret, token } = begun.json()
    const { change } = service.sessions
    service.sessions.change = () => Promise.reject(new UnavailableError('down'))
    const body = { code: codeOf(secret, -1), token }
    const done = await service.send('POST', '/second-factor/totp/confirm/', body, as(cookie))
    service.sessions.change = change
    expect(done.statusCode).toBe(200)
    const [code = ''] = done.json().recovery_codes
    expect(done.cookies.find(({ name }) => name === 'session')).toMatchObject({ value: '' })
    expect(await whoIs(service, cookie)).toBeNull()
    expect(await whoIs(service, cookieOf(await secondStep(service, await firstStep(service), code)))).toBe(
      'alice',
    )
  })
})

describe('staff', () => {
  test("can't remove their own factors, nor those of a nonexistent user", async () => {
    const service = await factorApp()
    await service.app.accounts.updateUser(service.id, { isStaff: true })
    const { cookie } = await enroll(service)
    const reset = (id: string) =>
      service.send('POST', `/user/${id}/second-factor/reset/`, undefined, as(cookie))
    expect(refusalOf(await reset(service.id))).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
    expect((await service.users.findById(service.id))?.factors).toEqual(['totp'])
    const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true }
    const { id } = await service.app.accounts.createUser(bob)
    await enroll(service, await logIn(service, 'bob'))
    before(service, 'update', () => service.users.delete(id))
    for (let n = 0; n < 2; n += 1) expect(refusalOf(await reset(id))).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
  })
})

describe('who must have a factor', () => {
  test('and has one the session never used must use it first, also on routes of the host', async () => {
    const host = {
      before: (app: TestApp['app']) => {
        app.get(
          '/own',
          { onRequest: (request, reply) => app.accounts.requireUser(request, reply) },
          () => 'gold',
        )
      },
    }
    const service = await factorApp({}, { requiredFor: () => true }, host)
    const enrolled = await enroll(service)
    const { factors = [], credentials = [] } = (await service.users.findById(service.id)) ?? {}
    await write(service, service.id, { factors: [], credentials: [] })
    const older = await logIn(service)
    const own = async () => refusalOf(await service.send('GET', '/own', undefined, as(older)))
    expect(await own()).toEqual([403, 'ACCOUNTS_ENROLLMENT_REQUIRED'])
    await write(service, service.id, { factors, credentials })
    const never = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
    expect(await own()).toEqual(never)
    expect(refusalOf(await service.send('PATCH', '/me/', {}, as(older)))).toEqual(never)
    const code = codeOf(enrolled.secret)
    const confirmed = await service.send('POST', '/confirm/', { code }, as(older))
    const response = await service.send('PATCH', '/me/', {}, as(cookieOf(confirmed)))
    expect(response.statusCode).toBe(200)
  })
})
