import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
  signUp,
} from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { newUser } from '@fastify-accounts/testing'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const get = (service: Service, url: string, cookie?: string) =>
  service.app.inject({ url, headers: cookie === undefined ? {} : { cookie } })

/** All property names in a JSON response, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

/** The usernames on all pages of the list. */
async function namesOnAllPages(
  service: Service,
  cookie: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const names: string[] = []
  for (let next: string | null = '/user/?limit=50'; next !== null; ) {
    const [response] = await Promise.all([get(service, next, cookie), meanwhile()])
    expect(response.statusCode).toBe(200)
    const page: { results: { username: string }[]; next: string | null } = response.json()
    names.push(...page.results.map(({ username }) => username))
    next = page.next?.replace('http://localhost:3000', '') ?? null
  }
  return names
}

cases('List', ({ rule, storage }) => {
  rule(
    'LST-01',
    {
      tried:
        'listing users as an anonymous visitor, as a user, as staff, and if the policy restricts the list to staff',
      expected:
        '401 for anonymous visitors; id and username of all users for anyone logged in, which is the default policy; 403 if the policy forbids it',
    },
    async ({ start }) => {
      const service = await start()
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      await signUp(service, 'alice', { email: 'alice@example.org' })
      await service.app.accounts.updateUser(bob.id, { isStaff: true })
      const strict = await start({ authorize: { listUsers: (actor) => actor.isStaff } })
      const [user, staff] = [await logIn(service, 'alice'), await logIn(service, 'bob')]
      for (const cookie of [undefined, 'session=a.b', `session=${bob.id}`]) {
        const response = await get(service, '/user/', cookie)
        expect(response.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
      }
      for (const cookie of [user, staff]) {
        const { results } = (await get(service, '/user/', cookie)).json()
        expect(results).toEqual([
          { id: bob.id, username: 'bob' },
          { id: expect.any(String), username: 'alice' },
        ])
      }
      const refused = await get(strict, '/user/', user)
      expect(refused.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_FORBIDDEN' })
      expect((await get(strict, '/user/', staff)).json().results).toHaveLength(2)
    },
  )

  rule(
    'LST-02',
    {
      tried:
        'every response of every route, searched for internal data of the store, the session or another user',
      expected: 'no hash, epoch, version, token or session id; a user’s address only for that user and staff',
    },
    async ({ start, users }) => {
      const service = await start()
      const alice = await signUp(service, 'alice', { email: 'alice@example.org' })
      await signUp(service, 'bob', { email: 'bob@example.org' })
      const cookie = await logIn(service, 'bob')
      for (const url of ['/forgot/', '/user/v/'])
        await service.send('POST', url, { email: 'alice@example.org' })
      const reset = linkPath(await service.mail('reset-password'))
      const verify = linkPath(await service.mail('verify-email'))
      const passwords = { new_password: otherPassword, confirm_password: otherPassword }
      const forms = { password: otherPassword, confirm_password: otherPassword }
      const requests = [
        [401, 'POST', '/login/', { username: 'alice', password: otherPassword }],
        [202, 'POST', '/forgot/', { email: 'alice@example.org' }],
        [200, 'GET', reset],
        [200, 'GET', '/reset/d/'],
        [400, 'POST', '/change-password/', { old_password: 'wrong one', ...passwords }],
        [200, 'GET', '/me/'],
        [200, 'GET', '/api-root/'],
        [409, 'POST', '/user/', { username: 'alice', ...forms }],
        [201, 'POST', '/signup/', { username: 'carol', ...forms }],
        [200, 'GET', '/user/'],
        [200, 'GET', '/user/?limit=1'],
        [400, 'GET', '/user/?limit=x'],
        [200, 'GET', `/user/${alice.id}`],
        [404, 'GET', '/user/nobody'],
        [403, 'DELETE', `/user/${alice.id}`],
        [200, 'GET', verify],
        [200, 'POST', verify],
        [202, 'POST', '/user/v/', { email: 'alice@example.org' }],
        [202, 'POST', '/signup/v/', { email: 'alice@example.org' }],
        [400, 'POST', reset, { ...passwords, confirm_password: 'another one' }],
        [204, 'POST', reset, passwords],
        [400, 'GET', reset],
        [200, 'POST', '/login/', { username: 'bob', password: goodPassword }],
        [204, 'POST', '/logout/'],
      ] as const
      const own = [
        'id',
        'username',
        'email',
        'is_verified',
        'is_staff',
        'is_active',
        'created_at',
        'last_login_at',
        'has_password',
      ]
      const others = ['results', 'next', 'detail', 'valid', 'verified', 'asks_username', 'methods', 'href']
      const errors = ['statusCode', 'code', 'error', 'message', 'fields', 'field']
      const routes = Object.keys((await get(service, '/api-root/')).json())
      for (const [status, method, url, payload] of requests) {
        const response = await service.send(method, url, payload, { headers: { cookie } })
        expect([method, url, response.statusCode]).toEqual([method, url, status])
        const names = response.body === '' ? [] : namesIn(response.json())
        const known = [...own, ...others, ...errors, ...(url === '/api-root/' ? routes : [])]
        expect([method, url, names.filter((name) => !known.includes(name))]).toEqual([method, url, []])
        const tokens = [reset, verify].map((link) => link.split('/').at(-2) ?? '')
        const row = await users.findById(alice.id)
        const hidden = ['alice@example.org', row?.passwordHash ?? '', secret, cookie.slice(8, 30), ...tokens]
        for (const each of hidden) {
          expect(each.length).toBeGreaterThan(10)
          expect([method, url, response.body.includes(each)]).toEqual([method, url, false])
        }
      }
    },
  )

  rule(
    'LST-03',
    {
      tried: 'limits other than a number from 1 to 100, duplicated parameters, unknown sorts and filters',
      expected: '400, and the store is not asked for a list',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const asked = callsOf(users)
      for (const query of [
        'limit=-1',
        'limit=0',
        'limit=101',
        'limit=1e9',
        'limit=NaN',
        'limit=Infinity',
        'limit=-Infinity',
        'limit=1e999',
        'limit=',
        'limit',
        'limit=1.5',
        'limit=true',
        'limit=1&limit=2',
        'limit[]=1',
        'limit[$gt]=1',
        `limit=${'9'.repeat(400)}`,
        'sort=password',
        'order=password_hash',
        'order=last_login_at',
        'order=username&order=username',
        'view=all',
        'is_staff=yes',
        'is_staff=1',
        'filter=%7B%7D',
        'offset=1',
        'page=2',
        '__proto__=x',
        'username=alice',
      ]) {
        const response = await get(service, `/user/?${query}`, cookie)
        expect([query, response.statusCode, response.json().code]).toEqual([
          query,
          400,
          'ACCOUNTS_INVALID_INPUT',
        ])
      }
      expect(asked).not.toContain('list')
      expect((await get(service, '/user/?limit=100', cookie)).statusCode).toBe(200)
    },
  )

  rule(
    'LST-03',
    {
      tried:
        'cursors that are truncated, modified, made up, from another deployment, or of a user deleted since',
      expected: '400 for a cursor not issued here; the cursor of a deleted user still works',
    },
    async ({ start, users }) => {
      const service = await start()
      const elsewhere = await start({ secret: 'YW5vdGhlci1kZXBsb3ltZW50LXdpdGgtYW5vdGhlci1zZWNyZXQ' })
      for (const name of ['alice', 'bob', 'carol']) await signUp(service, name)
      const cookie = await logIn(service)
      const cursorOf = async (from: Service, owner: string) =>
        new URL((await get(from, '/user/?limit=2', owner)).json().next).searchParams.get('cursor') ?? ''
      const cursor = await cursorOf(service, cookie)
      const foreign = await cursorOf(elsewhere, await logIn(elsewhere))
      const signature = Buffer.from(cursor, 'base64url').subarray(0, 16)
      const made = (value: unknown, mac = signature) =>
        Buffer.concat([mac, Buffer.from(JSON.stringify(value))]).toString('base64url')
      const broken = [
        '',
        'x',
        'null',
        foreign,
        cursor.slice(0, -1),
        cursor.slice(1),
        `${cursor}A`,
        `${cursor}%3D`,
        `${cursor}%20`,
        `${cursor}&cursor=${cursor}`,
        'A'.repeat(2000),
        made([0, '']),
        made([0, "' or 1=1 --"]),
        made({}),
        made([0, 'x'], Buffer.alloc(16)),
      ]
      for (let at = 0; at < cursor.length; at += 1) {
        broken.push(`${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`)
      }
      const asked = callsOf(users)
      for (const each of broken) {
        const response = await get(service, `/user/?limit=2&cursor=${each}`, cookie)
        expect([each, response.statusCode, response.json().code]).toEqual([
          each,
          400,
          'ACCOUNTS_INVALID_INPUT',
        ])
      }
      expect(asked).not.toContain('list')
      const bob = await users.findByUsername('bob')
      await users.delete(bob?.id ?? '')
      const page = await get(service, `/user/?limit=2&cursor=${cursor}`, cookie)
      expect(page.json()).toMatchObject({ results: [{ username: 'carol' }], next: null })
    },
  )

  storage(
    'LST-04',
    {
      tried: 'paging through 1000 users while 200 are created and 200 others deleted',
      expected: 'each user who exists throughout is shown once; nobody twice; never 500',
    },
    async ({ start, users }) => {
      const service = await start()
      const made = (name: string) =>
        service.app.accounts.createUser({ username: name, password: goodPassword })
      await made('reader')
      const cookie = await logIn(service, 'reader')
      const old: string[] = []
      const batches = times({ quick: 8, full: 40 })
      for (let batch = 0; batch < batches; batch += 1) {
        const names = Array.from({ length: 25 }, (_, index) => `old${batch}-${index}`)
        await Promise.all(names.map(made))
        old.push(...names)
      }
      const doomed = old.filter((_, index) => index % 5 === 0)
      const staying = old.filter((_, index) => index % 5 !== 0)
      let round = 0
      const names = await namesOnAllPages(service, cookie, async () => {
        const leaving = doomed.slice(round * 10, round * 10 + 10)
        round += 1
        await Promise.all([
          ...leaving.map(async (name) => users.delete((await users.findByUsername(name))?.id ?? '')),
          ...leaving.map((_, index) => made(`new${round}-${index}`)),
        ])
      })
      expect(round).toBeGreaterThanOrEqual(batches / 2)
      expect(new Set(names).size).toBe(names.length)
      const missing = staying.filter((name) => !names.includes(name))
      expect(missing).toEqual([])
      const left = await namesOnAllPages(service, cookie)
      expect(left.toSorted()).toEqual(
        ['reader', ...staying, ...left.filter((name) => name.startsWith('new'))].toSorted(),
      )
      expect(left.filter((name) => name.startsWith('new'))).toHaveLength(doomed.length)
    },
  )

  rule(
    'LST-05',
    {
      tried: 'reading the list of users page by page at full speed, from two sessions of one user',
      expected:
        '429 with Retry-After after 60 pages a minute; other users, and searches, have their own limits',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      for (const name of ['alice', 'bob']) await signUp(service, name)
      const alice = [await logIn(service, 'alice'), await logIn(service, 'alice')]
      const statuses: number[] = []
      for (let page = 0; page < 62; page += 1) {
        statuses.push((await get(service, '/user/?limit=1', alice[page % 2])).statusCode)
      }
      expect(statuses).toEqual([...Array(60).fill(200), 429, 429])
      const refused = await get(service, '/user/', alice[0])
      expect(refused.json()).toMatchObject({ statusCode: 429, code: 'ACCOUNTS_THROTTLED' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect((await get(service, '/user/?search=b', alice[0])).statusCode).toBe(200)
      expect((await get(service, '/user/', await logIn(service, 'bob'))).statusCode).toBe(200)
    },
  )

  rule(
    'LST-06',
    {
      tried:
        'finding users whom `authorize.showUser` hides: in the list, in a search by name and by address, and in the cursor of the next page',
      expected:
        'nowhere: the page is shorter by that many, the list continues until `next` is null, and the cursor is unreadable',
    },
    async ({ start, users }) => {
      const hides = (name: string) => name.startsWith('hidden')
      const service = await start({
        authorize: { showUser: async (_, target) => !hides(target.username ?? ''), searchEmails: () => true },
      })
      for (const name of ['alice', 'hidden-1', 'hidden-2', 'bob', 'hidden-3', 'carol', 'hidden-4']) {
        await signUp(service, name, { email: `${name}@example.org` })
      }
      const cookie = await logIn(service)
      for (const limit of [1, 2, 3, 50]) {
        const names: string[] = []
        for (let next: string | null = `/user/?limit=${limit}`; next !== null; ) {
          const response = await get(service, next, cookie)
          expect(response.statusCode).toBe(200)
          const page: { results: { username: string }[]; next: string | null } = response.json()
          expect(page.results.length).toBeLessThanOrEqual(limit)
          names.push(...page.results.map(({ username }) => username))
          next = page.next?.replace('http://localhost:3000', '') ?? null
          const cursor = Buffer.from(next?.split('cursor=')[1] ?? '', 'base64url').toString('latin1')
          for (const { id, username } of await users.list({ limit: 9 })) {
            expect([username, `${response.body}${cursor}`.includes(id)]).toEqual([
              username,
              page.results.some((user) => user.username === username),
            ])
          }
        }
        expect([limit, names]).toEqual([limit, ['alice', 'bob', 'carol']])
      }
      for (const search of ['hidden', 'hidden-1', 'hidden-1@example.org']) {
        const response = await get(service, `/user/?search=${search}`, cookie)
        expect([search, response.json()]).toEqual([search, { results: [], next: null }])
      }
      expect((await get(service, '/user/?search=b', cookie)).json().results).toHaveLength(1)
      // If the policy throws, the list fails instead of showing the user.
      const failing = await start({
        authorize: {
          showUser() {
            throw new Error('the policy failed')
          },
        },
      })
      expect((await get(failing, '/user/', cookie)).statusCode).toBe(503)
    },
  )

  const usersOf = async (service: Service, cookie: string, query = '') => {
    const response = await get(service, `/user/${query}`, cookie)
    expect(response.statusCode).toBe(200)
    return response.json().results.map(({ username }: { username: string }) => username)
  }

  /** A user with a proven address, logged in. */
  const withReader = async (service: Service, name = 'reader', flags: object = {}): Promise<string> => {
    const user = { username: name, password: goodPassword, email: `${name}@example.net`, isVerified: true }
    await service.app.accounts.createUser({ ...user, ...flags })
    return logIn(service, name)
  }

  rule(
    'LST-07',
    {
      tried:
        'account enumeration: signing up with another person’s address where confirmation is required, then looking for the new name in the list, by a search, by its id, and by trying to change or delete it',
      expected:
        'nobody but staff sees an account before its address was proven or somebody logged in to it; then everybody does',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true })
      const cookie = await withReader(service)
      const staff = await withReader(service, 'chief', { isStaff: true })
      await signUp(service, 'probe', { email: 'victim@example.org' })
      const again = { username: 'probe-2', password: goodPassword, confirm_password: goodPassword }
      await service.send('POST', '/signup/', { ...again, email: 'victim@example.org' })
      const probe = await users.findByUsername('probe')
      const unclaimed = await users.findByUsername('probe-2')
      expect([probe?.isVerified, unclaimed?.kind]).toEqual([false, 'unclaimed'])
      const path = `/user/${probe?.id}`
      for (const query of ['', '?limit=1', '?order=-created_at&limit=1', '?search=probe', '?search=probe-2'])
        expect([query, await usersOf(service, cookie, query)]).toEqual([
          query,
          query.includes('search') ? [] : expect.not.arrayContaining(['probe']),
        ])
      for (const [url, as] of [
        [path, cookie],
        [`/user/${unclaimed?.id}`, cookie],
        [`/user/${unclaimed?.id}`, staff],
      ] as const) {
        for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
          const payload = method === 'PATCH' ? { is_active: false } : undefined
          const response = await service.send(method, url, payload, { headers: { cookie: as } })
          expect([method, response.statusCode]).toEqual([method, 404])
        }
      }
      expect(await usersOf(service, staff, '?search=probe')).toEqual(['probe'])
      expect((await get(service, path, staff)).json()).toMatchObject({ username: 'probe' })
      for (const [changes, isSeen] of [
        [{ isActive: false }, false],
        [{ isActive: true, lastLoginAt: new Date() }, true],
        [{ lastLoginAt: null, isVerified: true }, true],
      ] as const) {
        const { id = '', version = 0 } = (await users.findByUsername('probe')) ?? {}
        await users.update(id, changes, version)
        expect(await usersOf(service, cookie, '?search=probe')).toEqual(isSeen ? ['probe'] : [])
        expect((await get(service, path, cookie)).statusCode).toBe(isSeen ? 200 : 404)
      }
    },
  )

  rule(
    'LST-08',
    {
      tried:
        'telling by the list that there are unused accounts: pages of any length, their number, their cursors and the store calls, with unused accounts before, between and after the others and without any',
      expected: 'the same pages after the same store calls',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true })
      const made = (name: string, isVerified: boolean) =>
        service.app.accounts.createUser({
          ...{ username: name, password: goodPassword, email: `${name}@example.org`, isVerified },
        })
      const ids: string[] = []
      const hidden = async (name: string) => ids.push((await made(`name-${name}`, false)).id)
      await hidden('0')
      const cookie = await withReader(service, 'name-1')
      for (const name of ['2', '3', '4']) {
        await hidden(`${name}-a`)
        await made(`name-${name}`, true)
      }
      await hidden('9')
      const asked = callsOf(users)
      const pages = async () => {
        const seen: unknown[] = []
        for (const query of ['limit=1', 'limit=2', 'limit=3', 'limit=4', 'order=-username&limit=1']) {
          for (const search of ['', '&search=name', '&search=name-3', '&search=name-9']) {
            for (let next: string | null = `/user/?${query}${search}`; next !== null; ) {
              asked.length = 0
              const response = await get(service, next, cookie)
              const { results, next: url } = response.json()
              seen.push([
                next.split('&cursor')[0],
                results,
                url?.length,
                asked.filter((call) => call === 'list'),
              ])
              next = url?.replace('http://localhost:3000', '') ?? null
            }
          }
        }
        return seen
      }
      const among = await pages()
      for (const id of ids) await users.delete(id)
      expect(among).toEqual(await pages())
    },
  )

  storage(
    'LST-10',
    {
      tried:
        'signing up a thousand accounts that nobody proves, all with one prefix, and searching this prefix as a member; a hundred sign-ups with taken addresses, and searching their prefix as staff',
      expected:
        'each page reads a bounded number of users, whoever is behind them is found by following `next`, by staff on the first page, and nobody else is listed',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true })
      const cookie = await withReader(service, 'flood-z')
      for (let n = 0; n < 1000; n += 1) {
        const username = `flood-${String(n).padStart(4, '0')}`
        await users.create(newUser({ username, usernameKey: username, isVerified: false }))
      }
      const read: number[] = []
      const { list } = users
      users.list = async (query) => {
        const found = await list(query)
        read.push(found.length)
        return found
      }
      const names: string[] = []
      for (let next: string | null = '/user/?search=flood&limit=10'; next !== null; ) {
        read.length = 0
        const page: { results: { username: string }[]; next: string | null } = (
          await get(service, next, cookie)
        ).json()
        expect(read.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(1000 * 0.7)
        names.push(...page.results.map(({ username }) => username))
        next = page.next?.replace('http://localhost:3000', '') ?? null
      }
      expect(names).toEqual(['flood-z'])
      const staff = await withReader(service, 'taken-z', { isStaff: true })
      for (let n = 0; n < 100; n += 1) {
        const username = `taken-${String(n).padStart(3, '0')}`
        await users.create(newUser({ username, usernameKey: username, kind: 'unclaimed' }))
      }
      const found = (await get(service, '/user/?search=taken&limit=10', staff)).json()
      expect(found).toMatchObject({ results: [{ username: 'taken-z' }], next: null })
    },
  )

  storage(
    'LST-09',
    {
      tried:
        'a search in own fields as a member, with patterns, SQL and JSON syntax, names of other columns, and for users who are hidden, unused or unclaimed',
      expected:
        '403 for members and no store query; each is an ordinary text of the declared fields only; whom the list leaves out is not found',
    },
    async ({ start, users }) => {
      const text = { type: 'string', maxLength: 200 }
      const service = await start({
        requireEmailConfirmation: true,
        users: {
          variant: 'both',
          fields: { type: 'object', properties: { company: text, secret_note: text } },
          searchFields: ['company'],
        },
        authorize: {
          searchFields: ({ username }) => username !== 'member',
          showUser: (_, { username }) => username !== 'hidden',
        },
      })
      const [member, reader] = [await withReader(service, 'member'), await withReader(service)]
      const staff = await withReader(service, 'chief', { isStaff: true })
      const companies = ['100 % _sure_', 'say "hi"', "it's", 'back\\slash', '{"a":1}', 'plain']
      for (const [at, company] of [...companies, 'plain'].entries()) {
        const username = at < companies.length ? `user-${at}` : 'hidden'
        await service.app.accounts.createUser({
          ...{ username, password: goodPassword, email: `${username}@example.org`, isVerified: true },
          fields: { company, secret_note: 'treasure' },
        })
      }
      const signUpWith = { password: goodPassword, confirm_password: goodPassword, company: 'plain' }
      for (const [username, email] of [
        ['unused', 'unused@example.org'],
        ['unclaimed', 'user-5@example.org'],
      ])
        await service.send('POST', '/signup/', { ...signUpWith, username, email })
      const search = (query: string, cookie: string) =>
        usersOf(service, cookie, `?search_in=fields&search=${encodeURIComponent(query)}`)

      const asked = callsOf(users)
      for (const query of ['plain', 'p', 'treasure']) {
        const refused = await get(service, `/user/?search_in=fields&search=${query}`, member)
        expect([query, refused.statusCode, refused.json().code]).toEqual([query, 403, 'ACCOUNTS_FORBIDDEN'])
      }
      expect(asked).not.toContain('list')

      for (const [at, company] of companies.entries())
        expect([company, await search(company, reader)]).toEqual([company, [`user-${at}`]])
      expect(await search('plain', staff)).toEqual(['user-5', 'unused'])
      for (const query of [
        ...['treasure', 'secret_note', 'company', 'user-0', 'example.org', '":"', '__proto__', 'person'],
        ...['pl%n', 'pl_in', '.*', "' or '1'='1", '\\u0000', '$where', '*', 'true', 'null', 'p'.repeat(254)],
      ])
        expect([query, await search(query, staff)]).toEqual([query, []])
      for (const query of ['search=%00', 'search=', `search=${'p'.repeat(255)}`, 'search=a&search=b']) {
        const response = await get(service, `/user/?search_in=fields&${query}`, staff)
        expect([query, response.statusCode]).toEqual([query, 400])
      }
      for (const into of ['fields&search_in=names', 'secret_note', 'fields,names', '']) {
        const response = await get(service, `/user/?search=plain&search_in=${into}`, staff)
        expect([into, response.statusCode]).toEqual([into, 400])
      }
      const page = await get(service, '/user/?search_in=fields&search=plain&limit=1', staff)
      const cursor = new URL(page.json().next).searchParams.get('cursor')
      const other = await get(service, `/user/?search=plain&limit=1&cursor=${cursor}`, staff)
      expect(other.statusCode).toBe(400)
    },
  )
})
