import {
  as,
  cookieOf,
  countedSessions,
  goodPassword,
  logIn,
  otherPassword,
  secret,
  signUp,
  type TestApp,
  testApp,
  testAppOn,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { oneDatabase } from '@fastify-accounts/test-support/one-database'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryUserStore, type Session, type SessionStore, secondFactor } from '../../src/index.js'
import { familyOf } from '../../src/sessions/succession.js'

const minute = 60_000
/** How long an old id outlives the first sight of the new one, in milliseconds. */
const overlap = 10_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const confirm = ({ send }: Pick<TestApp, 'send'>, cookie: string) =>
  send('POST', '/confirm/', { password: goodPassword }, as(cookie))
const list = async ({ send }: Pick<TestApp, 'send'>, cookie: string) =>
  (await send('GET', '/sessions/', undefined, as(cookie))).json().results
const danger = async ({ app }: Pick<TestApp, 'app'>, cookie: string) =>
  (await app.inject({ url: '/danger', headers: { cookie } })).statusCode

/** A caller that waits for `passed` goes on with `open`. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

/** Alice, who is logged in, and a route that wants a recent login. */
async function started(options: Parameters<typeof testApp>[0] = {}) {
  const service = await testApp(options, {
    before: (app) => {
      app.after(() => {
        const onRequest: (typeof app)['accounts']['requireUser'] = (request, reply) =>
          app.accounts.requireRecentLogin(request, reply)
        app.get('/danger', { onRequest }, async () => 'done')
      })
    },
  })
  const user = await signUp(service)
  return { ...service, user, old: await logIn(service) }
}

/** The same, after alice has confirmed her login; nothing has used the new id yet. */
async function confirmed() {
  const service = await started()
  const response = await confirm(service, service.old)
  expect(response.statusCode).toBe(204)
  return { ...service, next: cookieOf(response) }
}

describe('after a confirmation, the old id of the session', () => {
  test('is still logged in until ten seconds after the new one was first used', async () => {
    const service = await confirmed()
    const { old, next } = service
    expect(next).not.toBe(old)
    // The response may be on its way for long, or lost.
    wait(3 * minute)
    expect(await whoIs(service, old)).toBe('alice')
    expect(await whoIs(service, next)).toBe('alice')
    wait(overlap - 1)
    expect([await whoIs(service, old), await whoIs(service, next)]).toEqual(['alice', 'alice'])
    wait(1)
    expect([await whoIs(service, old), await whoIs(service, next)]).toEqual([null, 'alice'])
  })

  test('ends ten seconds later although a slow request under it recorded its use after that', async () => {
    const service = await started()
    wait(2 * minute)
    const { touch } = service.sessions
    const [reached, released] = [gate(), gate()]
    service.sessions.touch = async (...args) => {
      service.sessions.touch = touch
      reached.open()
      await released.passed
      return touch(...args)
    }
    const slow = whoIs(service, service.old)
    await reached.passed
    const next = cookieOf(await confirm(service, service.old))
    expect(await whoIs(service, next)).toBe('alice')
    released.open()
    await slow
    wait(overlap)
    expect(await whoIs(service, service.old)).toBe('alice')
    wait(overlap)
    expect([await whoIs(service, service.old), await whoIs(service, next)]).toEqual([null, 'alice'])
  })

  test('proves no recent login', async () => {
    const service = await confirmed()
    expect([await danger(service, service.old), await danger(service, service.next)]).toEqual([403, 200])
  })

  test('proves none either where a session is so old that it has no methods', async () => {
    const service = await started()
    const [row] = await service.sessions.listByUser(service.user.id)
    await service.sessions.change?.(row?.id ?? '', 0, { methods: null })
    expect(await danger(service, service.old)).toBe(200)
    await confirm(service, service.old)
    expect(await danger(service, service.old)).toBe(403)
  })

  test('is not renewed by its use', async () => {
    const service = await started({ session: { idleTimeout: 5 * minute } })
    const next = cookieOf(await confirm(service, service.old))
    for (const _ of Array(4)) {
      wait(1.2 * minute)
      expect(await whoIs(service, service.old)).toBe('alice')
    }
    wait(1.2 * minute)
    expect(await whoIs(service, service.old)).toBeNull()
    expect(next).not.toBe('')
  })

  test('gets no cookie, not even one signed with a new secret', async () => {
    const stores = { users: createMemoryUserStore(), sessions: countedSessions() }
    const before = await testAppOn(stores)
    await signUp(before)
    const [old, other] = [await logIn(before), await logIn(before)]
    await confirm(before, old)
    const after = await testAppOn(stores, { secret: ['another secret, 32 characters or more', secret] })
    const responses = [old, other].map((cookie) => after.send('GET', '/me/', undefined, as(cookie)))
    const [stale, current] = await Promise.all(responses)
    expect([stale?.statusCode, stale?.cookies]).toEqual([200, []])
    expect(current?.cookies.map(({ name }) => name)).toEqual(['session'])
  })

  test.each<[string, (service: Awaited<ReturnType<typeof confirmed>>) => Promise<unknown>]>([
    ['a new password', ({ app, user }) => app.accounts.setPassword(user.id, otherPassword)],
    ['disabling', ({ app, user }) => app.accounts.updateUser(user.id, { isActive: false })],
    ['ending all sessions', ({ app, user }) => app.accounts.endUserSessions(user.id)],
    ['deletion', ({ app, user }) => app.accounts.deleteUser(user.id)],
    [
      'a new password of their own',
      ({ send, next }) =>
        send(
          'POST',
          '/change-password/',
          { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword },
          as(next),
        ),
    ],
  ])('ends at once with %s', async (_, end) => {
    const service = await confirmed()
    await end(service)
    expect([await whoIs(service, service.old), await whoIs(service, service.next)]).toEqual([null, null])
  })
})

describe('a repeated confirmation', () => {
  test('after a lost response, replaces the session that nobody has seen', async () => {
    const service = await confirmed()
    const lost = service.next
    const next = cookieOf(await confirm(service, service.old))
    expect(next).not.toBe(lost)
    expect([await danger(service, lost), await danger(service, next)]).toEqual([403, 200])
    expect(await list(service, next)).toHaveLength(1)
    wait(overlap)
    const ids = [service.old, lost, next]
    expect(await Promise.all(ids.map((cookie) => whoIs(service, cookie)))).toEqual([null, null, 'alice'])
  })

  test('works however many responses get lost, and a logout then ends the newest', async () => {
    const service = await started()
    let next = ''
    for (let lost = 0; lost < 110; lost += 1) {
      const response = await confirm(service, service.old)
      expect(response.statusCode).toBe(204)
      next = cookieOf(response)
    }
    const { find } = service.sessions
    let reads = 0
    service.sessions.find = (id) => {
      reads += 1
      return find(id)
    }
    expect([await whoIs(service, service.old), reads]).toEqual(['alice', 2])
    await service.send('POST', '/logout/', undefined, as(service.old))
    expect([await whoIs(service, service.old), await whoIs(service, next)]).toEqual([null, null])
  })

  test('under the old id, once the new one is in use, succeeds and leaves the cookie alone', async () => {
    const service = await confirmed()
    await whoIs(service, service.next)
    const late = await confirm(service, service.old)
    expect([late.statusCode, late.cookies]).toEqual([204, []])
    expect(await danger(service, service.next)).toBe(200)
    expect(await list(service, service.next)).toHaveLength(1)
  })

  test('at the same time leaves one session, whichever response arrives last', async () => {
    const service = await started()
    const responses = await Promise.all(Array.from({ length: 3 }, () => confirm(service, service.old)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(3).fill(204))
    const cookies = responses.map(cookieOf)
    expect(new Set(cookies).size).toBe(3)
    expect(await Promise.all(cookies.map((cookie) => whoIs(service, cookie)))).toEqual(Array(3).fill('alice'))
    const recent = await Promise.all(cookies.map((cookie) => danger(service, cookie)))
    expect(recent.sort()).toEqual([200, 403, 403])
    expect(await list(service, cookies[0] ?? '')).toHaveLength(1)
  })
})

describe('both ids are one session', () => {
  test('in the list, and one that is ended there ends under both', async () => {
    const service = await confirmed()
    const other = await logIn(service)
    const { old, next } = service
    for (const cookie of [old, next]) {
      const sessions = await list(service, cookie)
      expect(sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true])
    }
    const [{ id }] = (await list(service, other)).filter(({ current }: { current: boolean }) => !current)
    const ended = await service.send('DELETE', `/sessions/${id}/`, undefined, as(other))
    expect(ended.statusCode).toBe(204)
    const ids = [old, next, other]
    expect(await Promise.all(ids.map((cookie) => whoIs(service, cookie)))).toEqual([null, null, 'alice'])
  })

  test.each(['old', 'next'] as const)('a logout under the %s one ends both', async (which) => {
    const service = await confirmed()
    const gone = await service.send('POST', '/logout/', undefined, as(service[which]))
    expect(gone.cookies.find(({ name }) => name === 'session')).toMatchObject({ value: '' })
    expect([await whoIs(service, service.old), await whoIs(service, service.next)]).toEqual([null, null])
  })

  test('ending all other sessions spares both', async () => {
    const service = await confirmed()
    const other = await logIn(service)
    const { old, next } = service
    await service.send('POST', '/sessions/end-others/', undefined, as(next))
    const ids = [old, next, other]
    expect(await Promise.all(ids.map((cookie) => whoIs(service, cookie)))).toEqual(['alice', 'alice', null])
  })

  test('ending all other sessions ends one that is confirmed meanwhile under its new id as well', async () => {
    const service = await confirmed()
    const other = await logIn(service)
    const { listByUser } = service.sessions
    let later = ''
    service.sessions.listByUser = async (id) => {
      const rows = await listByUser(id)
      service.sessions.listByUser = listByUser
      later = cookieOf(await confirm(service, other))
      return rows
    }
    await service.send('POST', '/sessions/end-others/', undefined, as(service.next))
    const ids = [service.next, other, later]
    expect(await Promise.all(ids.map((cookie) => whoIs(service, cookie)))).toEqual(['alice', null, null])
  })

  test('in the number that a user may have', async () => {
    const service = await started()
    for (let count = 0; count < 99; count += 1) {
      wait(1)
      await logIn(service)
    }
    const next = cookieOf(await confirm(service, service.old))
    wait(1)
    const last = await logIn(service)
    // 101 by now: one of the others has ended.
    expect([await whoIs(service, next), await whoIs(service, last)]).toEqual(['alice', 'alice'])
    expect(await list(service, last)).toHaveLength(100)
  })
})

describe('a logout during a confirmation wins', () => {
  test.each(['create', 'change'] as const)('right after its %s', async (call) => {
    const service = await started()
    const original = service.sessions[call] as (...args: unknown[]) => Promise<unknown>
    let calls = 0
    Object.assign(service.sessions, {
      async [call](...args: unknown[]) {
        const result = await original(...args)
        calls += 1
        if (calls === 1) await service.send('POST', '/logout/', undefined, as(service.old))
        return result
      },
    })
    const late = await confirm(service, service.old)
    const cookies = late.cookies.map(({ name, value }) => `${name}=${value}`)
    for (const cookie of [service.old, ...cookies]) expect(await whoIs(service, cookie)).toBeNull()
  })
})

test.each(['apart', 'in one database'])(
  'a logout under the new id ends a password change under the old one as well: stores %s',
  async (where) => {
    const { users, sessions } = oneDatabase()
    const { withUsers: _, ...apart } = sessions
    const stores = { users, sessions: where === 'apart' ? apart : sessions }
    const service = await testAppOn<SessionStore>(stores)
    await signUp(service)
    const old = await logIn(service)
    const next = cookieOf(await confirm(service, old))
    const { hash } = service.hasher
    service.hasher.hash = async (password) => {
      await service.send('POST', '/logout/', undefined, as(next))
      return hash(password)
    }
    const passwords = { old_password: goodPassword, new_password: otherPassword }
    const body = { ...passwords, confirm_password: otherPassword }
    const changed = await service.send('POST', '/change-password/', body, as(old))
    expect(changed.statusCode).toBe(204)
    expect(changed.cookies.find(({ name }) => name === 'session')).toMatchObject({ value: '' })
  },
)

test('a list of very many ids takes no long time', () => {
  const row = (of: number, at: number) => ({
    id: `${of} ${at}`,
    retiredBy: at === 0 ? null : `${of} ${at - 1}`,
  })
  const rows = Array.from({ length: 9900 }, (_, index) => row(Math.floor(index / 99), index % 99) as Session)
  const start = performance.now()
  expect(familyOf(rows, '50 98')).toEqual(rows.slice(50 * 99, 51 * 99))
  expect(performance.now() - start).toBeLessThan(1000)
})

test('another factor leaves the old id for a while, on stores that write user and session at once as well', async () => {
  const { users, sessions } = oneDatabase()
  const { withUsers: _, ...apart } = sessions
  for (const on of [sessions, apart]) {
    const service = await testAppOn<SessionStore>({ users, sessions: on }, { features: [secondFactor()] })
    const username = on === apart ? 'alice' : 'bob'
    await service.app.accounts.createUser({ username, password: goodPassword })
    const first = await enroll(service, await logIn(service, username))
    const second = await enroll(service, first.cookie, 'other')
    expect(await list(service, second.cookie)).toHaveLength(1)
    wait(overlap)
    expect([await whoIs(service, first.cookie), await whoIs(service, second.cookie)]).toEqual([
      null,
      username,
    ])
  }
})

test('a session store without compare-and-swap ends the old id at once', async () => {
  const { change: _, ...sessions } = countedSessions()
  const service = await testAppOn({ users: createMemoryUserStore(), sessions })
  await signUp(service)
  const old = await logIn(service)
  const responses = await Promise.all([confirm(service, old), confirm(service, old)])
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401])
  const next = responses.find(({ statusCode }) => statusCode === 204) ?? expect.fail()
  expect(responses.find(({ statusCode }) => statusCode === 401)?.cookies).toEqual([])
  expect([await whoIs(service, old), await whoIs(service, cookieOf(next))]).toEqual([null, 'alice'])
  expect((await service.send('POST', '/logout/', undefined, as(cookieOf(next)))).statusCode).toBe(204)
  expect(await whoIs(service, cookieOf(next))).toBeNull()
})
