import {
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
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
const as = (cookie: string) => ({ headers: { cookie } })
const [old, fresh, third] = ['alice@example.org', 'alice@example.net', 'mallory@example.com']

/** The link in a mail, with its query. */
function linkIn(mail: Mail): string {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '')
  return pathname + search
}

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

/** Changes the address as its owner, or whoever has the session, does. */
async function change(service: TestApp, cookie: string, email: string): Promise<void> {
  expect((await ask(service, cookie, email)).statusCode).toBe(202)
  const link = linkIn(await service.mail('change-email', email))
  expect((await service.send('POST', link)).statusCode).toBe(200)
}

describe('PATCH /me/', () => {
  const fields = Type.Object({
    city: Type.String({ maxLength: 20 }),
    tags: Type.Optional(Type.Array(Type.String())),
  })
  const patch = ({ send }: TestApp, cookie: string, body: object) => send('PATCH', '/me/', body, as(cookie))

  test('changes what is given, and nothing else', async () => {
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

  test('null takes away a field that nobody needs to have, unless its schema means something by it', async () => {
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
    [{ email: 'x@example.org' }, 'email', 'unknown'],
    [{ is_staff: true }, 'is_staff', 'unknown'],
  ])('refuses %j', async (body, field, code) => {
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

  test('a user from before a field was declared may change another', async () => {
    const { service } = await withAlice()
    const later = await testApp({
      users: { fields },
      userStore: service.users,
      passwordHasher: service.hasher,
    })
    const cookie = await logIn(later)
    const answer = await patch(later, cookie, { tags: ['b'] })
    expect([answer.statusCode, answer.json().tags]).toEqual([200, ['b']])
  })

  test('fields that were too large before may shrink, and do not stand in the way of another name', async () => {
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

  test('a default of a field takes the place of no value', async () => {
    const withDefault = Type.Object({
      newsletter: Type.Boolean({ default: true }),
      city: Type.String({ default: '' }),
    })
    const service = await testApp({ users: { fields: withDefault } })
    await signUp(service, 'alice', { newsletter: false, city: 'Ghent' })
    const changed = await patch(service, await logIn(service), { city: 'Namur' })
    expect(changed.json()).toMatchObject({ newsletter: false, city: 'Namur' })
  })

  test('a name that is taken is 409; a name of one’s own in another case is not', async () => {
    const { service, cookie } = await withAlice()
    await signUp(service, 'bob')
    expect((await patch(service, cookie, { username: 'BOB' })).json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
    expect((await patch(service, cookie, { username: 'ALICE' })).json().username).toBe('ALICE')
  })

  test('of two changes at once none is lost', async () => {
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

  test('has a limit a user', async () => {
    const { service, cookie } = await withAlice({
      throttle: { limits: { changeProfile: { max: 1, window: minute } } },
    })
    expect((await patch(service, cookie, { username: 'alicia' })).statusCode).toBe(200)
    expect((await patch(service, cookie, { username: 'alicja' })).statusCode).toBe(429)
  })
})

describe('DELETE /me/', () => {
  test('deletes the account of whoever gave the password lately, here and at /user/{pk}', async () => {
    const { service, cookie, me } = await withAlice()
    const id = (await me())?.id
    wait(15 * minute)
    for (const url of ['/me/', `/user/${id}`]) {
      const refused = await service.send('DELETE', url, undefined, as(cookie))
      expect(refused.json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
    }
    const again = await logIn(service)
    const done = await service.send('DELETE', '/me/', undefined, as(again))
    expect([done.statusCode, String(done.headers['set-cookie'])]).toEqual([
      204,
      expect.stringContaining('session=; Max-Age=0'),
    ])
    expect(await me()).toBeUndefined()
    expect(await whoIs(service, cookie)).toBeNull()
  })

  test('asks the policy', async () => {
    const { service, cookie, me } = await withAlice({ authorize: { deleteUser: (actor) => actor.isStaff } })
    const refused = await service.send('DELETE', '/me/', undefined, as(cookie))
    expect([refused.json().code, (await me())?.username]).toEqual(['ACCOUNTS_FORBIDDEN', 'alice'])
  })
})

describe('POST /change-email/', () => {
  test('the link goes to the new address, and changes nothing until its button is pressed', async () => {
    const { service, cookie, me } = await withAlice()
    const asked = await ask(service, cookie, ` ${fresh} `)
    expect(asked.statusCode).toBe(202)
    const link = linkIn(await service.mail('change-email', fresh))
    const page = await service.send('GET', link, undefined, { headers: browser })
    expect([page.statusCode, page.body.includes('<form method="post">'), page.body.includes(fresh)]).toEqual([
      200,
      true,
      true,
    ])
    expect((await service.send('GET', link)).json()).toEqual({ valid: true })
    expect((await me())?.email).toBe(old)
    const done = await service.send('POST', link, undefined, { headers: browser })
    expect([done.statusCode, done.body.includes(fresh)]).toEqual([200, true])
    expect(await me()).toMatchObject({ email: fresh, isVerified: true })
    expect(await whoIs(service, cookie)).toBe('alice')
    expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    expect((await service.mail('email-changed', old)).text).toContain('/email/undo/')
  })

  test('a link is for one address, one user and one state', async () => {
    const { service, cookie, me } = await withAlice()
    await ask(service, cookie, fresh)
    const link = linkIn(await service.mail('change-email', fresh))
    const bare = linkPath(await service.mail('change-email', fresh))
    for (const url of [
      bare,
      `${bare}?email=${third}`,
      `${link}&email=${third}`,
      link.replace('/email/', '/email/undo/'),
    ]) {
      expect([url, (await service.send('POST', url)).json().code]).toEqual([url, 'ACCOUNTS_INVALID_LINK'])
    }
    expect((await service.send('GET', `${link}&utm_source=mail`)).statusCode).toBe(200)
    await service.app.accounts.setPassword((await me())?.id ?? '', otherPassword)
    expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    wait(2 * day)
    expect((await me())?.email).toBe(old)
  })

  test('an address that somebody has is answered alike, and its owner is told', async () => {
    const { service, cookie } = await withAlice()
    await signUp(service, 'bob', { email: third })
    const [taken, free] = [await ask(service, cookie, third), await ask(service, cookie, fresh)]
    expect([taken.statusCode, taken.body]).toEqual([202, free.body])
    expect((await service.mail('email-taken', third)).text).toContain('bob')
    await service.mail('change-email', fresh)
    expect(service.mails.filter(({ to, kind }) => to.address === third && kind === 'change-email')).toEqual(
      [],
    )
    expect(service.mails.filter(({ to, kind }) => to.address === fresh && kind === 'email-taken')).toEqual([])
  })

  test('an address that was taken meanwhile is told to whoever holds the link', async () => {
    const { service, cookie, me } = await withAlice()
    await ask(service, cookie, fresh)
    const link = linkIn(await service.mail('change-email', fresh))
    await signUp(service, 'bob', { email: fresh })
    expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_EMAIL_TAKEN')
    expect((await me())?.email).toBe(old)
  })

  test('needs a recent password, an address, and another one', async () => {
    const { service, cookie } = await withAlice()
    expect((await ask(service, cookie, 'nobody')).json().fields).toMatchObject([{ code: 'invalid' }])
    expect((await ask(service, cookie, 'ALICE@example.org')).json().fields).toMatchObject([
      { code: 'unchanged' },
    ])
    wait(15 * minute)
    expect((await ask(service, cookie, fresh)).json().code).toBe('ACCOUNTS_CONFIRMATION_REQUIRED')
  })

  test('has a limit a user, and the mails a limit an address', async () => {
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

describe('the undo link', () => {
  test('puts the old address back, logs everybody out, voids the password and mails a reset link', async () => {
    const { service, cookie, me } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkIn(await service.mail('email-changed', old))
    expect((await service.send('GET', undo, undefined, { headers: browser })).body).toContain(
      '<form method="post">',
    )
    expect((await me())?.email).toBe(fresh)
    expect((await service.send('POST', undo)).statusCode).toBe(200)
    expect(await me()).toMatchObject({ email: old, isVerified: true, emailChangedAt: null })
    expect(await whoIs(service, cookie)).toBeNull()
    const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
    expect(login.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
    expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    const reset = linkIn(await service.mail('choose-password', old))
    const form = { new_password: otherPassword, confirm_password: otherPassword }
    expect((await service.send('POST', reset, form)).statusCode).toBe(204)
    expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
  })

  test('outlasts whatever a thief does: another password, another address, the old one for an account of theirs', async () => {
    const { service, cookie, me } = await withAlice()
    await change(service, cookie, third)
    const undo = linkIn(await service.mail('email-changed', old))
    await service.app.accounts.setPassword((await me())?.id ?? '', otherPassword)
    const thief = await logIn(service, 'alice', otherPassword)
    await change(service, thief, 'second@example.com')
    // No link against the owner's.
    expect((await service.mail('email-changed', third)).text).not.toContain('/undo/')
    const squatter = await signUp(service, 'squatter', { email: old })
    expect((await service.send('POST', undo)).statusCode).toBe(200)
    expect((await me())?.email).toBe(old)
    expect((await service.users.findById(squatter.id))?.email).toBeNull()
    expect(await whoIs(service, thief)).toBeNull()
  })

  test('lives a week from the change on, however late its mail is', async () => {
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
      vi.waitUntil(() => mails.find((mail) => mail.kind === kind), 30_000)
    expect((await ask(service, cookie, fresh)).statusCode).toBe(202)
    await service.send('POST', linkIn(await arrived('change-email')))
    await vi.waitUntil(() => !isAway)
    await service.settle()
    wait(6 * day)
    const notice = await arrived('email-changed')
    expect(notice.text).toContain('24 hours')
    const look = async () => (await service.send('GET', linkIn(notice))).json()
    wait(day - minute)
    expect(await look()).toEqual({ valid: true })
    wait(2 * minute)
    expect((await look()).code).toBe('ACCOUNTS_INVALID_LINK')
  })

  test('opens no account that waited for its confirmation', async () => {
    const service = await testApp({ requireEmailConfirmation: true })
    for (const username of ['alice', 'squatter']) {
      const created = await service.app.accounts.createUser({ username, password: goodPassword })
      if (username === 'squatter') continue
      const user = await service.users.findById(created.id)
      const address = { email: fresh, emailKey: fresh, isVerified: true }
      await service.users.update(created.id, address, user?.version ?? 0)
    }
    await change(service, await logIn(service), third)
    const undo = linkIn(await service.mail('email-changed', fresh))
    const session = await logIn(service, 'squatter')
    const squatter = await service.users.findByUsername('squatter')
    await service.users.update(squatter?.id ?? '', { email: fresh, emailKey: fresh }, squatter?.version ?? 0)
    expect((await service.send('POST', undo)).statusCode).toBe(200)
    const login = await service.send('POST', '/login/', { username: 'squatter', password: goodPassword })
    expect(login.json().code).toBe('ACCOUNTS_DISABLED')
    await service.app.accounts.updateUser(squatter?.id ?? '', { isActive: true })
    expect(await whoIs(service, session)).toBeNull()
  })

  test('takes the address from nobody who has proven it', async () => {
    const { service, cookie, me } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkIn(await service.mail('email-changed', old))
    const bob = await signUp(service, 'bob', { email: old })
    await service.app.accounts.updateUser(bob.id, { isVerified: true })
    expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_EMAIL_TAKEN')
    expect((await me())?.email).toBe(fresh)
  })

  test('lives for seven days; then the next change brings a new one', async () => {
    const { service, cookie } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkIn(await service.mail('email-changed', old))
    wait(7 * day + minute)
    expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    await change(service, await logIn(service), third)
    expect((await service.mail('email-changed', fresh)).text).toContain('/undo/')
  })

  test('of twenty uses at once one wins', async () => {
    const { service, cookie } = await withAlice()
    await change(service, cookie, fresh)
    const undo = linkIn(await service.mail('email-changed', old))
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.send('POST', undo)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('goes to nobody whose address was written by mistake, and leaves the next change its own', async () => {
    const service = await testApp()
    await signUp(service, 'alice', { email: 'alice@exmaple.org' })
    await change(service, await logIn(service), fresh)
    expect((await service.mail('email-changed', 'alice@exmaple.org')).text).not.toContain('/undo/')
    await change(service, await logIn(service), third)
    expect((await service.mail('email-changed', fresh)).text).toContain('/undo/')
  })

  test('who had no address has nothing to undo', async () => {
    const service = await testApp()
    await signUp(service)
    await change(service, await logIn(service), fresh)
    await service.settle()
    expect(service.mails.map(({ kind }) => kind)).not.toContain('email-changed')
  })
})
