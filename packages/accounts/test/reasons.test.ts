import { Writable } from 'node:stream'
import {
  as,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { enroll, factorApp, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import { describe, expect, test, vi } from 'vitest'
import type { Feature } from '../src/features/feature.js'
import { AccountsError, createMemoryUserStore, RefusedError } from '../src/index.js'

const reasonOf = ({ statusCode, json }: { statusCode: number; json(): AccountsError }) => {
  const { code, reason, message } = json()
  return [statusCode, code.replace('ACCOUNTS_', ''), reason, message]
}

/** A member of staff, logged in. */
async function staff(service: TestApp): Promise<{ id: string; cookie: string }> {
  const { id } = await signUp(service, 'boss')
  await service.app.accounts.updateUser(id, { isStaff: true })
  return { id, cookie: await logIn(service, 'boss') }
}

describe('an error with several meanings says which, with a text that tells people what to do', () => {
  test('the last way to log in, no password, and a limit', async () => {
    const badges: Feature = {
      name: 'badges',
      hasWayIn: ({ credentials }) => credentials.some(({ kind }) => kind === 'badge'),
    }
    const service = await testApp({ features: [badges] })
    const { id } = await signUp(service)
    const remove = (cookie: string) => service.send('DELETE', '/password/', undefined, as(cookie))
    expect(reasonOf(await remove(await logIn(service)))).toEqual([
      ...[409, 'CONFLICT', 'last_way_in'],
      'This is the only way to log in to your account. Add another one first.',
    ])
    const user = await service.users.findById(id)
    await service.users.update(id, { credentials: [{ kind: 'badge' }] }, user?.version ?? 0)
    const gone = await remove(await logIn(service))
    const [{ name, value } = { name: '', value: '' }] = gone.cookies
    expect(reasonOf(await remove(`${name}=${encodeURIComponent(value)}`))).toEqual([
      ...[404, 'NOT_FOUND', 'no_password', 'Your account has no password.'],
    ])
  })

  test('staff and their own account', async () => {
    const service = await testApp()
    const { id, cookie } = await staff(service)
    const refused = await service.send('DELETE', '/me/', undefined, as(cookie))
    expect(reasonOf(refused).slice(0, 3)).toEqual([409, 'CONFLICT', 'still_staff'])
    const own = await service.send('PATCH', `/user/${id}`, { is_active: false }, as(cookie))
    expect(reasonOf(own)).toEqual([
      ...[403, 'FORBIDDEN', 'own_account'],
      'You can’t do this to your own account. Ask another member of staff.',
    ])
  })

  test('a closed sign-up, but no rule of the app', async () => {
    const service = await testApp({ authorize: { createUser: (actor) => actor === null && false } })
    const pair = { password: goodPassword, confirm_password: goodPassword }
    expect(reasonOf(await service.send('POST', '/user/', { username: 'bob', ...pair }))).toEqual([
      ...[403, 'FORBIDDEN', 'sign_up_closed'],
      'You can’t sign up here. If you already have an account, log in to it.',
    ])
    const open = await testApp({ authorize: { createUser: (actor) => actor === null } })
    await signUp(open)
    const cookie = await logIn(open)
    const refused = await open.send('POST', '/user/', { username: 'bob', ...pair }, as(cookie))
    expect(reasonOf(refused)).toEqual([403, 'FORBIDDEN', undefined, 'You are not allowed to do this.'])
  })

  test('a change at the same time, and a rule of the database', async () => {
    const userStore = createMemoryUserStore()
    const service = await testApp({ userStore })
    await signUp({ ...service, users: userStore })
    const cookie = await logIn(service)
    const { update } = userStore
    const rename = (username: string) => service.send('PATCH', '/me/', { username }, as(cookie))
    userStore.update = async () => null
    expect(reasonOf(await rename('bob'))).toEqual([
      ...[409, 'CONFLICT', 'changed_meanwhile'],
      'The account was changed at the same time. Reload and try again.',
    ])
    userStore.update = async () => {
      throw new RefusedError('names must be nice')
    }
    expect(reasonOf(await rename('bob'))).toEqual([
      ...[409, 'CONFLICT', 'refused_by_rule'],
      'A rule of this service doesn’t allow this change.',
    ])
    userStore.update = update
    expect((await rename('bob')).statusCode).toBe(200)
  })

  test('an emailed code that this browser never requested, for any address', async () => {
    const service = await testApp({ login: { emailCode: true } })
    await signUp(service, 'alice', { email: 'alice@example.org' })
    const give = () => service.send('POST', '/login/code/confirm/', { code: 'ABCD2345' })
    expect(reasonOf(await give())).toEqual([
      ...[401, 'INVALID_CODE', 'not_requested'],
      'This browser hasn’t requested a code, or the code has expired. Request a new one.',
    ])
    for (const email of ['alice@example.org', 'nobody@example.org']) {
      const asked = await service.send('POST', '/login/code/', { email })
      const cookie = asked.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const wrong = await service.send('POST', '/login/code/confirm/', { code: 'ABCD2345' }, as(cookie))
      expect(reasonOf(wrong).slice(0, 3)).toEqual([401, 'INVALID_CODE', undefined])
    }
  })

  test('an address that has been confirmed already', async () => {
    const service = await testApp({ requireEmailConfirmation: true })
    await signUp(service, 'alice', { email: 'alice@example.org' })
    const path = linkPath(await service.mail('verify-email'))
    const { id } = (await service.users.findByUsername('alice')) ?? { id: '' }
    const pair = { new_password: otherPassword, confirm_password: otherPassword }
    const { findById } = service.users
    // The owner has confirmed it, and the link is still valid for a moment.
    service.users.findById = async (asked) => {
      const user = await findById(asked)
      return user && asked === id ? { ...user, isVerified: true } : user
    }
    const response = await service.send('POST', `${path}new-password/`, pair)
    expect(reasonOf(response).slice(0, 3)).toEqual([409, 'CONFLICT', 'already_verified'])
  })

  test('second factors: none, no passkey, too many apps, and an app that was turned off', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') })
    const service = await factorApp()
    let cookie = await logIn(service)
    const own = (method: 'POST' | 'PATCH', path: string, body?: object) =>
      service.send(method, `/second-factor/${path}`, body, as(cookie))
    expect(reasonOf(await own('POST', 'recovery-codes/')).slice(1, 3)).toEqual([
      'CONFLICT',
      'no_second_factor',
    ])
    expect(reasonOf(await own('PATCH', '', { passkeys: true })).slice(1, 3)).toEqual([
      'CONFLICT',
      'no_passkey',
    ])
    for (let n = 1; n <= 10; n += 1) ({ cookie } = await enroll(service, cookie))
    await expect(enroll(service, cookie)).rejects.toThrow('"reason":"limit_reached"')
    const user = await service.users.findById(service.id)
    const credentials = user?.credentials.map((each) => ({ ...each, misses: 100 })) ?? []
    await service.users.update(service.id, { credentials }, user?.version ?? 0)
    const pending = await firstStep(service)
    expect(reasonOf(await secondStep(service, pending, '123456'))).toEqual([
      ...[401, 'INVALID_CODE', 'app_turned_off'],
      'Codes from your authenticator app don’t work at the moment. Use a recovery code or a passkey.',
    ])
    expect(reasonOf(await secondStep(service, pending, 'ABCD-EFGH')).slice(1, 3)).toEqual([
      'INVALID_CODE',
      undefined,
    ])
    vi.useRealTimers()
  })
})

describe('a required second step', () => {
  const asked = async (service: TestApp, language = 'en') => {
    const body = { username: 'alice', password: goodPassword }
    const response = await service.send('POST', '/login/', body, { headers: { 'accept-language': language } })
    const { code, reason, message, factors } = response.json()
    return [code.replace('ACCOUNTS_', ''), factors, reason, message]
  }
  const change = async (service: TestApp & { id: string }, changes: object) => {
    const user = await service.users.findById(service.id)
    await service.users.update(service.id, changes, user?.version ?? 0)
  }
  const passkey = { kind: 'passkey', id: 'x' }

  test('is described by what the account has, the first one first', async () => {
    const service = await factorApp()
    await enroll(service)
    expect(await asked(service)).toEqual([
      ...['SECOND_FACTOR_REQUIRED', ['totp', 'recovery-code'], 'totp'],
      'Enter a code from your authenticator app to finish logging in.',
    ])
    const { credentials = [] } = (await service.users.findById(service.id)) ?? {}
    await change(service, { factors: ['totp', 'passkey'], credentials: [...credentials, passkey] })
    expect(await asked(service, 'de')).toEqual([
      ...['SECOND_FACTOR_REQUIRED', ['passkey', 'totp', 'recovery-code'], 'passkey_or_totp'],
      'Schließen Sie die Anmeldung mit Ihrem Passkey oder einem Code aus Ihrer Authenticator-App ab.',
    ])
    await change(service, { factors: ['passkey'], credentials: [passkey] })
    expect(await asked(service, 'fr')).toEqual([
      ...['SECOND_FACTOR_REQUIRED', ['passkey'], 'passkey'],
      'Utilisez votre clé d’accès pour terminer la connexion.',
    ])
  })

  test('never asks for a code of an app that was turned off, unless nothing else is left', async () => {
    const service = await factorApp()
    await enroll(service)
    const { credentials = [] } = (await service.users.findById(service.id)) ?? {}
    const off = credentials.map((each) => (each.kind === 'totp' ? { ...each, misses: 100 } : each))
    await change(service, { credentials: off })
    expect((await asked(service)).slice(1, 3)).toEqual([['recovery-code'], 'recovery_code'])
    await change(service, { credentials: off.filter(({ kind }) => kind === 'totp') })
    expect((await asked(service)).slice(1, 3)).toEqual([['totp'], 'totp'])
  })

  test('confirmations say it, too', async () => {
    const service = await factorApp()
    const { cookie } = await enroll(service)
    const confirm = () => service.send('POST', '/confirm/', { password: goodPassword }, as(cookie))
    expect(reasonOf(await confirm())).toEqual([
      ...[403, 'CONFIRMATION_REQUIRED', 'totp'],
      'First confirm with a code from your authenticator app.',
    ])
    expect((await confirm()).json().factors).toEqual(['totp', 'recovery-code'])
    await change(service, { factors: ['passkey'] })
    expect(reasonOf(await confirm()).slice(2)).toEqual(['passkey', 'First confirm with your passkey.'])
  })
})

test('a request from another site tells people nothing about options, but the log does', async () => {
  const lines: { msg: string; code?: string; reason?: string }[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const service = await testApp({}, { server: { logger: { level: 'info', stream } } })
  const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
  const response = await service.send('POST', '/login/', { username: 'a', password: 'b' }, { headers })
  expect(reasonOf(response)).toEqual([
    ...[403, 'CROSS_SITE', undefined, 'This request came from another site. Try again on this site.'],
  ])
  expect(lines.find(({ code }) => code === 'ACCOUNTS_CROSS_SITE')?.reason).toBe(
    "'https://shop.example' is not in trustedOrigins",
  )
})

test('an error of your own code has the text of its reason, which must belong to its code', () => {
  const error = new AccountsError('ACCOUNTS_CONFLICT', { reason: 'last_way_in' })
  expect(error.toJSON()).toEqual({
    statusCode: 409,
    code: 'ACCOUNTS_CONFLICT',
    reason: 'last_way_in',
    error: 'Conflict',
    message: 'This is the only way to log in to your account. Add another one first.',
  })
  expect(() => new AccountsError('ACCOUNTS_NOT_FOUND', { reason: 'last_way_in' })).toThrow(
    new TypeError('ACCOUNTS_NOT_FOUND has no reason last_way_in in any registered feature'),
  )
})
