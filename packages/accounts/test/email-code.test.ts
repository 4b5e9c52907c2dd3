import {
  browser,
  cheapHasher,
  cookieOf,
  goodPassword,
  lastingOutbox,
  linkPath,
  logIn,
  otherPassword,
  outbox,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import {
  askCode,
  askedCookie,
  codeIn,
  email,
  giveCode,
  newCode,
  otherThan,
} from '@fastify-accounts/test-support/email-code'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AccountsOptions,
  createMemoryThrottleStore,
  createMemoryUserStore,
  type Mail,
  type Mailer,
  secondFactor,
} from '../src/index.js'
import { assertNoEnumeration, countHashes, holdMails } from '../src/testing/index.js'

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

  test('logs in, once, in the browser that asked for it', async () => {
    const service = await codeApp()
    const { cookie, code } = await newCode(service)
    expect(code).toMatch(/^[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{4}-[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{4}$/)
    const elsewhere = await service.send('POST', '/login/code/confirm/', { code })
    expect(elsewhere.json()).toMatchObject(wrong)
    const others = await askCode(service, 'bob@example.org')
    expect((await giveCode(service, { cookie: others, code })).json()).toMatchObject(wrong)
    const done = await giveCode(service, { cookie, code })
    expect(done.json()).toMatchObject({ username: 'alice', email })
    expect(await whoIs(service, cookieOf(done))).toBe('alice')
    expect((await giveCode(service, { cookie, code })).json()).toMatchObject(wrong)
  })

  test('may be typed in any case, with spaces and dashes', async () => {
    const service = await codeApp()
    for (const spelled of [
      (code: string) => code.toLowerCase(),
      (code: string) => ` ${code.replace('-', ' ')} `,
      (code: string) => code.replace('-', '\u2013'),
      (code: string) => code.replace('-', ''),
    ]) {
      const { cookie, code } = await newCode(service)
      expect((await giveCode(service, { cookie, code: spelled(code) })).statusCode).toBe(200)
    }
  })

  test('lasts ten minutes from when the email is sent', async () => {
    const service = await codeApp()
    const first = await newCode(service)
    expect(first.mail.text).toContain('10 minutes')
    vi.setSystemTime(Date.now() + 10 * minute)
    expect((await giveCode(service, first)).json()).toMatchObject(wrong)
    const second = await newCode(service)
    vi.setSystemTime(Date.now() + 10 * minute - 1)
    expect((await giveCode(service, second)).statusCode).toBe(200)
  })

  test('expires after three wrong attempts, even without rate limits', async () => {
    const service = await codeApp()
    const { cookie, code } = await newCode(service)
    for (let n = 0; n < 2; n += 1)
      expect((await giveCode(service, { cookie, code: otherThan(code) })).json()).toMatchObject(wrong)
    const second = await newCode(service)
    for (let n = 0; n < 3; n += 1) await giveCode(service, { ...second, code: otherThan(second.code) })
    expect((await giveCode(service, second)).json()).toMatchObject(wrong)
    // Simultaneous attempts can't bypass this.
    const third = await newCode(service)
    const guess = () => giveCode(service, { ...third, code: otherThan(third.code) })
    const responses = await Promise.all(Array.from({ length: 20 }, guess))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(401))
    expect((await giveCode(service, third)).json()).toMatchObject(wrong)
  })

  test('coexists with codes requested by strangers, with its own attempts', async () => {
    const service = await codeApp()
    const own = await newCode(service)
    const strangers = []
    for (let n = 0; n < 9; n += 1) strangers.push(await newCode(service))
    for (const asked of strangers.slice(0, 3))
      for (let n = 0; n < 4; n += 1) await giveCode(service, { ...asked, code: otherThan(asked.code) })
    for (const { code } of strangers.slice(0, 2)) {
      // In a browser other than the one that asked.
      expect((await giveCode(service, { cookie: own.cookie, code })).json()).toMatchObject(wrong)
    }
    expect((await giveCode(service, own)).statusCode).toBe(200)
    for (const asked of strangers) expect((await giveCode(service, asked)).json()).toMatchObject(wrong)
    // Beyond ten, the oldest is dropped.
    const codes = []
    for (let n = 0; n < 11; n += 1) {
      codes.push(await newCode(service))
      vi.setSystemTime(Date.now() + 1)
    }
    const kept = (await service.users.findById(service.id))?.credentials
    expect(kept?.filter(({ kind }) => kind === 'login-code')).toHaveLength(10)
    const [first = own, second = own] = codes
    expect((await giveCode(service, first)).json()).toMatchObject(wrong)
    expect((await giveCode(service, second)).statusCode).toBe(200)
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

  test('still works after two wrong attempts', async () => {
    const service = await codeApp()
    const { cookie, code } = await newCode(service)
    for (let n = 0; n < 2; n += 1) await giveCode(service, { cookie, code: otherThan(code) })
    expect((await giveCode(service, { cookie, code })).statusCode).toBe(200)
  })

  test.each<[string, (service: TestApp & { id: string }) => Promise<unknown>]>([
    ['the use of another one', async (service) => giveCode(service, await newCode(service))],
    ['a new password', ({ app, id }) => app.accounts.setPassword(id, otherPassword)],
    [
      'a disabled account, enabled again or not',
      async ({ app, id }) => {
        await app.accounts.updateUser(id, { isActive: false })
        await app.accounts.updateUser(id, { isActive: true })
      },
    ],
    [
      'a reset',
      async (service) => {
        await service.send('POST', '/forgot/', { email })
        const body = { new_password: otherPassword, confirm_password: otherPassword }
        await service.send('POST', linkPath(await service.mail('reset-password')), body)
      },
    ],
  ])('is invalidated by %s', async (_, end) => {
    const service = await codeApp()
    const first = await newCode(service)
    vi.setSystemTime(Date.now() + 1000)
    await end(service)
    expect((await giveCode(service, first)).json()).toMatchObject(wrong)
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

  test('logs in an account without a password', async () => {
    const service = await codeApp()
    const record = await service.users.findById(service.id)
    await service.users.update(service.id, { passwordHash: '!' }, record?.version ?? 0)
    const done = await giveCode(service, await newCode(service))
    expect(done.statusCode).toBe(200)
  })

  test('is only the first step if a second factor is required, and still works only once', async () => {
    const service = await codeApp({ features: [secondFactor()] })
    const { codes } = await enroll(service)
    const asked = await newCode(service)
    const owing = await giveCode(service, asked)
    expect(owing.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED' })
    expect(owing.cookies.map(({ name }) => name)).not.toContain('session')
    expect((await giveCode(service, asked)).json()).toMatchObject(wrong)
    const waiting = owing.cookies.find(({ name }) => name === 'session-pending')
    const headers = { cookie: `session-pending=${waiting?.value}` }
    const done = await service.send('POST', '/login/second-factor/', { code: codes[0] ?? '' }, { headers })
    expect(done.statusCode).toBe(200)
  })

  test("doesn't end a login that waits for its second step", async () => {
    const service = await codeApp({ features: [secondFactor()] })
    const { codes } = await enroll(service)
    const first = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    const waiting = first.cookies.find(({ name }) => name === 'session-pending')
    await newCode(service)
    const headers = { cookie: `session-pending=${waiting?.value}` }
    const done = await service.send('POST', '/login/second-factor/', { code: codes[0] ?? '' }, { headers })
    expect(done.statusCode).toBe(200)
  })

  test('verifies an address, and removes what was there before', async () => {
    const service = await codeApp({ requireEmailConfirmation: true })
    const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: false }
    const { id } = await service.app.accounts.createUser(bob)
    const done = await giveCode(service, await newCode(service, bob.email))
    expect(done.json()).toMatchObject({ username: 'bob', is_verified: true })
    expect(await whoIs(service, cookieOf(done))).toBe('bob')
    const byPassword = await service.send('POST', '/login/', { username: 'bob', password: goodPassword })
    expect(byPassword.json()).toMatchObject({ code: 'ACCOUNTS_INVALID_CREDENTIALS' })
    expect((await service.users.findById(id))?.isVerified).toBe(true)
  })

  test('ends the sessions from before the first verification', async () => {
    const service = await codeApp()
    await service.app.accounts.createUser({
      username: 'bob',
      password: goodPassword,
      email: 'bob@example.org',
    })
    const squatter = await logIn(service, 'bob')
    expect((await giveCode(service, await newCode(service, 'bob@example.org'))).statusCode).toBe(200)
    expect(await whoIs(service, squatter)).toBeNull()
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
    await vi.waitUntil(() => mailer.mails.length === 2, { timeout: 20_000 })
    const [first, second] = mailer.mails.map(
      ({ text }) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0] ?? '',
    )
    expect(first).toBe(second)
    expect((await giveCode(service, { cookie, code: first ?? '' })).statusCode).toBe(200)
  }, 30_000)

  test('is refused beyond the rate limit: no email, and the same response', async () => {
    const store = createMemoryThrottleStore()
    const service = await codeApp({ throttle: { store } })
    for (let n = 0; n < 7; n += 1) expect(await askCode(service)).toContain('session-code=')
    await service.settle()
    await vi.waitUntil(() => service.mails.length === 5, 20_000)
    await service.settle()
    expect(service.mails).toHaveLength(5)
  })

  test('still reaches a known device when strangers used up the others, five times an hour', async () => {
    const service = await codeApp({ throttle: { store: createMemoryThrottleStore() } })
    const home = await giveCode(service, await newCode(service))
    const device = home.cookies.find(({ name }) => name.endsWith('device'))
    const known = { headers: { cookie: `${device?.name}=${device?.value}` } }
    const ask = (address: string, headers: object) =>
      service.send('POST', '/login/code/', { email: address }, headers)
    const comes = async (asked: Promise<unknown>) => {
      service.mails.length = 0
      await asked
      for (let n = 0; n < 3; n += 1) await service.settle()
      return service.mails.some(({ kind }) => kind === 'login-code')
    }
    for (let n = 1; n < 5; n += 1) expect(await comes(ask(email, {}))).toBe(true)
    expect(await comes(ask(email, {}))).toBe(false)
    for (let n = 1; n < 5; n += 1) expect(await comes(ask(email, known))).toBe(true)
    let cookie = ''
    const fifth = ask(email, known).then((response) => {
      cookie = askedCookie(response)
    })
    expect(await comes(fifth)).toBe(true)
    const { text } = await service.mail('login-code')
    expect(text).not.toContain(device?.value)
    // Strangers' requests no longer replace a code: theirs aren't sent.
    expect(await comes(ask(email, {}))).toBe(false)
    const asked = { cookie, code: codeIn({ text } as Mail) }
    expect((await giveCode(service, asked)).statusCode).toBe(200)
    expect(await comes(ask(email, known))).toBe(false)
    const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true }
    await service.app.accounts.createUser(bob)
    for (let n = 0; n < 5; n += 1) expect(await comes(ask(bob.email, {}))).toBe(true)
    // The device is known only to alice's account.
    expect(await comes(ask(bob.email, known))).toBe(false)
  })

  test('has one rate limit for attempts across codes, and a known device has its own', async () => {
    const limits = { loginCode: { max: 4, window: 60 * minute } }
    const service = await codeApp({ throttle: { store: createMemoryThrottleStore(), limits } })
    const home = await giveCode(service, await newCode(service))
    const device = home.cookies.find(({ name }) => name.endsWith('device'))
    for (let round = 0; round < 2; round += 1) {
      const { cookie, code } = await newCode(service)
      for (let n = 0; n < 2; n += 1) await giveCode(service, { cookie, code: otherThan(code) })
    }
    const asked = await newCode(service)
    const refused = await giveCode(service, asked)
    expect(refused.json()).toMatchObject({ statusCode: 429, code: 'ACCOUNTS_THROTTLED' })
    const cookie = `${asked.cookie}; ${device?.name}=${device?.value}`
    expect((await giveCode(service, { ...asked, cookie })).statusCode).toBe(200)
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

  test('returns the same as JSON', async () => {
    const service = await codeApp()
    const { cookie, code, mail } = await newCode(service)
    const here = await service.send('GET', linkPath(mail), undefined, { headers: { cookie } })
    expect(here.json()).toEqual({ code, same_browser: true })
    const elsewhere = await service.send('GET', linkPath(mail))
    expect(elsewhere.json()).toEqual({ code, same_browser: false })
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
      asked: ['account 1', 'account 2', 'nobody'],
    })
  })

  test('is prevented: as many store calls and the same response, with an account or without', async () => {
    const service = await codeApp()
    const counts: Record<string, number>[] = []
    for (const address of [email, 'nobody@example.org']) {
      const cookie = await askCode(service, address)
      if (address === email) await service.mail('login-code')
      await service.settle()
      const calls: Record<string, number> = {}
      const spies = (['findByEmail', 'findById', 'update'] as const).map(
        (name) => [name, vi.spyOn(service.users, name)] as const,
      )
      const response = await giveCode(service, { cookie, code: 'AAAA-AAAA' })
      expect(response.json()).toMatchObject(wrong)
      for (const [name, spy] of spies) {
        calls[name] = spy.mock.calls.length
        spy.mockRestore()
      }
      counts.push(calls)
    }
    expect(counts[0]).toEqual(counts[1])
    expect(counts[0]).toMatchObject({ findByEmail: 1, update: 1 })
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
