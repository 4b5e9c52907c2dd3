import {
  browser,
  cheapHasher,
  cookieOf,
  goodPassword,
  lastingOutbox,
  linkPath,
  logIn,
  outbox,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { askCode, email, giveCode, newCode } from '@fastify-accounts/test-support/email-code'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { assertNoEnumeration, countHashes, holdMails } from '@fastify-accounts/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AccountsOptions, createMemoryUserStore, type Mailer, secondFactor } from '../src/index.js'

const minute = 60_000
const wrong = { statusCode: 401, code: 'ACCOUNTS_INVALID_CODE' }

async function codeApp(options: Partial<AccountsOptions> = {}): Promise<TestApp & { id: string }> {
  const service = await testApp({ login: { emailCode: true }, adapterTimeout: 10 * minute, ...options })
  const alice = { username: 'alice', password: goodPassword, email, isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  return { ...service, id }
}

// Codes last minutes, and the tests control when those pass.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a code by email', () => {
  test('is off by default', async () => {
    const { send } = await testApp()
    expect((await send('POST', '/login/code/', { email })).statusCode).toBe(404)
  })

  test('counts as requested for an hour', async () => {
    const service = await codeApp()
    const asked = await newCode(service)
    const start = Date.now()
    for (const [passed, reason] of [
      [60 * minute - 1, undefined],
      [60 * minute, 'not_requested'],
    ] as const) {
      vi.setSystemTime(start + passed)
      const body = (await giveCode(service, asked)).json()
      expect([body.code, body.reason]).toEqual(['ACCOUNTS_INVALID_CODE', reason])
    }
  })

  test('is no longer sent if another code is used first', async () => {
    const service = await codeApp()
    const asked = await newCode(service)
    const hold = vi.spyOn(service.users, 'update').mockImplementationOnce(async () => {
      hold.mockRestore()
      vi.setSystemTime(Date.now() + 1)
      expect((await giveCode(service, asked)).statusCode).toBe(200)
      return null
    })
    service.mails.length = 0
    await askCode(service)
    for (let n = 0; n < 3; n += 1) await service.settle()
    expect(service.mails.map(({ kind }) => kind)).not.toContain('login-code')
  })

  test('is stored nowhere: neither in the pending email, nor on the account', async () => {
    const waiting = lastingOutbox()
    const added = vi.spyOn(waiting, 'add')
    const service = await codeApp({ userStore: { ...createMemoryUserStore(), outbox: waiting } })
    const { cookie, code } = await newCode(service)
    const [user] = await Promise.all([service.app.accounts.findUser({ username: 'alice' })])
    expect(added.mock.calls.flat(2)).toMatchObject([{ kind: 'login-code' }])
    const kept = JSON.stringify([added.mock.calls, user, decodeURIComponent(cookie)])
    for (const each of [code, code.replace('-', '')]) expect(kept).not.toContain(each)
  })

  test('alerts the owner to a new device', async () => {
    const service = await codeApp()
    await giveCode(service, await newCode(service))
    await service.settle()
    service.mails.length = 0
    const asked = await newCode(service)
    await giveCode(service, asked)
    expect((await service.mail('new-device')).to.address).toBe(email)
  })

  test('is the same in a resent email', async () => {
    const mailer = outbox()
    let failures = 1
    const failing: Mailer = {
      async send(mail) {
        await mailer.send(mail)
        if (mail.kind === 'login-code' && failures-- > 0) throw new Error('the connection broke')
      },
    }
    const service = await codeApp({ mailer: failing })
    const cookie = await askCode(service)
    await vi.waitUntil(() => mailer.mails.length === 2, 60_000)
    const [first, second] = mailer.mails.map(
      ({ text }) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0] ?? '',
    )
    expect(first).toBe(second)
    expect((await giveCode(service, { cookie, code: first ?? '' })).statusCode).toBe(200)
  })
})

describe('the link', () => {
  test('opens a page with a button in the browser that asked, and logs nobody in without a click', async () => {
    const service = await codeApp()
    const { cookie, mail } = await newCode(service)
    const page = await service.send('GET', linkPath(mail), undefined, { headers: { ...browser, cookie } })
    expect(page.body).toContain('<form method="post">')
    expect(page.cookies.map(({ name }) => name)).not.toContain('session')
    const done = await service.send('POST', linkPath(mail), undefined, { headers: { ...browser, cookie } })
    expect([done.statusCode, done.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await whoIs(service, cookieOf(done))).toBe('alice')
    const again = await service.send('POST', linkPath(mail), undefined, { headers: { cookie } })
    expect(again.json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
  })

  test('shows the code in another browser, where it logs nobody in', async () => {
    const service = await codeApp()
    const { cookie, code, mail } = await newCode(service)
    const page = await service.send('GET', linkPath(mail), undefined, { headers: browser })
    expect(page.body).toContain(code)
    expect(page.body).not.toContain('<form')
    const refused = await service.send('POST', linkPath(mail))
    expect(refused.json()).toMatchObject(wrong)
    expect((await giveCode(service, { cookie, code })).statusCode).toBe(200)
  })

  test('only shows its own code, and none once one was used', async () => {
    const service = await codeApp()
    const used = await newCode(service)
    expect((await giveCode(service, used)).statusCode).toBe(200)
    // With the link of a used code, one can only request another, which is emailed to the owner.
    const earlier = await newCode(service)
    const latest = await newCode(service)
    const headers = { cookie: latest.cookie }
    const dead = async ({ mail }: typeof used) => {
      for (const method of ['GET', 'POST'] as const) {
        const response = await service.send(method, linkPath(mail), undefined, { headers })
        expect(response.json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
      }
    }
    await dead(used)
    for (const { mail, code } of [earlier, latest]) {
      const shown = await service.send('GET', linkPath(mail), undefined, { headers })
      expect(shown.json()).toEqual({ code, same_browser: code === latest.code })
    }
    expect((await service.send('POST', linkPath(earlier.mail), undefined, { headers })).json()).toMatchObject(
      wrong,
    )
    expect((await service.send('POST', linkPath(latest.mail), undefined, { headers })).statusCode).toBe(200)
    await dead(earlier)
    await dead(latest)
  })

  test('also shows the code if a second factor is required, and the login continues where it is entered', async () => {
    const service = await codeApp({ features: [secondFactor()] })
    const { codes } = await enroll(service)
    const { cookie, code, mail } = await newCode(service)
    const page = await service.send('GET', linkPath(mail), undefined, { headers: { ...browser, cookie } })
    expect(page.body).toContain(code)
    expect(page.body).not.toContain('<form')
    const owing = await giveCode(service, { cookie, code })
    expect(owing.json()).toMatchObject({ code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED' })
    const pending = owing.cookies.find(({ name }) => name === 'session-pending')
    const headers = { cookie: `session-pending=${pending?.value}` }
    const done = await service.send('POST', '/login/second-factor/', { code: codes[0] ?? '' }, { headers })
    expect(done.statusCode).toBe(200)
  })
})

describe('enumeration', () => {
  test('is not possible through the route that sends codes', async () => {
    const hasher = countHashes(cheapHasher())
    const mailer = holdMails(outbox())
    vi.useRealTimers()
    const { app } = await codeApp({ passwordHasher: hasher, mailer })
    const bob = { username: 'bob', email: 'bob@example.org' }
    const { id } = await app.accounts.createUser({ ...bob, password: goodPassword })
    await app.accounts.updateUser(id, { isActive: false })
    const options = { account: { username: 'alice', email }, others: [bob], paths: { code: '/login/code/' } }
    const { compared } = await assertNoEnumeration(app, { ...options, hasher, mailer })
    expect(compared.at(-1)).toEqual({
      ...{ path: '/login/code/', status: 202, hashes: 0 },
      requests: ['account 1', 'account 2', 'nobody'],
    })
  })
})

test('a code is a way in, so the password may be removed if the address is verified', async () => {
  const service = await codeApp()
  const cookie = await logIn(service)
  const removed = await service.send('DELETE', '/password/', undefined, { headers: { cookie } })
  expect(removed.statusCode).toBe(204)
  expect((await giveCode(service, await newCode(service))).statusCode).toBe(200)
  const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org' }
  await service.app.accounts.createUser(bob)
  const headers = { cookie: await logIn(service, 'bob') }
  expect((await service.send('DELETE', '/password/', undefined, { headers })).statusCode).toBe(409)
})
