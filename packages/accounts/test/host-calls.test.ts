import fastifyCookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Accounts,
  type AccountsError,
  type AuditEvent,
  apiKeys,
  createMemoryUserStore,
  secondFactor,
} from '../src/index.js'

const email = 'alice@example.org'
const fields = {
  type: 'object',
  properties: { plan: { type: 'string', enum: ['free', 'paid'] }, note: { type: 'string' } },
} as const

const faultsOf = async (call: Promise<unknown>) => {
  const error = (await call.catch((caught: AccountsError) => caught)) as AccountsError
  return [error.code, error.fields?.map(({ field, code }) => `${field} ${code}`)]
}

/** The pathname of a password link. */
const pathOf = async (service: TestApp, id: string): Promise<string> => {
  const link = await service.app.accounts.createPasswordLink(id)
  return new URL(link?.url ?? '').pathname
}
const choose = (service: TestApp, path: string, password = otherPassword) =>
  service.send('POST', path, { new_password: password, confirm_password: password })

describe('updateUser', () => {
  it('changes username, address, own fields and flags, and tells the owner as staff do', async () => {
    const service = await testApp({ users: { fields } })
    const { accounts } = service.app
    const { id } = await signUp(service, 'alice', { email, plan: 'free', note: 'kept' })
    await accounts.updateUser(id, { isVerified: true })
    await service.settle()
    expect(service.mails).toEqual([])
    await accounts.updateUser(id, { fields: { plan: 'paid' } })
    expect((await service.mail('account-changed')).to.address).toBe(email)
    await accounts.updateUser(id, { fields: { plan: 'free' } })
    const changed = await accounts.updateUser(id, {
      username: 'alicia',
      email: 'new@example.org',
      isStaff: true,
      fields: { plan: 'paid', note: undefined },
    })
    expect(changed).toMatchObject({
      ...{ username: 'alicia', email: 'new@example.org', isVerified: false, isStaff: true },
      fields: { plan: 'paid', note: 'kept' },
    })
    const notice = await service.mail('email-changed', email)
    expect(notice.text).toContain('/email/undo/')
    const proof = await service.mail('verify-email', 'new@example.org')
    expect((await service.send('GET', linkPath(proof))).statusCode).toBe(200)
    expect(await accounts.updateUser(id, { fields: { note: null } })).toMatchObject({
      fields: { plan: 'paid' },
    })
    const vouched = await accounts.updateUser(id, { email: 'sure@example.org', isVerified: true })
    expect(vouched).toMatchObject({ email: 'sure@example.org', isVerified: true })
  })

  it('rejects what the route rejects, and changes nothing then', async () => {
    const service = await testApp({ users: { fields } })
    const { accounts } = service.app
    const { id } = await signUp(service, 'alice', { email, plan: 'free' })
    await signUp(service, 'bob', { email: 'bob@example.org' })
    const before = await service.users.findById(id)
    const cases: [update: object, code: string, faults?: string[]][] = [
      [{ username: 'BOB' }, 'ACCOUNTS_USERNAME_TAKEN'],
      [{ email: 'Bob@example.org' }, 'ACCOUNTS_EMAIL_TAKEN'],
      [{ username: 'a b' }, 'ACCOUNTS_INVALID_INPUT', ['username invalid']],
      [{ username: null }, 'ACCOUNTS_INVALID_INPUT', ['username required']],
      [{ username: 7, email: null }, 'ACCOUNTS_INVALID_INPUT', ['username invalid', 'email invalid']],
      [{ email: 'nowhere' }, 'ACCOUNTS_INVALID_INPUT', ['email invalid']],
      [{ email: 'a\0@example.org' }, 'ACCOUNTS_INVALID_INPUT', ['email invalid']],
      [{ fields: [] }, 'ACCOUNTS_INVALID_INPUT', ['fields invalid']],
      [{ fields: { plan: 'other', nope: 1 } }, 'ACCOUNTS_INVALID_INPUT', ['nope unknown', 'plan invalid']],
      [
        { isStaff: 1, roles: ['none'], isAdmin: true },
        'ACCOUNTS_INVALID_INPUT',
        ['isStaff invalid', 'roles invalid', 'isAdmin unknown'],
      ],
    ]
    for (const [update, code, faults] of cases) {
      const [found, fieldsAtFault] = await faultsOf(accounts.updateUser(id, update as never))
      expect([update, found]).toEqual([update, code])
      if (faults) expect((fieldsAtFault as string[]).toSorted()).toEqual(faults.toSorted())
    }
    expect(await service.users.findById(id)).toEqual(before)
    expect(await accounts.updateUser('nobody', { isActive: false })).toBeNull()
    const nameless = await testApp({ users: { names: 'none' } })
    const user = await nameless.app.accounts.createUser({ email, password: goodPassword })
    expect(await faultsOf(nameless.app.accounts.updateUser(user.id, { username: 'ada' }))).toEqual([
      'ACCOUNTS_INVALID_INPUT',
      ['username unknown'],
    ])
  })
})

describe('a call that loses a race', () => {
  it('says that the user is gone, or was changed meanwhile', async () => {
    const service = await testApp()
    const { accounts } = service.app
    const { id } = await signUp(service, 'alice', { email })
    const { update, delete: remove } = service.users
    /** Something happens after the call has read the user and before it writes. */
    const meanwhile = (happens: () => Promise<unknown>): void => {
      service.users.update = async (...args) => {
        service.users.update = update
        await happens()
        return update.apply(service.users, args)
      }
    }
    meanwhile(async () => {
      const user = await service.users.findById(id)
      await update.call(service.users, id, { isStaff: true }, user?.version ?? 0)
    })
    await expect(accounts.updateUser(id, { username: 'alicia' })).rejects.toMatchObject({
      code: 'ACCOUNTS_CONFLICT',
    })
    meanwhile(() => remove.call(service.users, id))
    expect(await accounts.updateUser(id, { username: 'alicia' })).toBeNull()
    const staff = await accounts.createUser({ username: 'boss', password: null, isStaff: true })
    expect(await accounts.updateUser(staff.id, { isStaff: false })).toMatchObject({ isStaff: false })
    await accounts.updateUser(staff.id, { isStaff: true })
    expect(await accounts.deleteUser(staff.id)).toBe(true)
    const last = await signUp(service, 'bob')
    meanwhile(() => remove.call(service.users, last.id))
    expect(await accounts.resetUserFactors(last.id)).toEqual(expect.objectContaining({ apps: 0 }))
    expect(await accounts.endUserSessions(last.id)).toBe(false)
  })
})

describe('createUser', () => {
  it('creates a user without a password, who chooses one with a link', async () => {
    const service = await testApp()
    const { accounts } = service.app
    const user = await accounts.createUser({ username: 'alice', password: null, email })
    expect(user).toMatchObject({ hasPassword: false, isVerified: false })
    expect((await choose(service, await pathOf(service, user.id))).statusCode).toBe(204)
    expect(await whoIs(service, await logIn(service, 'alice', otherPassword))).toBe('alice')
    expect(await accounts.findUser({ id: user.id })).toMatchObject({ hasPassword: true, isVerified: false })
    const missing = { username: 'bob', password: undefined } as never
    expect(await faultsOf(accounts.createUser(missing))).toEqual([
      'ACCOUNTS_INVALID_INPUT',
      ['password required'],
    ])
  })
})

describe('createPasswordLink', () => {
  it('leads to the page of a reset, works once, and tells the owner', async () => {
    const service = await testApp()
    const { accounts } = service.app
    const { id } = await signUp(service, 'alice', { email })
    const cookie = await logIn(service)
    const link = await accounts.createPasswordLink(id)
    expect(link?.expiresAt.getTime()).toBeGreaterThan(Date.now())
    const path = new URL(link?.url ?? '').pathname
    const page = await service.send('GET', path, undefined, { headers: { accept: 'text/html' } })
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('name="new_password"')])
    expect((await choose(service, path, 'short')).json().fields).toMatchObject([{ code: 'too_short' }])
    expect((await choose(service, path)).statusCode).toBe(204)
    expect(await whoIs(service, cookie)).toBeNull()
    expect((await service.mail('password-changed')).to.address).toBe(email)
    expect((await choose(service, path)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    expect(await logIn(service, 'alice', otherPassword)).toContain('session')
  })

  it('leads to a page of yours, and works for a user without an address', async () => {
    const page = 'http://localhost:3000/new-password?u={uid64}&t={token}'
    const service = await testApp({ links: { pages: { reset: page } } })
    const { id } = await signUp(service, 'alice')
    const link = await service.app.accounts.createPasswordLink(id)
    const { pathname, searchParams } = new URL(link?.url ?? '')
    expect(pathname).toBe('/new-password')
    const path = `/reset/${searchParams.get('u')}/${searchParams.get('t')}/`
    expect((await choose(service, path)).statusCode).toBe(204)
  })

  it('needs an active user, and the route', async () => {
    const service = await testApp()
    const { accounts } = service.app
    const { id } = await signUp(service)
    const path = await pathOf(service, id)
    await accounts.updateUser(id, { isActive: false })
    await expect(accounts.createPasswordLink(id)).rejects.toMatchObject({ code: 'ACCOUNTS_DISABLED' })
    expect((await choose(service, path)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    expect(await accounts.createPasswordLink('nobody')).toBeNull()
    const other = await testApp({ auth: false })
    const user = await other.app.accounts.createUser({ username: 'ada', password: null })
    await expect(other.app.accounts.createPasswordLink(user.id)).rejects.toThrow(/auth: false/)
  })
})

describe('listUsers', () => {
  it('has pages, filters, orders and a search, and shows users nobody else sees', async () => {
    const service = await testApp({
      requireEmailConfirmation: true,
      authorize: { listUsers: () => false, showUser: () => false },
    })
    const { accounts } = service.app
    for (const name of ['dora', 'alice', 'bob', 'carol'])
      await accounts.createUser({
        ...{ username: name, email: `${name}@example.org`, password: goodPassword },
        isStaff: name === 'bob',
      })
    const namesOf = async (query: Parameters<Accounts['listUsers']>[0]) =>
      (await accounts.listUsers(query)).users.map(({ username }) => username)
    expect(await namesOf(undefined)).toEqual(['dora', 'alice', 'bob', 'carol'])
    expect(await namesOf({ order: '-username', limit: 2 })).toEqual(['dora', 'carol'])
    expect(await namesOf({ isStaff: true })).toEqual(['bob'])
    expect(await namesOf({ isStaff: false, search: 'Carol@' })).toEqual(['carol'])
    expect(await namesOf({ search: 'zzz', isVerified: undefined })).toEqual([])
    const first = await accounts.listUsers({ limit: 3, order: 'username' })
    expect(first.users).toHaveLength(3)
    const cursor = first.next ?? ''
    const second = await accounts.listUsers({ limit: 3, order: 'username', cursor })
    expect([second.users.map(({ username }) => username), second.next]).toEqual([['dora'], null])
    const faults = await Promise.all([
      faultsOf(accounts.listUsers({ limit: 3, order: '-username', cursor })),
      faultsOf(accounts.listUsers({ limit: 101, cursor: 'x', search: '', order: 'age' as never })),
      faultsOf(accounts.listUsers({ page: 2, isStaff: 'yes' } as never)),
    ])
    expect(faults.map(([, each]) => each)).toEqual([
      ['cursor invalid'],
      ['limit invalid', 'search invalid', 'order invalid'],
      ['page unknown', 'isStaff invalid'],
    ])
  })

  it('searches own fields, in pages as long as the app allows', async () => {
    const service = await testApp({ users: { fields, searchFields: ['note'], pageSize: 200 } })
    const { accounts } = service.app
    for (const name of ['alice', 'bob'])
      await accounts.createUser({ username: name, password: null, fields: { note: `Likes ${name}` } })
    const query = { search: 'likes B', searchIn: 'fields', limit: 200 } as const
    expect((await accounts.listUsers(query)).users.map(({ username }) => username)).toEqual(['bob'])
    expect((await accounts.listUsers({ search: 'likes B' })).users).toEqual([])
    const faults = [
      await faultsOf(accounts.listUsers({ limit: 201, searchIn: 'fields' })),
      await faultsOf(accounts.listUsers({ search: 'a', searchIn: 'notes' as never })),
    ]
    expect(faults.map(([, each]) => each)).toEqual([
      ['limit invalid', 'search required'],
      ['searchIn invalid'],
    ])
    const without = await testApp({ users: { pageSize: 10 } })
    await expect(without.app.accounts.listUsers({ search: 'a', searchIn: 'fields' })).rejects.toMatchObject({
      fields: [{ field: 'searchIn' }],
    })
    for (let n = 0; n < 11; n += 1)
      await without.app.accounts.createUser({ username: `user-${n}`, password: null })
    expect((await without.app.accounts.listUsers()).users).toHaveLength(10)
  })

  it('takes no parameter that the store lacks, and says if it can’t list', async () => {
    const { list, listsBy, ...bare } = createMemoryUserStore()
    const unable = await testApp({ userStore: bare, users: { list: false } })
    await expect(unable.app.accounts.listUsers()).rejects.toThrow(/can’t list/)
    const simple = await testApp({ userStore: { ...bare, list } })
    await simple.app.accounts.createUser({ username: 'ada', password: null })
    expect((await simple.app.accounts.listUsers()).users).toHaveLength(1)
    const query = { search: 'a', isStaff: true, order: 'createdAt' } as const
    expect(await faultsOf(simple.app.accounts.listUsers(query))).toEqual([
      'ACCOUNTS_INVALID_INPUT',
      ['search unknown', 'isStaff unknown', 'order invalid'],
    ])
    const optional = await testApp({ users: { names: 'optional' } })
    expect(await faultsOf(optional.app.accounts.listUsers({ order: 'username' }))).toEqual([
      'ACCOUNTS_INVALID_INPUT',
      ['order invalid'],
    ])
    expect(listsBy).toContain('prefix')
  })
})

describe('sessions', () => {
  it('are listed, and ended one by one', async () => {
    const service = await testApp()
    const { accounts } = service.app
    const { id } = await signUp(service)
    const other = await signUp(service, 'bob')
    const cookies = [await logIn(service), await logIn(service)]
    const sessions = (await accounts.listSessions(id)) ?? []
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      createdAt: expect.any(Date),
      lastSeenAt: expect.any(Date),
      expiresAt: expect.any(Date),
      ...{ name: null, browser: null, system: null, ip: '127.0.0.0/24' },
    })
    const [{ id: session = '' } = {}] = sessions
    expect(await accounts.endSession(other.id, session)).toBe(false)
    expect(await accounts.endSession(id, session)).toBe(true)
    expect(await accounts.endSession(id, session)).toBe(false)
    const who = await Promise.all(cookies.map((cookie) => whoIs(service, cookie)))
    expect(who.toSorted()).toEqual(['alice', null])
    expect(await accounts.listSessions(id)).toHaveLength(1)
    expect(await accounts.listSessions('nobody')).toBeNull()
    expect(await accounts.endSession('nobody', session)).toBe(false)
  })

  it('can’t be listed if the app’s own @fastify/session keeps them', async () => {
    const service = await testApp(
      {},
      {
        before: async (app) => {
          await app.register(fastifyCookie)
          await app.register(fastifySession, { secret: 'a secret of more than thirty-two characters' })
        },
      },
    )
    const { id } = await signUp(service)
    await expect(service.app.accounts.listSessions(id)).rejects.toThrow(/@fastify\/session/)
    await expect(service.app.accounts.endSession(id, 'x')).rejects.toThrow(/@fastify\/session/)
  })
})

describe('service accounts', () => {
  const withKeys = { features: [apiKeys({ scopes: ['orders:read'] })] }

  it('are created, listed and deleted, with keys, and are no users', async () => {
    const service = await testApp(withKeys)
    const { accounts } = service.app
    const reports = await accounts.createService({ username: 'reports' })
    expect(reports).toEqual({
      ...{ id: expect.any(String), username: 'reports', isActive: true },
      createdAt: expect.any(Date),
    })
    const { id } = await accounts.createApiKey(reports.id, { name: 'CI', scopes: ['orders:read'] })
    expect((await accounts.listApiKeys(reports.id))?.map((key) => key.id)).toEqual([id])
    for (let n = 0; n < 100; n += 1) await accounts.createService({ username: `service-${n}` })
    const first = await accounts.listServices()
    expect([first.services.length, first.services[0]?.id]).toEqual([100, reports.id])
    const second = await accounts.listServices({ cursor: first.next ?? '' })
    expect([second.services.length, second.next]).toEqual([1, null])
    expect(await faultsOf(accounts.listServices({ cursor: 'x' }))).toEqual([
      'ACCOUNTS_INVALID_INPUT',
      ['cursor invalid'],
    ])
    expect((await accounts.listUsers()).users).toEqual([])
    expect(await accounts.createPasswordLink(reports.id)).toBeNull()
    expect(await accounts.deleteUser(reports.id)).toBe(true)
    expect(await accounts.deleteUser(reports.id)).toBe(false)
  })

  it('take the same names as over HTTP', async () => {
    const { app } = await testApp(withKeys)
    for (const [username, fault] of [
      ['', 'required'],
      ['a b', 'invalid'],
      ['a@example.org', 'invalid'],
      [7, 'invalid'],
      ['a\0', 'invalid'],
    ] as const)
      expect(await faultsOf(app.accounts.createService({ username: username as string }))).toEqual([
        'ACCOUNTS_INVALID_INPUT',
        [`username ${fault}`],
      ])
  })
})

describe('calls without a feature', () => {
  it('say which one they need', async () => {
    const { app } = await testApp()
    const identity = { provider: 'google', subject: '1' }
    for (const call of [
      app.accounts.findUser({ identity }),
      app.accounts.listIdentities('1'),
      app.accounts.addIdentity('1', identity),
      app.accounts.removeIdentity('1', 'x'),
    ])
      await expect(call).rejects.toThrow(/providers/)
    for (const call of [
      app.accounts.createService({ username: 'a' }),
      app.accounts.listServices(),
      app.accounts.listApiKeys('1'),
    ])
      await expect(call).rejects.toThrow(/apiKeys/)
  })
})

describe('the audit trail', () => {
  async function heard(service: TestApp) {
    const events: AuditEvent[] = []
    service.app.accounts.events.on('audit', (event) => events.push(event))
    return async () => {
      await service.settle()
      return events.splice(0)
    }
  }
  const call = { actor: 'desk-7', reason: 'ticket 4711, by phone' }

  it('says who made each call, about whom, and why', async () => {
    const service = await testApp({ features: [secondFactor()] })
    const { id } = await signUp(service, 'alice', { email })
    const events = await heard(service)
    const { accounts } = service.app
    const bob = await accounts.createUser({ username: 'bob', password: null }, call)
    await accounts.findUser({ username: 'bob' }, call)
    await accounts.listUsers({}, call)
    await accounts.updateUser(id, { isStaff: true }, call)
    await accounts.setPassword(id, otherPassword, call)
    const link = await accounts.createPasswordLink(id, call)
    await accounts.listSessions(id, call)
    await accounts.endSession(id, 'none', call)
    await accounts.endUserSessions(id, call)
    await accounts.resetUserFactors(id, call)
    await accounts.secureUser(id, {}, call)
    await accounts.deleteUser(id, call)
    const told = await events()
    expect(told.map(({ action, outcome, userId }) => [action, outcome, userId])).toEqual([
      ['create-user', 'success', bob.id],
      ['show-user', 'success', bob.id],
      ['list-users', 'success', null],
      ['update-user', 'success', id],
      ['set-password', 'success', id],
      ['create-password-link', 'success', id],
      ['list-sessions', 'success', id],
      ['end-session', 'refused', null],
      ['end-user-sessions', 'success', id],
      ['reset-factors', 'success', id],
      ['secure-user', 'success', id],
      ['delete-user', 'success', id],
    ])
    const nowhere = { method: null, actorId: null, ip: null, requestId: null, at: expect.any(Date) }
    for (const event of told) expect(event).toMatchObject({ ...nowhere, host: call })
    expect(JSON.stringify(told)).not.toContain(new URL(link?.url ?? '').pathname.split('/')[3])
    for (const { text } of service.mails) expect(text).not.toMatch(/desk-7|4711/)
  })

  it('says why a call was refused, and of whom, and that a store failed', async () => {
    const service = await testApp()
    const { id } = await signUp(service, 'alice', { email })
    await signUp(service, 'bob')
    const events = await heard(service)
    const { accounts } = service.app
    await accounts.updateUser(id, { username: 'bob' }).catch(() => {})
    await accounts.setPassword(id, 'x').catch(() => {})
    await accounts.deleteUser('nobody')
    await accounts.createUser({ username: '', password: null }).catch(() => {})
    await accounts.listApiKeys(id).catch(() => {})
    Object.assign(service.users, { findById: () => Promise.reject(new Error('away')) })
    await accounts.endUserSessions(id).catch(() => {})
    expect(
      (await events()).map(({ action, outcome, reason, userId, host }) => [
        ...[action, outcome, reason, userId],
        host,
      ]),
    ).toEqual(
      [
        ['update-user', 'refused', 'ACCOUNTS_USERNAME_TAKEN', id],
        ['set-password', 'refused', 'ACCOUNTS_INVALID_INPUT', id],
        ['delete-user', 'refused', 'ACCOUNTS_NOT_FOUND', null],
        ['create-user', 'refused', 'ACCOUNTS_INVALID_INPUT', null],
        ['list-api-keys', 'failure', 'HTTP_500', null],
        ['end-user-sessions', 'failure', 'ACCOUNTS_UNAVAILABLE', null],
      ].map((each) => [...each, { actor: null, reason: null }]),
    )
  })

  it('takes a bounded actor and reason, and nothing else', async () => {
    const service = await testApp()
    const { id } = await signUp(service)
    const { accounts } = service.app
    for (const [wrong, fault] of [
      [{ actor: 'x'.repeat(201) }, 'actor too_long'],
      [{ reason: 'x'.repeat(1001) }, 'reason too_long'],
      [{ reason: 'a\0' }, 'reason invalid'],
      [{ actor: 7 }, 'actor invalid'],
      [{ by: 'me' }, 'by unknown'],
    ] as const)
      expect(await faultsOf(accounts.deleteUser(id, wrong as never))).toEqual([
        'ACCOUNTS_INVALID_INPUT',
        [fault],
      ])
    expect(await accounts.findUser({ id }, { actor: 'x'.repeat(200), reason: undefined })).not.toBeNull()
  })
})

it('carries the types of your own fields', () => {
  type Own = Accounts<typeof fields>
  type Update = NonNullable<Parameters<Own['updateUser']>[1]['fields']>
  expectTypeOf<Update['plan']>().toEqualTypeOf<'free' | 'paid' | null | undefined>()
  expectTypeOf<Update>().not.toHaveProperty('nope')
  type Created = NonNullable<Parameters<Own['createUser']>[0]['fields']>
  expectTypeOf<Created['plan']>().toEqualTypeOf<'free' | 'paid' | undefined>()
  type Listed = Awaited<ReturnType<Own['listUsers']>>['users'][number]
  expectTypeOf<Listed['fields']['plan']>().toEqualTypeOf<'free' | 'paid' | undefined>()
  expectTypeOf<Parameters<Accounts['createUser']>[0]['password']>().toEqualTypeOf<string | null>()
})
