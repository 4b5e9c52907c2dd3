import {
  as,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  signUp,
  type TestApp,
  testApp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

/** A staff user who is logged in. */
async function staff(service: TestApp, username = 'chief'): Promise<{ id: string; cookie: string }> {
  const { id } = await service.app.accounts.createUser({ username, password: goodPassword, isStaff: true })
  return { id, cookie: await logIn(service, username) }
}

const patch = ({ send }: TestApp, id: string, body: object, cookie: string) =>
  send('PATCH', `/user/${id}`, body, as(cookie))

describe('GET /user/?search=', () => {
  async function names(service: TestApp, query: string, cookie: string): Promise<string[]> {
    const response = await service.send('GET', `/user/?${query}`, undefined, as(cookie))
    expect(response.statusCode).toBe(200)
    return response.json().results.map(({ username }: { username: string }) => username)
  }

  test('finds usernames by prefix, in any case; later pages keep the search', async () => {
    const service = await testApp()
    for (const name of ['Ada', 'adam', 'bob', 'bada', 'ada.lovelace']) await signUp(service, name)
    const cookie = await logIn(service, 'bob')
    expect(await names(service, 'search=ADA', cookie)).toEqual(['Ada', 'ada.lovelace', 'adam'])
    expect(await names(service, 'search=ad%25', cookie)).toEqual([])
    expect(await names(service, 'search=a_a', cookie)).toEqual([])
    const first = (await service.send('GET', '/user/?search=ada&limit=2', undefined, as(cookie))).json()
    const { pathname, search } = new URL(first.next)
    const second = (await service.send('GET', pathname + search, undefined, as(cookie))).json()
    expect([...first.results, ...second.results].map((each) => each.username)).toEqual([
      'Ada',
      'ada.lovelace',
      'adam',
    ])
    expect(second.next).toBeNull()
  })

  test('lists those found by name in this order, then those found by address, each once', async () => {
    const service = await testApp()
    for (const [username, address] of [
      ['zoe', 'ad.zoe'],
      ['adam', 'ad.am'],
      ['ada', 'z'],
      ['bob', 'ad.bob'],
      ['boss', 'boss'],
    ] as const) {
      const user = { username, email: `${address}@example.org`, isStaff: username === 'boss' }
      await service.app.accounts.createUser({ ...user, password: goodPassword })
    }
    const boss = await logIn(service, 'boss')
    const paged: string[] = []
    for (let url: string | null = '/user/?search=ad&limit=1'; url !== null; ) {
      const response = await service.send('GET', url, undefined, as(boss))
      const page: { results: { username: string }[]; next: string | null } = response.json()
      paged.push(...page.results.map(({ username }) => username))
      url = page.next?.replace('http://localhost:3000', '') ?? null
    }
    expect(paged).toEqual(['ada', 'adam', 'bob', 'zoe'])
    expect(await names(service, 'search=ad', boss)).toEqual(paged)
    expect(await names(service, 'search=ad', await logIn(service, 'ada'))).toEqual(['ada', 'adam'])
    const sorted = await service.send('GET', '/user/?search=ad&order=created_at', undefined, as(boss))
    expect(sorted.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'order', code: 'invalid' }] })
    const listed = await service.app.accounts.listUsers({ search: 'ad' })
    expect(listed.users.map(({ username }) => username)).toEqual(paged)
    await expect(service.app.accounts.listUsers({ search: 'ad', order: 'username' })).rejects.toMatchObject({
      fields: [{ field: 'order', code: 'invalid' }],
    })
  })

  test('has a rate limit per user, separate from the list without a search', async () => {
    const limit = (max: number) => ({ max, window: 60_000 })
    const service = await testApp({ throttle: { limits: { searchUsers: limit(2), listUsers: limit(3) } } })
    await signUp(service, 'alice')
    await signUp(service, 'bob')
    const [alice, bob] = [await logIn(service, 'alice'), await logIn(service, 'bob')]
    const statusOf = async (url: string, cookie: string) =>
      (await service.send('GET', url, undefined, { headers: { cookie } })).statusCode
    const statuses = []
    for (let tries = 0; tries < 3; tries += 1) statuses.push(await statusOf('/user/?search=a', alice))
    expect(statuses).toEqual([200, 200, 429])
    const listed = []
    for (let tries = 0; tries < 4; tries += 1) listed.push(await statusOf('/user/', alice))
    expect(listed).toEqual([200, 200, 200, 429])
    expect(await statusOf('/user/?search=a', bob)).toBe(200)
    expect(await statusOf('/user/', bob)).toBe(200)
  })
})

describe('GET /user/ for staff', () => {
  const get = (service: TestApp, query: string, cookie: string) =>
    service.send('GET', `/user/?${query}`, undefined, as(cookie))

  /** Five users in order of creation, one of them staff, one disabled, one verified. */
  async function crowd(service: TestApp): Promise<string> {
    const { cookie } = await staff(service, 'mona')
    for (const name of ['zoe', 'bob', 'ada']) await signUp(service, name, { email: `${name}@example.org` })
    await service.app.accounts.createUser({
      username: 'kim',
      password: goodPassword,
      email: 'kim@example.org',
      isVerified: true,
    })
    const bob = await service.users.findByUsername('bob')
    await service.app.accounts.updateUser(bob?.id ?? '', { isActive: false })
    return cookie
  }

  /** All pages of two users, by following `next`. */
  async function names(service: TestApp, query: string, cookie: string): Promise<string[]> {
    const found: string[] = []
    for (let url: string | null = `/user/?limit=2&${query}`; url !== null; ) {
      const response = await service.app.inject({ url, headers: { cookie } })
      expect([url, response.statusCode]).toEqual([url, 200])
      const page: { results: { username: string }[]; next: string | null } = response.json()
      found.push(...page.results.map(({ username }) => username))
      url = page.next?.replace('http://localhost:3000', '') ?? null
    }
    return found
  }

  test('one request returns a page in the own view', async () => {
    const service = await testApp()
    const cookie = await crowd(service)
    const { results } = (await get(service, 'view=own', cookie)).json()
    const bob = results.find(({ username }: { username: string }) => username === 'bob')
    expect(bob).toEqual((await service.send('GET', `/user/${bob.id}`, undefined, as(cookie))).json())
    expect(bob).toMatchObject({ email: 'bob@example.org', is_active: false, last_login_at: null })
    const open = (await get(service, '', cookie)).json()
    expect(Object.keys(open.results[0])).toEqual(['id', 'username'])
  })

  test.each([
    ['is_staff=true', ['mona']],
    ['is_staff=false&is_active=true', ['zoe', 'ada', 'kim']],
    ['is_active=false', ['bob']],
    ['is_verified=true&order=-username', ['kim']],
    ['is_verified=false&order=username&view=own', ['ada', 'bob', 'mona', 'zoe']],
    ['order=-created_at', ['kim', 'ada', 'bob', 'zoe', 'mona']],
    ['order=-username', ['zoe', 'mona', 'kim', 'bob', 'ada']],
    ['search=kim%40&is_verified=true', ['kim']],
  ])('%s, page by page', async (query, expected) => {
    const service = await testApp()
    expect(await names(service, query, await crowd(service))).toEqual(expected)
  })

  test('filters and the own view need authorize.listDetails, and only return users one may see in detail', async () => {
    const service = await testApp({
      authorize: {
        listDetails: ({ isStaff, username }) => isStaff || username === 'zoe',
        showDetails: ({ isStaff }, target) => isStaff || target.username === 'ada',
      },
    })
    const cookie = await crowd(service)
    const [zoe, ada] = [await logIn(service, 'zoe'), await logIn(service, 'ada')]
    for (const query of ['view=own', 'is_staff=false', 'is_active=true', 'is_verified=false']) {
      expect((await get(service, query, ada)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      expect(await names(service, query, zoe)).toEqual(['ada'])
      expect((await names(service, query, cookie)).length).toBeGreaterThan(2)
    }
    expect(await names(service, 'order=username', ada)).toHaveLength(5)
  })

  test('accounts nobody has used are listed by authorize.listDetails, as far as one may see them in detail', async () => {
    const service = await testApp({
      requireEmailConfirmation: true,
      authorize: {
        listDetails: ({ isStaff, username }) => isStaff || username === 'zoe',
        showDetails: ({ isStaff }, target) => isStaff || target.username === 'ada',
      },
    })
    for (const username of ['mona', 'zoe', 'kim']) {
      const account = { username, password: goodPassword, email: `${username}@example.org` }
      await service.app.accounts.createUser({ ...account, isVerified: true, isStaff: username === 'mona' })
    }
    for (const username of ['bob', 'ada'])
      await service.send('POST', '/signup/', {
        ...{ username, password: goodPassword, confirm_password: goodPassword },
        email: `${username}@example.org`,
      })
    const [mona, zoe, kim] = await Promise.all(['mona', 'zoe', 'kim'].map((name) => logIn(service, name)))
    expect(await names(service, '', mona ?? '')).toEqual(['mona', 'zoe', 'kim', 'bob', 'ada'])
    expect(await names(service, '', zoe ?? '')).toEqual(['mona', 'zoe', 'kim', 'ada'])
    expect(await names(service, 'is_verified=false', zoe ?? '')).toEqual(['ada'])
    // One may be seen, but the list would have to be read past the other.
    expect(await names(service, '', kim ?? '')).toEqual(['mona', 'zoe', 'kim'])
  })

  test("what a user store doesn't support is unknown, and without a list there is no route", async () => {
    const { users } = await testApp()
    const plain = await testApp({ userStore: { ...users, listsBy: [] } })
    const { cookie } = await staff(plain)
    for (const query of ['search=a', 'is_staff=true', 'order=username', 'order=created_at']) {
      const [field] = query.split('=')
      expect((await get(plain, query, cookie)).json().fields).toMatchObject([{ field, code: 'unknown' }])
    }
    expect((await get(plain, 'view=own', cookie)).json().results).toMatchObject([{ username: 'chief' }])
    const ordered = await testApp({ userStore: { ...users, listsBy: ['usernameKey'] } })
    const chief = await logIn(ordered, 'chief')
    const response = await get(ordered, 'order=created_at', chief)
    expect(response.json().fields).toMatchObject([{ field: 'order', code: 'invalid' }])
    expect(await names(ordered, 'order=-username', chief)).toEqual(['chief'])

    const { list: _, listsBy: __, ...unlisted } = users
    await expect(testApp({ userStore: unlisted })).rejects.toThrow(
      'fastify-accounts: the option users.list must be false, since the user store has no method list',
    )
    const without = await testApp({ userStore: unlisted, users: { list: false } })
    expect((await get(without, '', await logIn(without, 'chief'))).statusCode).toBe(405)
    await expect(testApp({ userStore: unlisted, users: { variant: 'signup' } })).resolves.toBeDefined()
  })
})

describe('PATCH /user/{pk}', () => {
  test('staff promote and demote a user', async () => {
    const service = await testApp()
    const bob = await signUp(service, 'bob')
    const { cookie } = await staff(service)
    expect((await patch(service, bob.id, { is_staff: true }, cookie)).json().is_staff).toBe(true)
    expect((await patch(service, bob.id, { is_staff: false }, cookie)).json().is_staff).toBe(false)
  })

  test("the policy decides, and hides users it doesn't show", async () => {
    const service = await testApp({
      authorize: { manageUser: (actor) => actor.username === 'warden', showUser: () => false },
    })
    const bob = await signUp(service, 'bob')
    await signUp(service, 'warden')
    const { cookie } = await staff(service)
    expect((await patch(service, bob.id, { is_active: false }, cookie)).json().code).toBe(
      'ACCOUNTS_NOT_FOUND',
    )
    const done = await patch(service, bob.id, { is_active: false }, await logIn(service, 'warden'))
    expect([done.statusCode, done.json()]).toEqual([200, { id: bob.id, username: 'bob' }])
  })
})

describe('POST /user/{pk}/end-sessions/', () => {
  describe('of email, name, fields and the verified flag', () => {
    const options = {
      users: {
        fields: {
          type: 'object',
          properties: { plan: { type: 'string', maxLength: 10 }, note: { type: 'string' } },
        },
      },
    } as const
    const bobs = { email: 'bob@example.org', plan: 'free', note: 'old' }

    async function scene(more: Parameters<typeof testApp>[0] = {}) {
      const service = await testApp({ ...options, ...more })
      const bob = await signUp(service, 'bob', bobs)
      await service.app.accounts.updateUser(bob.id, { isVerified: true })
      const { cookie } = await staff(service)
      service.mails.length = 0
      return { service, bob, cookie }
    }

    test('a username and fields change together, and the owner gets one email', async () => {
      const { service, bob, cookie } = await scene()
      const response = await patch(service, bob.id, { username: 'robert', plan: 'gold', note: null }, cookie)
      expect([response.statusCode, response.json()]).toMatchObject([
        200,
        { username: 'robert', plan: 'gold' },
      ])
      expect(response.json().note).toBeUndefined()
      const mail = await service.mail('account-changed', 'bob@example.org')
      expect(mail.text).toContain('robert')
      expect((await patch(service, bob.id, { plan: 'gold', is_verified: true }, cookie)).statusCode).toBe(200)
      await service.settle()
      expect(service.mails).toHaveLength(1)
      expect((await patch(service, bob.id, { plan: 'much too long' }, cookie)).json().fields).toMatchObject([
        { field: 'plan', code: 'too_long' },
      ])
    })

    test('a new address is unverified, must be confirmed, and can be undone from the old one', async () => {
      const { service, bob, cookie } = await scene()
      const session = await logIn(service, 'bob')
      const response = await patch(service, bob.id, { email: 'Bob@example.net' }, cookie)
      expect(response.json()).toMatchObject({ email: 'Bob@example.net', is_verified: false, username: 'bob' })
      expect(await whoIs(service, session)).toBe('bob')
      const changed = await service.mail('email-changed', 'bob@example.org')
      expect(service.mails.map(({ kind }) => kind)).not.toContain('account-changed')
      const mail = await service.mail('verify-email', 'Bob@example.net')
      // The account is older than the address, so the email doesn't say that it was created with it.
      expect(mail.text).toMatch(/account bob was created on .*\. It has this email address: Bob@example\.net/)
      expect((await service.send('POST', linkPath(mail))).json()).toMatchObject({ verified: true })
      expect((await service.send('POST', linkTarget(changed))).statusCode).toBe(200)
      expect(await service.users.findById(bob.id)).toMatchObject({
        email: 'bob@example.org',
        isVerified: true,
      })
      expect(await whoIs(service, session)).toBeNull()
    })

    test('a username that is the address follows it, unless another is given; staff can mark the new one as verified', async () => {
      const { service, bob, cookie } = await scene()
      await patch(service, bob.id, { username: 'bob@example.org' }, cookie)
      const moved = await patch(service, bob.id, { email: 'bob@example.com', is_verified: true }, cookie)
      expect(moved.json()).toMatchObject({ username: 'bob@example.com', is_verified: true })
      const both = await patch(service, bob.id, { email: 'bob@example.net', username: 'rob' }, cookie)
      expect(both.json()).toMatchObject({ username: 'rob', email: 'bob@example.net', is_verified: false })
      const foreign = await patch(service, bob.id, { username: 'eve@example.org' }, cookie)
      expect(foreign.json().fields).toMatchObject([{ field: 'username', code: 'invalid' }])
    })

    test("a taken value is a conflict, and a missing address can't be verified", async () => {
      const { service, bob, cookie } = await scene()
      const eve = await signUp(service, 'eve', { email: 'eve@example.org' })
      const refusals = [
        [{ email: 'EVE@example.org' }, 'ACCOUNTS_EMAIL_TAKEN'],
        [{ username: 'EVE' }, 'ACCOUNTS_USERNAME_TAKEN'],
        [{ email: 'eve@example.org', username: 'eve' }, 'ACCOUNTS_USERNAME_TAKEN'],
        [{ email: 'none' }, 'ACCOUNTS_INVALID_INPUT'],
      ] as const
      for (const [body, code] of refusals) {
        expect((await patch(service, bob.id, body, cookie)).json().code).toBe(code)
      }
      const nameless = await service.app.accounts.createUser({ username: 'nobox', password: goodPassword })
      const response = await patch(service, nameless.id, { is_verified: true }, cookie)
      expect(response.json().fields).toMatchObject([{ field: 'is_verified', code: 'invalid' }])
      expect(await service.users.findById(eve.id)).toMatchObject({ username: 'eve', version: 1 })
    })

    test('authorize.editUser decides, by default not for staff; changing flags also needs manageUser', async () => {
      const { service, bob, cookie } = await scene()
      const other = await staff(service, 'other')
      for (const body of [
        { username: 'x1' },
        { email: 'x@example.org' },
        { is_verified: true },
        { plan: 'x' },
      ]) {
        expect((await patch(service, other.id, body, cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      }
      const strict = await testApp({
        ...options,
        userStore: service.users,
        sessionStore: service.sessions,
        authorize: { editUser: () => true, manageUser: () => false },
      })
      expect((await patch(strict, other.id, { username: 'x1' }, cookie)).json().username).toBe('x1')
      for (const body of [{ is_active: false }, { username: 'x2', is_active: false }, {}]) {
        expect((await patch(strict, bob.id, body, cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      }
    })
  })

  test("staff can't delete their own account, and are told what to do", async () => {
    const service = await testApp()
    const { id, cookie } = await staff(service)
    for (const [url, language, message] of [
      ['/me/', 'en', 'ask another member of staff'],
      [`/user/${id}`, 'de', 'Jemand anders aus dem Team'],
    ] as const) {
      const headers = { cookie, 'accept-language': language }
      const response = await service.send('DELETE', url, undefined, { headers })
      expect(response.json()).toMatchObject({ statusCode: 409, code: 'ACCOUNTS_CONFLICT' })
      expect(response.json().message).toContain(message)
    }
  })
})

test("promoting, enabling and deleting require a recent login; disabling doesn't", async () => {
  const service = await testApp({ session: { confirmLifetime: 60_000 } })
  const { id } = await signUp(service)
  const { cookie } = await staff(service)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect((await patch(service, id, { is_active: false }, cookie)).statusCode).toBe(200)
  for (const refused of [
    await patch(service, id, { is_staff: true }, cookie),
    await patch(service, id, { is_active: true }, cookie),
    await service.send('DELETE', `/user/${id}`, undefined, { headers: { cookie } }),
  ]) {
    expect(refused.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_CONFIRMATION_REQUIRED' })
  }
  expect(await service.users.findById(id)).toMatchObject({ isStaff: false, isActive: false })
})
