import {
  as,
  goodPassword,
  linkTarget,
  logIn,
  outbox,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { Type } from '@sinclair/typebox'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Mail, Mailer } from '../../src/index.js'

const minute = 60_000
const day = 24 * 60 * minute

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const [old, fresh, third] = ['alice@example.org', 'alice@example.net', 'mallory@example.com']

async function withAlice(options: Parameters<typeof testApp>[0] = {}) {
  const service = await testApp(options)
  const { id } = await signUp(service, 'alice', { email: old })
  await service.app.accounts.updateUser(id, { isVerified: true })
  const cookie = await logIn(service)
  const me = async () => (await service.users.findByUsername('alice')) ?? undefined
  return { service, cookie, me }
}

const ask = ({ send }: TestApp, cookie: string, email: string) =>
  send('POST', '/change-email/', { email }, as(cookie))

/** Changes the address, as the owner or a thief with the session would. */
async function change(service: TestApp, cookie: string, email: string): Promise<void> {
  expect((await ask(service, cookie, email)).statusCode).toBe(202)
  const link = linkTarget(await service.mail('change-email', email))
  expect((await service.send('POST', link)).statusCode).toBe(200)
}

describe('PATCH /me/', () => {
  const fields = Type.Object({
    city: Type.String({ maxLength: 20 }),
    tags: Type.Optional(Type.Array(Type.String())),
  })
  const patch = ({ send }: TestApp, cookie: string, body: object) => send('PATCH', '/me/', body, as(cookie))

  test('changes the given fields, and nothing else', async () => {
    const service = await testApp({ users: { fields } })
    await signUp(service, 'alice', { city: 'Ghent', tags: ['a'] })
    const cookie = await logIn(service)
    const changed = await patch(service, cookie, { username: 'Alicia', city: 'Namur' })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toMatchObject({ username: 'Alicia', city: 'Namur', tags: ['a'] })
    expect(await whoIs(service, cookie)).toBe('Alicia')
    expect(await whoIs(service, await logIn(service, 'ALICIA'))).toBe('Alicia')
    expect((await patch(service, cookie, {})).json()).toMatchObject({ username: 'Alicia', city: 'Namur' })
  })

  test('null removes an optional field, unless its schema allows null', async () => {
    const own = Type.Object({
      city: Type.Optional(Type.String({ maxLength: 20 })),
      born: Type.Optional(Type.String({ format: 'date' })),
      locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('de')])),
      size: Type.Optional(Type.Unsafe<'s' | 'l'>({ type: 'string', enum: ['s', 'l'] })),
      tags: Type.Optional(Type.Array(Type.String())),
      title: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    })
    const service = await testApp({ users: { fields: own } })
    await signUp(service, 'alice', {
      city: 'Ghent',
      born: '1815-12-10',
      locale: 'de',
      size: 's',
      tags: [],
      title: 'Countess',
    })
    const cookie = await logIn(service)
    const changed = await patch(service, cookie, {
      city: null,
      locale: null,
      size: null,
      tags: null,
      title: null,
    })
    expect(changed.statusCode).toBe(200)
    expect((await service.users.findByUsername('alice'))?.fields).toEqual({ born: '1815-12-10', title: null })
  })

  test.each([
    [{ city: null }, 'city', 'invalid'],
    [{ street: null }, 'street', 'unknown'],
    [{ username: null }, 'username', 'invalid'],
    [{ username: 'a b' }, 'username', 'invalid'],
    [{ username: '' }, 'username', 'required'],
    [{ city: 'x'.repeat(21) }, 'city', 'too_long'],
    [{ city: 7 }, 'city', 'invalid'],
    [{ email: 'x@example.org' }, 'email', 'read_only'],
    [{ is_staff: true }, 'is_staff', 'read_only'],
  ])('rejects %j', async (body, field, code) => {
    const service = await testApp({ users: { fields } })
    await signUp(service, 'alice', { city: 'Ghent' })
    const cookie = await logIn(service)
    expect((await patch(service, cookie, body)).json()).toMatchObject({
      statusCode: 400,
      fields: [{ field, code }],
    })
    const kept = { username: 'alice', email: null, isStaff: false, fields: { city: 'Ghent' } }
    expect(await service.users.findByUsername('alice')).toMatchObject(kept)
  })

  test('a user from before a required field was declared can change another field', async () => {
    const { service } = await withAlice()
    const later = await testApp({
      users: { fields },
      userStore: service.users,
      passwordHasher: service.hasher,
    })
    const cookie = await logIn(later)
    const response = await patch(later, cookie, { tags: ['b'] })
    expect([response.statusCode, response.json().tags]).toEqual([200, ['b']])
  })

  test("previously oversized fields may shrink, and don't prevent a change of username", async () => {
    const text = Type.Optional(Type.String())
    const service = await testApp({ users: { fields: Type.Object({ bio: text, motto: text }) } })
    const { id } = await signUp(service, 'alice')
    const cookie = await logIn(service)
    const user = await service.users.findById(id)
    await service.users.update(id, { fields: { bio: 'x'.repeat(20_000) } }, user?.version ?? 0)
    expect((await patch(service, cookie, { username: 'Alicia' })).statusCode).toBe(200)
    expect((await patch(service, cookie, { motto: 'y' })).json().fields).toMatchObject([
      { field: '', code: 'too_long' },
    ])
    expect((await patch(service, cookie, { bio: 'x'.repeat(16_000) })).statusCode).toBe(200)
    expect((await patch(service, cookie, { motto: 'y'.repeat(300) })).statusCode).toBe(200)
  })

  test("a field's default never replaces a value", async () => {
    const withDefault = Type.Object({
      newsletter: Type.Boolean({ default: true }),
      city: Type.String({ default: '' }),
    })
    const service = await testApp({ users: { fields: withDefault } })
    await signUp(service, 'alice', { newsletter: false, city: 'Ghent' })
    const changed = await patch(service, await logIn(service), { city: 'Namur' })
    expect(changed.json()).toMatchObject({ newsletter: false, city: 'Namur' })
  })

  test('a taken username is 409; one’s own in another case isn’t', async () => {
    const { service, cookie } = await withAlice()
    await signUp(service, 'bob')
    expect((await patch(service, cookie, { username: 'BOB' })).json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
    expect((await patch(service, cookie, { username: 'ALICE' })).json().username).toBe('ALICE')
  })

  test('two simultaneous changes are both applied', async () => {
    const service = await testApp({ users: { fields } })
    await signUp(service, 'alice', { city: 'Ghent' })
    const cookie = await logIn(service)
    await Promise.all([
      patch(service, cookie, { city: 'Namur' }),
      patch(service, cookie, { tags: ['c'] }),
      patch(service, cookie, { username: 'alicia' }),
    ])
    const user = await service.users.findByUsername('alicia')
    expect(user?.fields).toEqual({ city: 'Namur', tags: ['c'] })
  })

  test('has a rate limit per user', async () => {
    const { service, cookie } = await withAlice({
      throttle: { limits: { changeProfile: { max: 1, window: minute } } },
    })
    expect((await patch(service, cookie, { username: 'alicia' })).statusCode).toBe(200)
    expect((await patch(service, cookie, { username: 'alicja' })).statusCode).toBe(429)
  })
})

describe('DELETE /me/', () => {
  test('respects the policy', async () => {
    const { service, cookie, me } = await withAlice({ authorize: { deleteUser: (actor) => actor.isStaff } })
    const refused = await service.send('DELETE', '/me/', undefined, as(cookie))
    expect([refused.json().code, (await me())?.username]).toEqual(['ACCOUNTS_FORBIDDEN', 'alice'])
  })
})

describe('POST /change-email/', () => {
  test('requires a recent login, a valid address, and a different one', async () => {
    const { service, cookie } = await withAlice()
    expect((await ask(service, cookie, 'nobody')).json().fields).toMatchObject([{ code: 'invalid' }])
    expect((await ask(service, cookie, 'ALICE@example.org')).json().fields).toMatchObject([
      { code: 'unchanged' },
    ])
    wait(15 * minute)
    expect((await ask(service, cookie, fresh)).json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
  })

  test('has a rate limit per user, and its emails one per address', async () => {
    const limits = { changeEmail: { max: 2, window: minute }, verifyMails: { max: 1, window: minute } }
    const { service, cookie } = await withAlice({ throttle: { limits } })
    await ask(service, cookie, fresh)
    await service.mail('change-email', fresh)
    expect((await ask(service, cookie, fresh)).statusCode).toBe(202)
    expect((await ask(service, cookie, fresh)).statusCode).toBe(429)
    await service.settle()
    expect(service.mails.filter(({ kind }) => kind === 'change-email')).toHaveLength(1)
  })
})

describe('a pending change of address', () => {
  const none = { email: null, expires_at: null }
  const show = async ({ send }: TestApp, cookie: string) =>
    (await send('GET', '/change-email/', undefined, as(cookie))).json()
  const cancel = ({ send }: TestApp, cookie: string) =>
    send('DELETE', '/change-email/', undefined, as(cookie))
  const isGood = async ({ send }: TestApp, link: string) => (await send('GET', link)).statusCode === 200

  test('is shown until its link expires or is replaced, whether or not the address has an account', async () => {
    const { service, cookie } = await withAlice()
    await signUp(service, 'bob', { email: third })
    expect(await show(service, cookie)).toEqual(none)
    await ask(service, cookie, fresh)
    expect(await show(service, cookie)).toEqual({ email: fresh, expires_at: '2026-01-02T00:00:00.000Z' })
    const link = linkTarget(await service.mail('change-email', fresh))
    wait(minute)
    await ask(service, cookie, third)
    expect(await show(service, cookie)).toEqual({ email: third, expires_at: '2026-01-02T00:01:00.000Z' })
    expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    wait(day - 1)
    expect((await show(service, cookie)).email).toBe(third)
    wait(1)
    expect(await show(service, cookie)).toEqual(none)
    expect((await service.send('GET', '/change-email/')).statusCode).toBe(401)
  })

  test('has a link that is good as long as it is shown, however late its email is', async () => {
    const { mails, send } = outbox()
    let isAway = true
    const mailer: Mailer = {
      async send(mail) {
        if (!isAway) return send(mail)
        isAway = false
        throw new Error('451 try again later')
      },
    }
    const { service, cookie } = await withAlice({ mailer })
    await service.settle()
    isAway = true
    await ask(service, cookie, fresh)
    await vi.waitUntil(() => !isAway, 60_000)
    wait(22 * 60 * minute)
    const mail = await vi.waitUntil(() => mails.find(({ kind }) => kind === 'change-email'), 60_000)
    expect(mail.text).toContain('2 hours')
    wait(120 * minute - 1000)
    expect(await isGood(service, linkTarget(mail))).toBe(true)
    wait(1000)
    expect(await isGood(service, linkTarget(mail))).toBe(false)
  })

  test('is canceled by who is logged in, as often as they like', async () => {
    const limits = { changeEmail: { max: 1, window: day } }
    const { service, cookie, me } = await withAlice({ throttle: { limits } })
    await ask(service, cookie, fresh)
    const link = linkTarget(await service.mail('change-email', fresh))
    expect(await isGood(service, link)).toBe(true)
    wait(60 * minute)
    expect((await ask(service, cookie, third)).json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    expect((await service.send('DELETE', '/change-email/')).statusCode).toBe(401)
    expect(await isGood(service, link)).toBe(true)
    for (const _ of [1, 2]) expect((await cancel(service, cookie)).statusCode).toBe(204)
    expect([await show(service, cookie), await isGood(service, link)]).toEqual([none, false])
    expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    expect((await me())?.notes).toEqual({})
  })

  test('is not mailed once it is canceled', async () => {
    let isAway = false
    const { mails, send } = outbox()
    const mailer: Mailer = {
      async send(mail) {
        if (isAway) throw new Error('451 try again later')
        await send(mail)
      },
    }
    const { service, cookie } = await withAlice({ mailer })
    await service.settle()
    isAway = true
    await ask(service, cookie, fresh)
    await cancel(service, cookie)
    isAway = false
    await ask(service, cookie, third)
    await vi.waitUntil(() => mails.find(({ to }) => to.address === third), 60_000)
    await service.settle()
    expect(mails.filter(({ kind }) => kind === 'change-email').map(({ to }) => to.address)).toEqual([third])
  })

  const password = 'a password of their own'
  const ends: Record<
    string,
    (service: TestApp, cookie: string, id: string, link: string) => Promise<unknown>
  > = {
    'its confirmation': (service, _cookie, _id, link) => service.send('POST', link),
    'a change of the password': ({ send }, cookie) =>
      send(
        'POST',
        '/change-password/',
        { old_password: goodPassword, new_password: password, confirm_password: password },
        as(cookie),
      ),
    'another password by code': ({ app }, _cookie, id) => app.accounts.setPassword(id, password),
    'securing the account': ({ app }, _cookie, id) => app.accounts.secureUser(id),
    'another address by staff': ({ app }, _cookie, id) => app.accounts.updateUser(id, { email: third }),
    async 'a reset'(service) {
      await service.send('POST', '/forgot/', { email: old })
      const link = linkTarget(await service.mail('reset-password', old))
      return service.send('POST', link, { new_password: password, confirm_password: password })
    },
  }
  test.each(Object.entries(ends))('ends with %s', async (name, end) => {
    const { service, cookie, me } = await withAlice()
    const { id = '' } = (await me()) ?? {}
    await ask(service, cookie, fresh)
    const link = linkTarget(await service.mail('change-email', fresh))
    await end(service, cookie, id, link)
    const address = name === 'its confirmation' ? fresh : name.endsWith('staff') ? third : old
    expect((await me())?.email).toBe(address)
    expect(await isGood(service, link)).toBe(false)
    await service.app.accounts.setPassword(id, goodPassword)
    expect(await show(service, await logIn(service))).toEqual(none)
  })

  test('is not shown once something else has ended its link', async () => {
    const { service, cookie, me } = await withAlice()
    await ask(service, cookie, fresh)
    const { id = '', version = 0 } = (await me()) ?? {}
    const credentials = [{ kind: 'passkey', id: 'new', createdAt: new Date().toISOString() }]
    await service.users.update(id, { credentials }, version)
    expect(await show(service, cookie)).toEqual(none)
  })
})

describe('the undo link', () => {
  test('is valid for a week from the change, however late its email is', async () => {
    const { mails, send } = outbox()
    let isAway = true
    const mailer: Mailer = {
      async send(mail) {
        if (mail.kind === 'email-changed' && isAway) {
          isAway = false
          throw new Error('451 try again later')
        }
        await send(mail)
      },
    }
    const { service, cookie } = await withAlice({ mailer })
    const arrived = (kind: Mail['kind']) =>
      vi.waitUntil(() => mails.find((mail) => mail.kind === kind), 60_000)
    expect((await ask(service, cookie, fresh)).statusCode).toBe(202)
    await service.send('POST', linkTarget(await arrived('change-email')))
    await vi.waitUntil(() => !isAway, 60_000)
    await service.settle()
    wait(6 * day)
    const notice = await arrived('email-changed')
    expect(notice.text).toContain('24 hours')
    const look = async () => (await service.send('GET', linkTarget(notice))).json()
    wait(day - minute)
    expect(await look()).toEqual({ valid: true })
    wait(2 * minute)
    expect((await look()).code).toBe('ACCOUNTS_INVALID_LINK')
  })

  test('is emailed to an account that is disabled meanwhile, and works once it is enabled', async () => {
    const { mails, send } = outbox()
    let isUp = false
    const mailer: Mailer = {
      async send(mail) {
        if (mail.kind === 'email-changed' && !isUp) throw new Error('451 try again later')
        await send(mail)
      },
    }
    const { service, cookie, me } = await withAlice({ mailer })
    const { id } = (await service.users.findByUsername('alice')) ?? { id: '' }
    const arrived = (kind: Mail['kind']) =>
      vi.waitUntil(() => mails.find((mail) => mail.kind === kind), 60_000)
    await ask(service, cookie, fresh)
    await service.send('POST', linkTarget(await arrived('change-email')))
    await service.app.accounts.updateUser(id, { isActive: false })
    isUp = true
    const undo = linkTarget(await arrived('email-changed'))
    expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    await service.app.accounts.updateUser(id, { isActive: true })
    expect((await service.send('POST', undo)).statusCode).toBe(200)
    expect((await me())?.email).toBe(old)
  })

  test('enables no account that was waiting for confirmation', async () => {
    const service = await testApp({ requireEmailConfirmation: true })
    for (const username of ['alice', 'squatter']) {
      const created = await service.app.accounts.createUser({ username, password: goodPassword })
      if (username === 'squatter') continue
      const user = await service.users.findById(created.id)
      const address = { email: fresh, emailKey: fresh, isVerified: true }
      await service.users.update(created.id, address, user?.version ?? 0)
    }
    await change(service, await logIn(service), third)
    const undo = linkTarget(await service.mail('email-changed', fresh))
    const session = await logIn(service, 'squatter')
    const squatter = await service.users.findByUsername('squatter')
    await service.users.update(squatter?.id ?? '', { email: fresh, emailKey: fresh }, squatter?.version ?? 0)
    expect((await service.send('POST', undo)).statusCode).toBe(200)
    const login = await service.send('POST', '/login/', { username: 'squatter', password: goodPassword })
    expect(login.json().code).toBe('ACCOUNTS_DISABLED')
    await service.app.accounts.updateUser(squatter?.id ?? '', { isActive: true })
    expect(await whoIs(service, session)).toBeNull()
  })

  test("doesn't take the address from a user who has verified it", async () => {
    const { service, cookie, me } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkTarget(await service.mail('email-changed', old))
    const bob = await signUp(service, 'bob', { email: old })
    await service.app.accounts.updateUser(bob.id, { isVerified: true })
    expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_EMAIL_TAKEN')
    expect((await me())?.email).toBe(fresh)
  })

  test('expires after seven days; then the next change sends a new one', async () => {
    const { service, cookie } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkTarget(await service.mail('email-changed', old))
    wait(7 * day + minute)
    expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    await change(service, await logIn(service), third)
    expect((await service.mail('email-changed', fresh)).text).toContain('/undo/')
  })

  test('of twenty simultaneous uses, one wins', async () => {
    const { service, cookie } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkTarget(await service.mail('email-changed', old))
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.send('POST', undo)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test("isn't sent if there was no address before", async () => {
    const service = await testApp()
    await signUp(service)
    await change(service, await logIn(service), fresh)
    await service.settle()
    expect(service.mails.map(({ kind }) => kind)).not.toContain('email-changed')
  })
})
