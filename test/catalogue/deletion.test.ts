import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { holdNext, holdNextUpdate } from './store-calls.js'

const email = 'alice@example.org'
const passwords = { new_password: otherPassword, confirm_password: otherPassword }
const remove = (service: Service, id: string, cookie: string, headers = {}) =>
  service.app.inject({ method: 'DELETE', url: `/user/${id}`, headers: { cookie, ...headers } })
const login = (service: Service, password = goodPassword) =>
  service.send('POST', '/login/', { username: 'alice', password })

/** The paths of the links that alice requests by email. */
async function linksOf(service: Service): Promise<{ reset: string; verify: string }> {
  await service.send('POST', '/forgot/', { email })
  await service.send('POST', '/user/v/', { email })
  return {
    reset: linkPath(await service.mail('reset-password')),
    verify: linkPath(await service.mail('verify-email')),
  }
}

/** Expects that none of alice's credentials and links work. */
async function expectNoAccess(
  service: Service,
  id: string,
  cookies: string[],
  links: string[],
): Promise<void> {
  expect(await service.users.findById(id)).toBeNull()
  expect(await service.users.findByUsername('alice')).toBeNull()
  for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
  for (const password of [goodPassword, otherPassword]) {
    expect((await login(service, password)).statusCode).toBe(401)
  }
  for (const link of links) {
    expect(
      (await service.send('POST', link, link.startsWith('/reset/') ? passwords : undefined)).json().code,
    ).toBe('ACCOUNTS_INVALID_LINK')
  }
}

cases('Deletion', ({ rule, storage }) => {
  rule(
    'DEL-02',
    {
      tried: 'deleting an account that has three sessions and emailed links',
      expected:
        'all sessions get 401 at once, their rows are gone, the cookie is cleared, links are dead; a new account of the same name inherits nothing',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      const user = await signUp(service, 'alice', { email })
      await signUp(service, 'bob')
      const cookies = [await logIn(service), await logIn(service), await logIn(service)]
      const bob = await logIn(service, 'bob')
      const { reset, verify } = await linksOf(service)
      const done = await remove(service, user.id, cookies[0] ?? '')
      expect([done.statusCode, done.body]).toEqual([204, ''])
      expect(done.headers['set-cookie']).toContain('session=; Max-Age=0')
      expect(await sessionRows()).toBe(1)
      expect(await whoIs(service, bob)).toBe('bob')
      await expectNoAccess(service, user.id, cookies, [reset, verify])

      const heir = await signUp(service, 'alice', { email })
      expect(heir.id).not.toBe(user.id)
      for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
      for (const link of [reset, verify]) expect((await service.send('GET', link)).statusCode).toBe(400)
      expect((await service.users.findById(heir.id))?.isVerified).toBe(false)
    },
  )

  rule(
    'DEL-02',
    {
      tried: 'the same by staff, and by the host’s own code',
      expected:
        'the deleted user’s sessions get 401 at once, their rows are gone; those of the staff survive',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      const staff = await signUp(service, 'bob')
      await service.app.accounts.updateUser(staff.id, { isStaff: true })
      const bob = await logIn(service, 'bob')
      for (const action of [
        async (id: string) => (await remove(service, id, bob)).headers['set-cookie'],
        async (id: string) => void (await service.app.accounts.deleteUser(id)),
      ]) {
        const user = await signUp(service, 'alice')
        const cookies = [await logIn(service), await logIn(service)]
        expect(await action(user.id)).toBeUndefined()
        expect(await sessionRows()).toBe(1)
        await expectNoAccess(service, user.id, cookies, [])
        expect(await whoIs(service, bob)).toBe('bob')
      }
    },
  )

  rule(
    'DEL-03',
    {
      tried:
        'deleting another user, and an id that doesn’t exist, was deleted, or is written in another form',
      expected:
        '403 for a user you may see, 404 for one the policy hides, the same as for a nonexistent one; nobody is deleted',
    },
    async ({ start, users }) => {
      const service = await start()
      const hiding = await start({ authorize: { showUser: (actor, target) => actor.id === target.id } })
      const victim = await signUp(service, 'victim')
      await signUp(service, 'alice')
      const cookie = await logIn(service)
      expect((await remove(service, victim.id, cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      const none = await remove(hiding, '01890a5d-ac96-774b-bcce-b302099a8057', cookie)
      expect(none.json()).toMatchObject({ statusCode: 404, code: 'ACCOUNTS_NOT_FOUND' })
      expectAlike(none, await remove(hiding, victim.id, cookie))
      const own = await users.findByUsername('alice')
      for (const pk of [own?.id.toUpperCase(), `${own?.id}%20`, '%25', '*', 'me', `${own?.id}%00`]) {
        expect([pk, (await remove(service, pk ?? '', cookie)).statusCode]).toEqual([pk, 404])
      }
      for (const stranger of ['', 'session=a.b']) {
        expect((await remove(service, victim.id, stranger)).statusCode).toBe(401)
      }
      expect(await users.list({ limit: 9 })).toHaveLength(2)
    },
  )

  rule(
    'DEL-03',
    {
      tried:
        'a POST or GET that asks to be treated as a DELETE: `_method`, X-HTTP-Method-Override and the like',
      expected: '405, or the request is ignored; nobody is deleted',
    },
    async ({ start, users }) => {
      const service = await start()
      const user = await signUp(service)
      const cookie = await logIn(service)
      const form = 'application/x-www-form-urlencoded'
      for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
        for (const method of ['GET', 'POST', 'HEAD'] as const) {
          for (const query of ['', '?_method=DELETE', '?method=delete']) {
            const response = await service.app.inject({
              method,
              url: `/user/${user.id}${query}`,
              headers: { cookie, [name]: 'DELETE', ...(method === 'POST' && { 'content-type': form }) },
              ...(method === 'POST' && { payload: '_method=DELETE' }),
            })
            expect([method, response.statusCode]).toEqual([method, method === 'POST' ? 405 : 200])
          }
        }
      }
      expect(await users.findById(user.id)).not.toBeNull()
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  storage(
    'DEL-04',
    {
      tried: 'ten concurrent deletions of one account, from its own sessions',
      expected:
        'one 204; the others get 404, or 401 once the sessions are gone; the deletion is reported once',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      const events: unknown[] = []
      service.app.accounts.events.on('audit', (event) => {
        if (event.action === 'delete-user' && event.outcome === 'success') events.push(event.userId)
      })
      const user = await signUp(service)
      const cookies = [await logIn(service), await logIn(service)]
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => remove(service, user.id, cookies[index % 2] ?? '')),
      )
      const codes = responses.map(({ statusCode }) => statusCode).toSorted()
      expect(codes[0]).toBe(204)
      for (const code of codes.slice(1)) expect([401, 404]).toContain(code)
      await service.settle()
      expect(events).toEqual([user.id])
      expect(await sessionRows()).toBe(0)
      await expectNoAccess(service, user.id, cookies, [])
    },
  )

  rule(
    'DEL-04',
    {
      tried: 'a deletion during a login, a reset, a password change and a verification',
      expected: 'the account stays deleted; none of its sessions, passwords or links works',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      const change = (cookie: string) =>
        service.send(
          'POST',
          '/change-password/',
          { old_password: goodPassword, ...passwords },
          { headers: { cookie } },
        )
      type Given = Awaited<ReturnType<typeof linksOf>> & { cookie: string }
      const races = [
        { hold: () => holdNextUpdate(users, sessions), action: () => login(service), status: [401] },
        ...(sessions.withUsers?.update
          ? []
          : [{ hold: () => holdNext(sessions, 'create'), action: () => login(service), status: [200, 401] }]),
        {
          hold: () => holdNextUpdate(users, sessions),
          action: ({ reset }: Given) => service.send('POST', reset, passwords),
          status: [400],
        },
        {
          hold: () => holdNextUpdate(users, sessions),
          action: ({ cookie }: Given) => change(cookie),
          status: [401, 409],
        },
        {
          hold: () => holdNextUpdate(users, sessions),
          action: ({ verify }: Given) => service.send('POST', verify),
          status: [400],
        },
      ]
      for (const { hold, action, status } of races) {
        service.mails.length = 0
        const user = await signUp(service, 'alice', { email })
        const [cookie, other] = [await logIn(service), await logIn(service)]
        const links = await linksOf(service)
        const { reached, release } = hold()
        const slow = action({ ...links, cookie: other })
        await reached
        expect((await remove(service, user.id, cookie)).statusCode).toBe(204)
        release()
        const response = await slow
        expect([action.toString(), status.includes(response.statusCode)]).toEqual([action.toString(), true])
        const brought = response.cookies
          .filter(({ name, value }) => name === 'session' && value !== '')
          .map(({ value }) => `session=${encodeURIComponent(value)}`)
        await expectNoAccess(service, user.id, [cookie, other, ...brought], [links.reset, links.verify])
      }
    },
  )

  storage(
    'DEL-04',
    {
      tried: 'the same without a script: concurrent deletion, logins, resets and verifications, ten times',
      expected: 'one deletion; nothing of the account works afterwards',
    },
    async ({ start }) => {
      const service = await start()
      for (let round = 0; round < 10; round += 1) {
        service.mails.length = 0
        const user = await signUp(service, 'alice', { email })
        const cookie = await logIn(service)
        const { reset, verify } = await linksOf(service)
        const responses = await Promise.all([
          login(service),
          service.send('POST', reset, passwords),
          remove(service, user.id, cookie),
          service.send('GET', verify, undefined, { headers: { accept: 'application/json' } }),
          login(service),
          remove(service, user.id, cookie),
          login(service, otherPassword),
          service.send('POST', verify),
        ])
        for (const { statusCode } of responses) expect([200, 204, 400, 401, 404, 409]).toContain(statusCode)
        // The reset may have ended the session used for the deletion.
        const gone = [responses[2], responses[5]].filter((response) => response?.statusCode === 204)
        if (gone.length === 0) await service.app.accounts.deleteUser(user.id)
        expect(gone.length).toBeLessThanOrEqual(1)
        const brought = responses
          .flatMap(({ cookies }) => cookies)
          .filter(({ name, value }) => name === 'session' && value !== '')
          .map(({ value }) => `session=${encodeURIComponent(value)}`)
        await expectNoAccess(service, user.id, [cookie, ...brought], [reset, verify])
      }
    },
  )

  storage(
    'DEL-05',
    {
      tried:
        'two staff members who delete each other: one while the other’s deletion is in progress; simultaneously, on two servers, ten times; and during a demotion',
      expected: 'one remains, and is staff: the deleting user takes the other’s rights first',
    },
    async ({ start, users }) => {
      const servers = [await start(), await start()] as const
      const [service] = servers
      const staff = async (username: string) => {
        const { id } = await service.app.accounts.createUser({
          username,
          password: goodPassword,
          isStaff: true,
        })
        return { id, cookie: await logIn(service, username) }
      }
      const expectOneOf = async (ids: string[]) => {
        const rows = await Promise.all(ids.map((id) => users.findById(id)))
        const left = rows.filter((user) => user?.isStaff && user.isActive)
        expect(left.length).toBeGreaterThan(0)
        for (const id of ids) await service.app.accounts.deleteUser(id)
      }

      for (const [call, statuses] of [
        ['delete', [403, 204]],
        ['update', [204, 403]],
      ] as const) {
        const [one, other] = [await staff('one'), await staff('other')]
        const { reached, release } = holdNext(users, call)
        const slow = remove(service, other.id, one.cookie)
        await reached
        const quick = await remove(service, one.id, other.cookie)
        release()
        expect([call, [quick.statusCode, (await slow).statusCode]]).toEqual([call, statuses])
        await expectOneOf([one.id, other.id])
      }

      const urls = await Promise.all(
        servers.map(async (server) => `http://127.0.0.1:${await server.listen()}`),
      )
      const send = (server: number, method: string, id: string, cookie: string) =>
        fetch(`${urls[server]}/user/${id}`, {
          method,
          headers: { cookie, ...(method === 'PATCH' && { 'content-type': 'application/json' }) },
          ...(method === 'PATCH' && { body: '{"is_staff":false}' }),
        })
      for (let round = 0; round < 10; round += 1) {
        const [one, other] = [await staff('one'), await staff('other')]
        const responses = await Promise.all([
          send(0, 'DELETE', other.id, one.cookie),
          send(1, round % 3 === 2 ? 'PATCH' : 'DELETE', one.id, other.cookie),
        ])
        for (const { status } of responses) expect([200, 204, 401, 403, 404, 409]).toContain(status)
        await expectOneOf([one.id, other.id])
      }
    },
  )

  rule(
    'DEL-05',
    {
      tried: 'the last staff member, and one of two, deleting themselves, by both routes',
      expected:
        '409, and they still exist and are logged in; once another has demoted them they may, and staff can still delete each other',
    },
    async ({ start, users }) => {
      const service = await start()
      for (const username of ['only', 'second']) {
        await service.app.accounts.createUser({ username, password: goodPassword, isStaff: true })
        const { id } = (await users.findByUsername(username)) ?? { id: '' }
        const cookie = await logIn(service, username)
        for (const url of ['/me/', `/user/${id}`]) {
          const response = await service.send('DELETE', url, undefined, { headers: { cookie } })
          expect([url, response.statusCode, response.json().code]).toEqual([url, 409, 'ACCOUNTS_CONFLICT'])
        }
        expect(await users.findById(id)).toMatchObject({ isStaff: true, isActive: true })
        expect(await whoIs(service, cookie)).toBe(username)
      }
      const [only, second] = await users.list({ limit: 2 })
      const cookies = [await logIn(service, 'only'), await logIn(service, 'second')]
      const { app } = service
      const headers = { cookie: cookies[0] ?? '' }
      const demoted = await app.inject({
        method: 'PATCH',
        url: `/user/${second?.id}`,
        payload: { is_staff: false },
        headers,
      })
      expect(demoted.statusCode).toBe(200)
      expect((await remove(service, second?.id ?? '', cookies[1] ?? '')).statusCode).toBe(204)
      const { id } = await app.accounts.createUser({
        username: 'third',
        password: goodPassword,
        isStaff: true,
      })
      expect((await remove(service, id, cookies[0] ?? '')).statusCode).toBe(204)
      expect((await users.list({ limit: 9 })).map(({ id }) => id)).toEqual([only?.id])
    },
  )

  rule(
    'DEL-06',
    {
      tried:
        'deleting accounts by a thief, by staff and by the app’s own code; an account at an address that nobody has proven',
      expected:
        'an email to each proven address says when, from which network or that staff did it, and has no link; a stranger’s address gets none',
    },
    async ({ start }) => {
      const service = await start({}, { server: { trustProxy: () => true } })
      const idOf: Record<string, string> = {}
      for (const username of ['robbed', 'banned', 'pruned', 'unproven', 'boss']) {
        const at = { email: `${username}@example.org`, isVerified: username !== 'unproven' }
        const user = { username, password: goodPassword, isStaff: username === 'boss', ...at }
        idOf[username] = (await service.app.accounts.createUser(user)).id
      }
      const from = { 'x-forwarded-for': '192.0.2.7' }
      const boss = await logIn(service, 'boss')
      for (const [username, cookie] of [
        ['robbed', await logIn(service, 'robbed')],
        ['unproven', await logIn(service, 'unproven')],
        ['banned', boss],
      ] as const)
        expect((await remove(service, idOf[username] ?? '', cookie, from)).statusCode).toBe(204)
      expect(await service.app.accounts.deleteUser(idOf.pruned ?? '')).toBe(true)
      await service.mail('account-deleted', 'pruned@example.org')
      await service.app.close()
      const told = service.mails.filter(({ kind }) => kind === 'account-deleted')
      const saying = told.map(({ to, text }) => [
        to.address,
        /\n(?:Place|Done by): (.*)/.exec(text)?.[1],
        /https?:/.test(text),
      ])
      expect(saying.sort()).toEqual([
        ['banned@example.org', 'someone who manages accounts', false],
        ['pruned@example.org', 'us', false],
        ['robbed@example.org', 'network 192.0.2.x', false],
      ])
    },
  )
})
