import { as, goodPassword, linkTarget, logIn, signUp, whoIs } from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { choice } from './passwords.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const patch = ({ send }: Service, id: string, body: object, cookie: string) =>
  send('PATCH', `/user/${id}`, body, as(cookie))
const endSessions = ({ send }: Service, id: string, cookie: string) =>
  send('POST', `/user/${id}/end-sessions/`, undefined, as(cookie))

async function staff(service: Service, username: string): Promise<{ id: string; cookie: string }> {
  const { id } = await service.app.accounts.createUser({ username, password: goodPassword, isStaff: true })
  return { id, cookie: await logIn(service, username) }
}
const find = ({ send }: Service, search: string, cookie: string) =>
  send('GET', `/user/?search=${encodeURIComponent(search)}`, undefined, as(cookie))
async function names(service: Service, search: string, cookie: string): Promise<string[]> {
  const response = await find(service, search, cookie)
  expect([search, response.statusCode]).toEqual([search, 200])
  return response.json().results.map(({ username }: { username: string }) => username)
}

cases('Staff', ({ rule, storage }) => {
  rule(
    'STF-01',
    {
      tried:
        'disabling, promoting and logging out others as an anonymous visitor, as a user, with a right revoked during the session, and through extra fields and headers',
      expected: '401 or 403, and no writes; the right takes effect and ends with the next request',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      const bob = await signUp(service, 'bob')
      await signUp(service)
      const [alice, victim] = [await logIn(service), await logIn(service, 'bob')]
      const former = await staff(service, 'former')
      await service.app.accounts.updateUser(former.id, { isStaff: false })
      const before = await users.findById(bob.id)
      const writes = [callsOf(users), callsOf(sessions)]
      for (const cookie of ['', 'session=a.b', alice, former.cookie]) {
        const code = cookie === alice || cookie === former.cookie ? 'FORBIDDEN' : 'LOGIN_REQUIRED'
        for (const body of [
          { is_active: false },
          { is_staff: true },
          { is_staff: true, is_active: true },
          {},
        ]) {
          expect((await patch(service, bob.id, body, cookie)).json().code).toBe(`ACCOUNTS_${code}`)
        }
        expect((await endSessions(service, bob.id, cookie)).json().code).toBe(`ACCOUNTS_${code}`)
        const headers = { cookie, 'x-user-role': 'staff', 'x-is-staff': 'true', 'x-original-url': '/me/' }
        const url = `/user/${bob.id}?is_staff=true&actor=former`
        const response = await service.app.inject({
          method: 'PATCH',
          url,
          payload: { is_active: false },
          headers,
        })
        expect(response.json().code).toBe(`ACCOUNTS_${code}`)
      }
      expect(writes.flat().filter((name) => /^(create|update|delete)/.test(name))).toEqual([])
      expect(await users.findById(bob.id)).toEqual(before)
      expect(await whoIs(service, victim)).toBe('bob')

      const chief = await staff(service, 'chief')
      expect((await patch(service, 'nobody', {}, chief.cookie)).json().code).toBe('ACCOUNTS_NOT_FOUND')
      expect((await endSessions(service, 'nobody', chief.cookie)).json().code).toBe('ACCOUNTS_NOT_FOUND')
      expect((await endSessions(service, bob.id, chief.cookie)).statusCode).toBe(204)
      expect(await whoIs(service, victim)).toBeNull()
      expect(await sessions.listByUser(bob.id)).toEqual([])
      expect(await whoIs(service, await logIn(service, 'bob'))).toBe('bob')
    },
  )

  storage(
    'STF-02',
    {
      tried:
        'staff who disable or demote themselves, including the last one, and two who do it to each other simultaneously',
      expected: '403 for yourself; one of the two stays: one staff member always remains',
    },
    async ({ start, users }) => {
      const service = await start()
      const only = await staff(service, 'only')
      for (const body of [{ is_active: false }, { is_staff: false }, { is_active: false, is_staff: false }]) {
        expect((await patch(service, only.id, body, only.cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      }
      expect(await users.findById(only.id)).toMatchObject({ isStaff: true, isActive: true })
      await service.app.accounts.deleteUser(only.id)

      for (const body of [{ is_staff: false }, { is_active: false }]) {
        for (let round = 0; round < 5; round += 1) {
          const [one, other] = [await staff(service, 'one'), await staff(service, 'other')]
          const responses = await Promise.all([
            patch(service, other.id, body, one.cookie),
            patch(service, one.id, body, other.cookie),
          ])
          for (const { statusCode } of responses) expect([200, 401, 403, 409]).toContain(statusCode)
          const rows = await Promise.all([one, other].map(({ id }) => users.findById(id)))
          expect(rows.filter((user) => user?.isStaff && user.isActive).length).toBeGreaterThan(0)
          for (const { id } of [one, other]) await service.app.accounts.deleteUser(id)
        }
      }
    },
  )

  rule(
    'STF-03',
    {
      tried:
        'the sessions and links of a user whom staff disable, during a login and a visit, and after re-enabling',
      expected:
        'they end at once and for good: neither the cookies nor a late login become valid again; logging in with the password works',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      const { cookie } = await staff(service, 'chief')
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      const live = [await logIn(service, 'bob'), await logIn(service, 'bob')]
      const reset = await resetLink(service, 'bob@example.org')
      const login = service.send('POST', '/login/', { username: 'bob', password: goodPassword })
      const [late, disabled] = await Promise.all([
        login,
        patch(service, bob.id, { is_active: false }, cookie),
      ])
      expect([disabled.statusCode, disabled.json().is_active]).toEqual([200, false])
      const brought = late.cookies.find(({ name }) => name === 'session')
      const cookies = [...live, ...(brought ? [`session=${encodeURIComponent(brought.value)}`] : [])]
      for (const each of cookies) expect(await whoIs(service, each)).toBeNull()
      expect((await service.send('POST', reset, choice('a third password'))).statusCode).toBe(400)
      expect(
        (await service.send('POST', '/login/', { username: 'bob', password: goodPassword })).json().code,
      ).toBe('ACCOUNTS_DISABLED')
      expect((await patch(service, bob.id, { is_active: true }, cookie)).statusCode).toBe(200)
      for (const each of cookies) expect(await whoIs(service, each)).toBeNull()
      expect(await sessions.listByUser(bob.id)).toEqual([])
      expect(await whoIs(service, await logIn(service, 'bob'))).toBe('bob')
      expect(await users.findById(bob.id)).toMatchObject({ isActive: true, isStaff: false })
    },
  )

  storage(
    'STF-04',
    {
      tried:
        'the search with pattern, regular expression and SQL characters, with letters that fold into others, with NUL, and with 254 such characters',
      expected:
        'each is an ordinary character: only names with that prefix are found; 400 for invalid text; never 500',
    },
    async ({ start }) => {
      const service = await start()
      const { cookie } = await staff(service, 'chief')
      for (const username of ['ada', 'adam', 'a_a', 'a.a', 'straße', 'Kim']) {
        await service.app.accounts.createUser({ username, password: goodPassword })
      }
      for (const search of [
        '%',
        '_',
        'a%',
        'ad_',
        '%a',
        'a\\',
        '\\',
        'a\\_',
        '\\%',
        '*',
        'a*',
        'ad?',
        '[a-z]',
        '^ad',
        'ad.*',
        'a|b',
        '.*',
        '(a+)+$',
        "ad' OR '1'='1",
        "ad'; DROP TABLE users; --",
        'ad" OR ""="',
        'ad`',
        '$where',
        '{"$gt":""}',
        'a'.repeat(254),
        `${'%'.repeat(127)}${'_'.repeat(127)}`,
        `${'(a+)+'.repeat(50)}$`,
        '\ud83d\ude00'.repeat(100),
      ]) {
        expect([search, await names(service, search, cookie)]).toEqual([search, []])
      }
      for (const [search, found] of [
        ['AD', ['ada', 'adam']],
        ['a_', ['a_a']],
        ['a.', ['a.a']],
        ['STRASSE', ['straße']],
        ['straß', ['straße']],
        ['\u212aim', ['Kim']],
        ['ＡＤＡＭ', ['adam']],
      ] as const) {
        expect([search, await names(service, search, cookie)]).toEqual([search, found])
      }
      const long = `search=${'a'.repeat(255)}`
      for (const query of ['search=', 'search=%00', 'search[]=a', 'search=a&search=b', long]) {
        const response = await service.send('GET', `/user/?${query}`, undefined, as(cookie))
        const [field] = query.split('=')
        expect([query, response.json()]).toMatchObject([query, { statusCode: 400, fields: [{ field }] }])
      }
      // Invalid UTF-8 is searched for as written.
      for (const query of ['search=%ff', 'search=%ed%a0%80', 'search=%']) {
        const response = await service.send('GET', `/user/?${query}`, undefined, as(cookie))
        expect([query, response.json().results]).toEqual([query, []])
      }
    },
  )

  rule(
    'STF-05',
    {
      tried:
        'reading addresses from the search letter by letter as a user, and fields that PATCH /user/{pk} doesn’t have, or of another type',
      expected:
        'addresses are searched only for staff, also with a cursor from a staff member’s page; 400 unknown, and nothing is saved',
    },
    async ({ start, users }) => {
      const service = await start()
      const { cookie } = await staff(service, 'chief')
      const ada = await signUp(service, 'ada', { email: 'countess@example.org' })
      await signUp(service, 'countryman')
      const user = await logIn(service, 'countryman')
      for (const search of ['countess', 'countess@example.org', 'c', 'co', 'count', 'COUNTESS@EXAMPLE.ORG']) {
        expect(await names(service, search, cookie)).toContain('ada')
        expect(await names(service, search, user)).not.toContain('ada')
      }
      const { next } = (
        await service.send('GET', '/user/?search=count&limit=1', undefined, as(cookie))
      ).json()
      const { pathname, search } = new URL(next)
      const page = await service.send('GET', pathname + search, undefined, as(user))
      expect(page.body).not.toContain('"ada"')

      const before = await users.findById(ada.id)
      for (const body of [
        { email: null },
        { email: ['evil@example.com'] },
        { is_verified: 'true' },
        { session_epoch: 0 },
        { email: 'evil@example.com', role: 'staff' },
        { isStaff: true },
        { password: goodPassword },
        { passwordHash: 'x' },
        { is_active: 'false' },
        { is_active: null },
        { is_staff: 1 },
        { is_active: true, id: 'x' },
      ]) {
        const response = await patch(service, ada.id, body, cookie)
        expect([body, response.statusCode]).toEqual([body, 400])
      }
      expect(await users.findById(ada.id)).toEqual(before)
    },
  )

  storage(
    'STF-06',
    {
      tried:
        'the staff view and filters by flags as a user, with a search that two users match, and a cursor reused in another list',
      expected: '403 and no store query; 400 for the cursor',
    },
    async ({ start, users }) => {
      const service = await start()
      const { cookie } = await staff(service, 'chief')
      for (const name of ['bob', 'bobby', 'alice']) await signUp(service, name)
      const alice = await logIn(service)
      const asked = callsOf(users)
      for (const query of [
        'view=own',
        'is_staff=true',
        'is_active=false',
        'is_verified=false&search=bob&limit=1',
        'search=bob&limit=1&is_staff=false',
        'view=own&order=-created_at',
      ]) {
        const response = await service.send('GET', `/user/?${query}`, undefined, as(alice))
        expect([query, response.json().code]).toEqual([query, 'ACCOUNTS_FORBIDDEN'])
      }
      expect(asked).not.toContain('list')
      const lists = ['', 'view=own', 'is_staff=false', 'order=-created_at', 'order=username', 'search=b']
      for (const from of lists) {
        const page = await service.send('GET', `/user/?limit=1&${from}`, undefined, as(cookie))
        const cursor = new URL(page.json().next).searchParams.get('cursor')
        for (const to of lists) {
          const url = `/user/?limit=1&${to}&cursor=${cursor}`
          const { statusCode } = await service.send('GET', url, undefined, as(cookie))
          expect([from, to, statusCode]).toEqual([from, to, from === to ? 200 : 400])
        }
      }
    },
  )

  rule(
    'STF-07',
    {
      tried:
        'changing other users’ address, name or flag as a user, another staff member’s as staff, and without a recent password',
      expected: '403, and the account is unchanged',
    },
    async ({ start, users, wait }) => {
      const service = await start()
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      await signUp(service)
      const alice = await logIn(service)
      const [chief, other] = [await staff(service, 'chief'), await staff(service, 'other')]
      const before = await Promise.all([bob, other].map(({ id }) => users.findById(id)))
      const bodies = [
        { email: 'mine@example.org' },
        { username: 'taken-over' },
        { is_verified: true },
        { email: 'mine@example.org', is_staff: true },
      ]
      for (const body of bodies) {
        expect((await patch(service, bob.id, body, alice)).json().code).toBe('ACCOUNTS_FORBIDDEN')
        expect((await patch(service, other.id, body, chief.cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
        expect((await patch(service, chief.id, body, chief.cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      }
      await wait(16 * 60_000)
      for (const body of bodies) {
        expect((await patch(service, bob.id, body, chief.cookie)).json().code).toBe(
          'ACCOUNTS_CONFIRMATION_REQUIRED',
        )
      }
      const names = (user: Awaited<ReturnType<typeof users.findById>>) =>
        user && [user.username, user.email, user.isVerified, user.isStaff]
      const after = await Promise.all([bob, other].map(({ id }) => users.findById(id)))
      expect(after.map(names)).toEqual(before.map(names))
    },
  )

  storage(
    'STF-08',
    {
      tried:
        'links from before staff changed an address, and the owner confirming another address at the same moment',
      expected:
        'reset and confirmation links are dead, the old address can undo the change; of two changes one wins',
    },
    async ({ start, users }) => {
      const service = await start()
      const { cookie } = await staff(service, 'chief')
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      await service.app.accounts.updateUser(bob.id, { isVerified: true })
      const session = await logIn(service, 'bob')
      const wanted = async (email: string): Promise<string> => {
        await service.send('POST', '/change-email/', { email }, as(session))
        return linkTarget(await service.mail('change-email', email))
      }
      const reset = await resetLink(service, 'bob@example.org')
      const confirm = await wanted('bob@example.com')
      const changed = await patch(service, bob.id, { email: 'bob@example.net' }, cookie)
      expect([changed.statusCode, changed.json().is_verified]).toEqual([200, false])
      expect((await service.send('POST', reset, choice('a third password'))).json().code).toBe(
        'ACCOUNTS_INVALID_LINK',
      )
      expect((await service.send('POST', confirm)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      const undo = linkTarget(await service.mail('email-changed', 'bob@example.org'))
      expect((await service.send('POST', undo)).statusCode).toBe(200)
      expect(await users.findById(bob.id)).toMatchObject({ email: 'bob@example.org', isVerified: true })

      for (let round = 0; round < 5; round += 1) {
        const name = `racer${round}`
        const racer = await signUp(service, name, { email: `${name}@example.org` })
        await service.app.accounts.updateUser(racer.id, { isVerified: true })
        const own = await logIn(service, name)
        await service.send('POST', '/change-email/', { email: `${name}@example.com` }, as(own))
        const link = linkTarget(await service.mail('change-email', `${name}@example.com`))
        const [byOwner, byStaff] = await Promise.all([
          service.send('POST', link),
          patch(service, racer.id, { email: `${name}@example.net` }, cookie),
        ])
        // The last pair of statuses means one ran after the other.
        expect([
          [200, 409],
          [400, 200],
          [200, 200],
        ]).toContainEqual([byOwner.statusCode, byStaff.statusCode])
        const { email } = (await users.findById(racer.id)) ?? {}
        expect(email).toBe(`${name}@example.${byStaff.statusCode === 200 ? 'net' : 'com'}`)
      }
    },
  )
})
