import {
  as,
  goodPassword,
  lastingOutbox,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { causes, mailApp, type OwnKind } from '@fastify-accounts/test-support/mails'
import { enroll, factorApp, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import { newPendingMail } from '@fastify-accounts/testing'
import * as Type from '@sinclair/typebox'
import { describe, expect, test, vi } from 'vitest'
import {
  type AccountsOptions,
  createMemorySessionStore,
  createMemoryUserStore,
  type EmailContent,
  type EmailFacts,
  type PendingMail,
  type PendingMessage,
} from '../src/index.js'

const email = 'alice@example.org'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const behindProxy = { server: { trustProxy: () => true } }
const headers = { 'user-agent': agent, 'x-forwarded-for': '192.0.2.7' }

const notices: OwnKind[] = [
  'new-device',
  'choose-password',
  'account-deleted',
  'password-changed',
  'password-added',
  'email-changed',
  'factor-reset',
]

describe('a notice', () => {
  test.each(notices)('%s says when it was, from which device and network', async (kind) => {
    const mail = await causes[kind](await mailApp({}, {}, behindProxy), headers)
    const lines =
      /When: \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC(\n|<br>)Device: Firefox, Linux\1Place: network 192\.0\.2\.x\b/
    expect(mail.text).toMatch(lines)
    expect(mail.html).toMatch(lines)
    expect(mail.text + mail.html).not.toMatch(/192\.0\.2\.7|\/24|\bjust\b/)
  })

  test.each([
    [
      'de',
      'de-DE',
      /Zeitpunkt: \d+\. \S+ \d{4} um \d\d:\d\d UTC\nGerät: Firefox, Linux\nOrt: Netzwerk 192\.0\.2\.x\n/,
    ],
    [
      'fr',
      'fr',
      /Quand\u00a0: \d+ \S+ \d{4} à \d\d:\d\d UTC\nAppareil\u00a0: Firefox, Linux\nLieu\u00a0: réseau 192\.0\.2\.x\n/,
    ],
  ])("does so in the recipient's language, %s", async (_, language, lines) => {
    const service = await mailApp({}, {}, behindProxy)
    const mail = await causes['password-changed'](service, { ...headers, 'accept-language': language })
    expect(mail.text).toMatch(lines)
  })

  test('to an address that nobody has proven says when it was, but nothing of the user', async () => {
    const service = await testApp({}, behindProxy)
    await signUp(service, 'alice', { email })
    const cookie = await logIn(service)
    const body = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }
    const done = await service.send('POST', '/change-password/', body, { headers: { ...headers, cookie } })
    expect(done.statusCode).toBe(204)
    const mail = await service.mail('password-changed', email)
    expect(mail.text).toContain('When: ')
    expect(mail.text + mail.html).not.toMatch(/Device|Place|Firefox|192\.0\.2/)
  })

  test('has the time zone of brand.timeZone, by its name', async () => {
    const service = await mailApp({ brand: { timeZone: 'Europe/Berlin' } })
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-07-31T23:30:00Z') })
    try {
      const { text } = await causes['new-device'](service, {})
      expect(text).toContain('When: August 1, 2026 at 1:30 AM Central European Summer Time\n')
    } finally {
      vi.useRealTimers()
    }
  })

  test.each(['Berlin', '', 5])('an unknown time zone stops the start: %j', async (timeZone) => {
    const options = { brand: { timeZone } } as AccountsOptions
    await expect(testApp(options)).rejects.toThrow(
      `the option brand.timeZone must be an IANA time zone such as Europe/Berlin, got ${JSON.stringify(timeZone).replaceAll('"', "'")}`,
    )
  })

  test('has the time of the event, even if it is sent later', async () => {
    const outbox = lastingOutbox()
    const service = await testAppOn({
      users: { ...createMemoryUserStore(), outbox },
      sessions: createMemorySessionStore(),
    })
    const { id } = await signUp(service, 'alice', { email })
    await service.app.accounts.updateUser(id, { isVerified: true })
    await logIn(service)
    const at = '2026-01-31T14:38:00.000Z'
    await outbox.add([newPendingMail({ kind: 'password-changed', userId: id, to: email, at, by: 'request' })])
    await logIn(service)
    expect((await service.mail('password-changed')).text).toContain('When: January 31, 2026 at 2:38 PM UTC\n')
  })

  test('names no device of staff', async () => {
    const { text, html } = await causes['account-changed'](await mailApp({}, {}, behindProxy), headers)
    for (const part of [text, html]) {
      expect(part).toContain('Done by: someone who manages accounts')
      expect(part).not.toMatch(/Device|Place|Firefox|192\.0/)
    }
  })

  test("says when the app's own code did it", async () => {
    const service = await mailApp()
    const alice = await service.users.findByEmail(email)
    await service.app.accounts.secureUser(alice?.id ?? '')
    const { text } = await service.mail('choose-password')
    expect(text).toMatch(/When: .* UTC\nDone by: us\n/)
    expect(text).not.toContain('Device')
  })

  test.each([
    ['2001:db8:1:2::5', 'truncated', 'network 2001:db8:1:…'],
    ['2001:db8::5', 'truncated', 'network 2001:db8:0:…'],
    ['::ffff:192.0.2.7', 'truncated', 'network 192.0.2.x'],
    ['192.0.2.7:4711', 'truncated', 'network 192.0.2.x'],
    ['192.0.2.7', 'full', 'network 192.0.2.x'],
    ['10.1.2.3', 'truncated', 'network 10.1.2.x'],
    ['192.0.2.7', 'off', null],
    ['127.0.0.1', 'truncated', null],
    ['::1', 'truncated', null],
    ['unknown', 'truncated', null],
  ] as const)('of a client at %s, with session.ip %s, names the place %s', async (address, ip, place) => {
    const service = await mailApp({ session: { ip } }, {}, behindProxy)
    const { text } = await causes['new-device'](service, { 'x-forwarded-for': address })
    expect(/Place: (.*)/.exec(text)?.[1] ?? null).toBe(place)
    expect(text).toContain('Device: unknown\n')
  })

  test.each([
    ['10.0.0.5', null],
    ['192.0.2.7', 'network 192.0.2.x'],
  ])(
    'names no proxy that the app does not trust, and believes no client: %s',
    async (remoteAddress, place) => {
      const service = await mailApp()
      await logIn(service)
      const body = { username: 'alice', password: goodPassword }
      const through = { 'x-forwarded-for': '198.51.100.9' }
      await service.send('POST', '/login/', body, { headers: through, remoteAddress })
      const { text } = await service.mail('new-device')
      expect(/Place: (.*)/.exec(text)?.[1] ?? null).toBe(place)
      expect(text).not.toContain('198.51')
    },
  )

  test('gives templates the same facts', async () => {
    const seen: EmailFacts[] = []
    const keep = (facts: EmailFacts, shipped: (facts: EmailFacts) => EmailContent) => {
      seen.push(facts)
      return shipped(facts)
    }
    const emails = { 'reset-password': keep, 'password-changed': keep, 'account-changed': keep }
    const service = await mailApp({ emails }, {}, behindProxy)
    await causes['reset-password'](service, headers)
    await causes['password-changed'](service, headers)
    await causes['account-changed'](service, headers)
    const occasion = { time: expect.any(Date), device: 'Firefox, Linux', place: 'network 192.0.2.x' }
    expect(seen[0]).toMatchObject({ ...occasion, by: 'request' })
    expect(seen.at(-2)).toMatchObject({ ...occasion, by: 'request' })
    expect(seen.at(-1)).toMatchObject({ time: expect.any(Date), by: 'staff' })
    expect(seen.at(-1)).not.toHaveProperty('device')
  })
})

describe('one action', () => {
  test('password-changed leads to securing the account, not to a reset', async () => {
    const { text } = await causes['password-changed'](await mailApp(), {})
    expect(text.match(/https?:\S+/g)).toHaveLength(1)
    expect(text).toMatch(/secure it.*\n\nhttp\S+\/not-me\//i)
    expect(text).not.toMatch(/reset/i)
  })

  test('without its link, it leads to a reset', async () => {
    const outbox = lastingOutbox()
    const users = { ...createMemoryUserStore(), outbox }
    const service = await testAppOn({ users, sessions: createMemorySessionStore() })
    const { id } = await signUp(service, 'alice', { email })
    await outbox.add([newPendingMail({ userId: id, to: email, state: 'of another time' })])
    await service.send('POST', '/forgot/', { email: 'nobody@example.org' })
    const { text } = await service.mail('password-changed')
    expect(text).toContain('Reset your password now.')
    expect(text).not.toMatch(/https?:|secure/i)
  })
})

describe('emails posted by an earlier version', () => {
  test('are still written: without a time, and with what they have of a device', async () => {
    const outbox = lastingOutbox()
    const users = { ...createMemoryUserStore(), outbox }
    const service = await testAppOn({ users, sessions: createMemorySessionStore() })
    const { id } = await signUp(service, 'alice', { email })
    await service.app.accounts.updateUser(id, { isVerified: true })
    const { at: _, by: _by, label: _label, ...earlier } = newPendingMail({ userId: id, to: email })
    await outbox.add([
      { ...earlier, kind: 'new-device', device: ['Firefox', 'Windows', '192.0.2.0/24'] },
      { ...earlier, kind: 'password-changed' },
    ])
    await service.send('POST', '/forgot/', { email: 'nobody@example.org' })
    const device = await service.mail('new-device')
    expect(device.text).toContain('Device: Firefox, Windows\nPlace: network 192.0.2.x\n')
    const changed = await service.mail('password-changed')
    for (const { text } of [device, changed]) expect(text).not.toMatch(/undefined|Invalid|When:|Done by|\{/)
  })
})

describe('the deletion of an account', () => {
  const remove = async (service: TestApp, id: string, cookie: string, extra = {}) =>
    service.send('DELETE', `/user/${id}`, undefined, { headers: { cookie, ...extra } })
  const bossOf = async (service: TestApp) => {
    const boss = { username: 'boss', password: goodPassword, isStaff: true }
    await service.app.accounts.createUser(boss)
    return logIn(service, 'boss')
  }
  const idOf = async ({ users }: TestApp) => (await users.findByEmail(email))?.id ?? ''

  test('is told by its owner’s address, without a link', async () => {
    const { to, text, html } = await causes['account-deleted'](await mailApp(), {})
    expect(to).toEqual({ name: 'alice', address: email })
    expect(text).toContain('Your account was deleted.')
    expect(text).toContain('contact us')
    expect(text + html).not.toMatch(/href|https?:/)
  })

  test.each(['in memory', 'in an outbox'])(
    'by staff, even of a disabled account, posted %s',
    async (where) => {
      const users = createMemoryUserStore()
      const outbox = lastingOutbox()
      const kept: string[][] = []
      const storing = {
        ...users,
        outbox,
        async delete(id: string, messages: readonly PendingMessage[] = []) {
          const mails = messages as readonly PendingMail[]
          kept.push(mails.map(({ kind }) => kind))
          await outbox.add(mails)
          return users.delete(id)
        },
      }
      const service = await testAppOn({
        users: where === 'in memory' ? users : storing,
        sessions: createMemorySessionStore(),
      })
      const alice = { username: 'alice', password: goodPassword, email, isVerified: true }
      const { id } = await service.app.accounts.createUser(alice)
      await service.app.accounts.updateUser(id, { isActive: false })
      const cookie = await bossOf(service as never)
      const response = await service.send('DELETE', `/user/${id}`, undefined, {
        headers: { cookie, 'user-agent': agent },
      })
      expect(response.statusCode).toBe(204)
      const { text } = await service.mail('account-deleted', email)
      expect(text).toContain('Done by: someone who manages accounts')
      expect(text).not.toContain('Firefox')
      expect(kept).toEqual(where === 'in memory' ? [] : [['account-deleted']])
    },
  )

  test("by the app's own code", async () => {
    const service = await mailApp()
    expect(await service.app.accounts.deleteUser(await idOf(service))).toBe(true)
    expect((await service.mail('account-deleted')).text).toContain('Done by: us')
  })

  test('in the language that the owner had chosen', async () => {
    const users = { fields: Type.Object({ locale: Type.Optional(Type.String()) }) }
    const service = await mailApp({ users }, { fields: { locale: 'de-AT' } })
    const { subject } = await causes['account-deleted'](service, { 'accept-language': 'fr' })
    expect(subject).toBe('Ihr Konto bei localhost:3000 wurde gelöscht')
  })

  test('tells nobody at an address that was never proven, nor twice', async () => {
    const service = await testApp()
    const { id } = await signUp(service, 'alice', { email })
    const cookie = await logIn(service)
    expect((await remove(service, id, cookie)).statusCode).toBe(204)
    const bob = { username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true }
    const { id: bobsId } = await service.app.accounts.createUser(bob)
    const boss = await bossOf(service)
    const responses = await Promise.all([1, 2, 3].map(() => remove(service, bobsId, boss)))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404, 404])
    await service.app.close()
    const told = service.mails.filter(({ kind }) => kind === 'account-deleted')
    expect(told.map(({ to }) => to.address)).toEqual(['bob@example.org'])
  })
})

describe('wrong codes', () => {
  const told = (service: TestApp) => service.mails.filter(({ kind }) => kind === 'factor-guessed')
  const guess = (service: TestApp, cookie: string) =>
    service.send('POST', '/confirm/', { code: '000000' }, as(cookie))

  test('are told once, wherever they were entered, and again after a success', async () => {
    const service = await factorApp()
    const { cookie, codes } = await enroll(service)
    for (let n = 0; n < 2; n += 1) await guess(service, cookie)
    await service.settle()
    expect(told(service)).toEqual([])
    await guess(service, cookie)
    const { text } = await service.mail('factor-guessed')
    expect(text).toContain('entered the wrong codes or used the wrong passkeys three times or more')
    expect(text).not.toMatch(/logged in to your account/)
    for (let n = 0; n < 4; n += 1) await secondStep(service, await firstStep(service), '000000')
    expect((await secondStep(service, await firstStep(service), codes[0] ?? '')).statusCode).toBe(200)
    for (let n = 0; n < 4; n += 1) await secondStep(service, await firstStep(service), '000000')
    await service.app.close()
    expect(told(service)).toHaveLength(2)
  })

  test('that no version has told are told at the next one', async () => {
    const service = await factorApp()
    await enroll(service)
    const alice = await service.users.findById(service.id)
    const credentials = alice?.credentials.map((each) =>
      each.kind === 'totp' ? { ...each, misses: 4 } : each,
    )
    await service.users.update(service.id, { credentials }, alice?.version ?? 0)
    await secondStep(service, await firstStep(service), '000000')
    await service.mail('factor-guessed')
  })
})

test('a second factor that a reset has removed is told by itself', async () => {
  const service = await testApp()
  const { id } = await signUp(service, 'alice', { email })
  await service.send('POST', '/user/v/', { email })
  // Verified by a reader of the mailbox, who hasn't shown that the account is theirs.
  await service.send('POST', linkPath(await service.mail('verify-email')), undefined, { headers: {} })
  const alice = await service.users.findById(id)
  const app = { kind: 'totp', id: 'app', createdAt: new Date().toISOString() }
  const credentials = [...(alice?.credentials ?? []), app]
  await service.users.update(id, { factors: ['totp'], credentials }, alice?.version ?? 0)
  await service.send('POST', '/forgot/', { email })
  const pair = { new_password: otherPassword, confirm_password: otherPassword }
  const reset = await service.send('POST', linkPath(await service.mail('reset-password')), pair)
  expect(reset.statusCode).toBe(204)
  expect((await service.users.findById(id))?.factors).toEqual([])
  const { text } = await service.mail('factor-reset')
  expect(text).toContain('was removed when the account was recovered')
  expect((await service.mail('password-changed')).text).toContain('1 authenticator app')
})
