import { as, goodPassword, logIn, signUp, testApp } from '@fastify-accounts/test-support/app'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Feature } from '../src/features/index.js'
import type { ErrorCode } from '../src/index.js'
import * as own from '../src/index.js'
import { de as deTexts } from '../src/languages/de.js'

/** The package once more, as a store or feature from another folder loads it. */
let other: typeof own
beforeAll(async () => {
  vi.resetModules()
  other = await import('../src/index.js')
})

/** The plugin comes from one copy, the stores from the other. */
const storesOf = ({ createMemoryUserStore, createMemorySessionStore }: typeof own) => ({
  userStore: createMemoryUserStore(),
  sessionStore: createMemorySessionStore(),
})

describe('errors of another copy', () => {
  it('are recognized by their class, and by no other', () => {
    const errors = [
      new other.AccountsError('ACCOUNTS_CONFLICT'),
      new other.DuplicateError('email'),
      new other.InvalidArgumentError('no text'),
      new other.RefusedError('no'),
      new other.UnavailableError('away'),
      new Error('another'),
    ]
    const classes = [
      own.AccountsError,
      own.DuplicateError,
      own.InvalidArgumentError,
      own.RefusedError,
      own.UnavailableError,
    ]
    expect(own.DuplicateError).not.toBe(other.DuplicateError)
    expect(errors.map((error) => classes.map((each) => error instanceof each))).toEqual([
      [true, false, false, false, false],
      [false, true, false, false, false],
      [false, false, true, false, false],
      [false, false, false, true, false],
      [false, false, false, false, true],
      [false, false, false, false, false],
    ])
    expect([null, undefined, 'DuplicateError', 7].some((each) => classes.some((c) => isA(each, c)))).toBe(
      false,
    )
  })

  it('are not those of a class that extends it', () => {
    class Refusal extends own.AccountsError {}
    const refusal = new Refusal('ACCOUNTS_FORBIDDEN')
    expect([isA(refusal, Refusal), isA(refusal, other.AccountsError)]).toEqual([true, true])
    expect(isA(new own.AccountsError('ACCOUNTS_FORBIDDEN'), Refusal)).toBe(false)
    expect(isA(new other.AccountsError('ACCOUNTS_FORBIDDEN'), Refusal)).toBe(false)
  })

  it('get the same response as our own where a hook of the app throws them', async () => {
    const { send } = await testApp(
      {},
      {
        before: (app) =>
          app.addHook('onRequest', async () => {
            throw new other.AccountsError('ACCOUNTS_LOGIN_REQUIRED', { message: 'thrown by the app' })
          }),
      },
    )
    const german = { headers: { 'accept-language': 'de' } }
    const response = await send('POST', '/change-password/', {}, german)
    expect(response.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
    expect(response.json().message).toBe(deTexts.errors.ACCOUNTS_LOGIN_REQUIRED)
  })
})

describe('stores of another copy', () => {
  it('say which name or address is taken', async () => {
    const service = await testApp(storesOf(other))
    const body = (username: string, email: string) => ({
      ...{ username, email, password: goodPassword, confirm_password: goodPassword },
    })
    const codes = []
    for (const [name, email] of [
      ['ada', 'ada@example.org'],
      ['ada', 'ben@example.org'],
      ['ben', 'ada@example.org'],
    ] as const) {
      const response = await service.send('POST', '/user/', body(name, email))
      codes.push([response.statusCode, response.json().code])
    }
    expect(codes).toEqual([
      [201, undefined],
      [409, 'ACCOUNTS_USERNAME_TAKEN'],
      [409, 'ACCOUNTS_EMAIL_TAKEN'],
    ])
  })

  it('don’t let a sign-up tell who has an account', async () => {
    const service = await testApp({ ...storesOf(other), requireEmailConfirmation: true })
    await service.app.accounts.createUser({
      username: 'ada',
      email: 'ada@example.org',
      password: goodPassword,
    })
    const responses = []
    for (const [username, email] of [
      ['ben', 'ada@example.org'],
      ['bea', 'bea@example.org'],
    ]) {
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      responses.push(await service.send('POST', '/user/', { username, email, ...passwords }))
    }
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([202, 202])
    expect(responses[0]?.json()).toEqual(responses[1]?.json())
  })

  it('have a value they can’t store refused as input, not as an outage', async () => {
    const { userStore, sessionStore } = storesOf(other)
    const refuse = () => Promise.reject(new other.InvalidArgumentError('no such key'))
    const { send } = await testApp({
      sessionStore,
      userStore: Object.assign(userStore, { findByUsername: refuse, findByEmail: refuse }),
    })
    const response = await send('POST', '/login/', { username: 'ada', password: goodPassword })
    expect(response.statusCode).toBe(400)
  })

  it('know until when a call may take effect', async () => {
    const { userStore, sessionStore } = storesOf(other)
    const find = userStore.findByUsername.bind(userStore)
    const deadlines: number[] = []
    const findByUsername = (key: string) => {
      deadlines.push(other.callDeadline() - performance.now())
      return find(key)
    }
    const { send } = await testApp({
      ...{ sessionStore, adapterTimeout: 10_000 },
      userStore: Object.assign(userStore, { findByUsername }),
    })
    await send('POST', '/login/', { username: 'ada', password: goodPassword })
    expect(deadlines.length).toBeGreaterThan(0)
    for (const deadline of deadlines) expect(deadline).toBeLessThan(10_000)
  })
})

describe('features of another copy', () => {
  it('know who is logged in, and say what is wrong in the language of the request', async () => {
    const service = await testApp({ features: [other.secondFactor()] })
    await signUp(service)
    const cookie = await logIn(service)
    const begun = await service.send('POST', '/second-factor/totp/', undefined, as(cookie))
    expect(begun.statusCode).toBe(200)
    const { secret, token } = begun.json()
    const headers = { cookie, 'accept-language': 'de' }
    const confirm = (code: string) =>
      service.send('POST', '/second-factor/totp/confirm/', { code, token }, { headers })
    expect((await confirm(codeOf(secret, 9))).json()).toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
      fields: [{ field: 'code', message: deTexts.details.factor_incorrect }],
    })
    expect((await confirm(codeOf(secret))).statusCode).toBe(200)
  })

  it('throw the errors that they register', async () => {
    const gift: Feature = {
      name: 'gift',
      errors: { GIFT_GONE: 410 } as object,
      texts: { en: { errors: { GIFT_GONE: 'The gift is gone.' } } },
    }
    await testApp({ features: [gift], languages: { offered: ['en'] } })
    expect(new other.AccountsError('GIFT_GONE' as ErrorCode)).toMatchObject({
      ...{ statusCode: 410, message: 'The gift is gone.' },
    })
  })
})

function isA(thrown: unknown, type: abstract new (...given: never) => Error): boolean {
  return thrown instanceof type
}
