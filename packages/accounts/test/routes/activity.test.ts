import { setImmediate } from 'node:timers/promises'
import {
  as,
  countedSessions,
  goodPassword,
  linkTarget,
  logIn,
  signUp,
  testApp,
  testAppOn,
} from '@fastify-accounts/test-support/app'
import { newActivityEntry } from '@fastify-accounts/testing'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type AccountsOptions,
  type ActivityStore,
  createMemoryActivityStore,
  createMemoryUserStore,
} from '../../src/index.js'

afterEach(() => void vi.useRealTimers())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** An app whose events have all been delivered once it is closed; the next one has the same stores. */
async function apps(activity: ActivityStore = createMemoryActivityStore()) {
  const stores = { users: createMemoryUserStore(), sessions: countedSessions() }
  const open = (options: Partial<AccountsOptions> = {}) => testAppOn(stores, { activity, ...options })
  let current = await open()
  return {
    ...stores,
    activity,
    app: () => current,
    /** Waits for all events. */
    async delivered(options?: Partial<AccountsOptions>) {
      await current.app.close()
      current = await open(options)
      return current
    },
  }
}

async function listOf(app: Awaited<ReturnType<typeof testAppOn>>, cookie: string, query = '') {
  const response = await app.send('GET', `/me/activity/${query}`, undefined, as(cookie))
  expect(response.statusCode).toBe(200)
  return response.json<{
    results: {
      id: string
      type: string
      at: string
      actor: string
      device: string | null
      network: string | null
      data: object
    }[]
    next: string | null
  }>()
}

test('people see what has happened to their own accounts, the newest first, with their browser and network', async () => {
  const service = await apps()
  const ada = await signUp(service.app(), 'ada')
  const ben = await signUp(service.app(), 'ben')
  const login = await service.app().send(
    'POST',
    '/login/',
    { username: 'ada', password: goodPassword },
    {
      headers: { 'user-agent': firefox },
      remoteAddress: '192.0.2.7',
    },
  )
  expect(login.statusCode).toBe(200)
  const app = await service.delivered()
  const cookie = await logIn(app, 'ada')
  const { results, next } = await listOf(app, cookie)
  expect(next).toBeNull()
  expect(results.map(({ type }) => type)).toEqual(['session.created', 'user.created'])
  expect(results[0]).toEqual({
    id: expect.any(String),
    type: 'session.created',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    actor: 'request',
    device: 'Firefox, Linux',
    network: '192.0.2.0/24',
    data: { methods: ['pwd'] },
  })
  const shown = JSON.stringify(results)
  for (const id of [ada.id, ben.id]) expect(shown).not.toContain(id)
  expect((await listOf(app, await logIn(app, 'ben'))).results.map(({ type }) => type)).toEqual([
    'user.created',
  ])
  expect((await app.send('GET', '/me/activity/')).statusCode).toBe(401)
})

test('pages end with the oldest entry, and a cursor is good for one account', async () => {
  const service = await apps()
  const [ada, ben] = [await signUp(service.app(), 'ada'), await signUp(service.app(), 'ben')]
  const app = await service.delivered()
  await service.activity.removeAll(ada.id)
  const at = (n: number) => new Date(Date.UTC(2026, 0) + n)
  const stored = Array.from({ length: 120 }, (_, n) => newActivityEntry({ userId: ada.id, at: at(n) }))
  await service.activity.add([...stored, newActivityEntry({ userId: ben.id, at: at(60) })], 1000)
  const cookie = await logIn(app, 'ada')
  const ids: string[] = []
  let query: string | null = ''
  while (query !== null) {
    const { results, next } = await listOf(app, cookie, query)
    expect(results.length).toBeLessThanOrEqual(50)
    ids.push(...results.map(({ id }) => id))
    query = next && new URL(next).search
    if (ids.length !== 50) continue
    const stolen = await app.send('GET', `/me/activity/${query}`, undefined, as(await logIn(app, 'ben')))
    expect(stolen.statusCode).toBe(400)
  }
  expect(ids).toEqual(stored.map(({ id }) => id).toReversed())
  const { activity = [], next = '' } = (await app.app.accounts.listActivity(ada.id)) ?? {}
  expect(activity.map(({ id }) => id)).toEqual(ids.slice(0, 50))
  const rest = await app.app.accounts.listActivity(ada.id, { cursor: next ?? '' })
  expect(rest?.activity.map(({ id }) => id)).toEqual(ids.slice(50, 100))
  expect(await app.app.accounts.listActivity('nobody')).toBeNull()
})

test('what staff and the app did is shown as theirs, without who or where they are', async () => {
  const service = await apps()
  const ada = await signUp(service.app(), 'ada')
  const { app } = service.app()
  const boss = await app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
  const staff = await service.app().send('POST', '/login/', { username: 'boss', password: goodPassword })
  const cookie = `${staff.cookies[0]?.name}=${encodeURIComponent(staff.cookies[0]?.value ?? '')}`
  const headers = { cookie, 'user-agent': firefox }
  const changed = await service.app().send('PATCH', `/user/${ada.id}`, { username: 'ada2' }, { headers })
  expect(changed.statusCode).toBe(200)
  await app.accounts.updateUser(ada.id, { username: 'ada3' }, { actor: boss.id, reason: 'a ticket' })
  const next = await service.delivered()
  const { results } = await listOf(next, await logIn(next, 'ada3'))
  const updates = results.filter(({ type }) => type === 'user.updated')
  expect(updates.map(({ actor }) => actor).toSorted()).toEqual(['host', 'staff'])
  for (const each of updates)
    expect(each).toMatchObject({ device: null, network: null, data: { fields: ['username'] } })
  for (const secret of [boss.id, 'a ticket', 'Firefox']) expect(JSON.stringify(results)).not.toContain(secret)
})

test('wrong passwords are one entry that counts them', async () => {
  const service = await apps()
  await signUp(service.app(), 'ada')
  for (const password of ['wrong one', 'wrong two', 'wrong three'])
    await service.app().send('POST', '/login/', { username: 'ada', password })
  await service.app().send('POST', '/login/', { username: 'nobody', password: 'wrong one' })
  const app = await service.delivered()
  const { results } = await listOf(app, await logIn(app, 'ada'))
  expect(results.filter(({ type }) => type === 'session.refused')).toMatchObject([
    { data: { action: 'login', count: 3 } },
  ])
})

test('somebody who keeps guessing makes ten entries a day, and pushes out nothing', async () => {
  const service = await apps()
  const ada = await signUp(service.app(), 'ada')
  const refused = (minutes: number) =>
    newActivityEntry({
      userId: ada.id,
      type: 'session.refused',
      at: new Date(Date.now() - minutes * 60_000),
    })
  const kept = async () => {
    const entries = await service.activity.list(ada.id, { limit: 1000 })
    return entries.filter(({ type }) => type === 'session.refused').length
  }
  await service.activity.add(
    Array.from({ length: 9 }, (_, n) => refused(n + 1)),
    1000,
  )
  for (const expected of [10, 10]) {
    await service.app().send('POST', '/login/', { username: 'ada', password: 'wrong one' })
    // The outcome of a request is noted once its response is on its way.
    await setImmediate()
    await service.delivered()
    expect(await kept()).toBe(expected)
  }
})

test('fifty updates a day are listed', async () => {
  const service = await apps()
  const ada = await signUp(service.app(), 'ada')
  const at = new Date()
  const updates = Array.from({ length: 50 }, () =>
    newActivityEntry({ userId: ada.id, type: 'user.updated', at }),
  )
  await service.activity.add(updates, 1000)
  const cookie = await logIn(service.app(), 'ada')
  await service.app().send('PATCH', '/me/', { username: 'ada2' }, as(cookie))
  const app = await service.delivered()
  const all = await service.activity.list(ada.id, { limit: 1000 })
  expect(all.filter(({ type }) => type === 'user.updated')).toHaveLength(50)
  expect(all.filter(({ type }) => type === 'session.created')).toHaveLength(1)
  await app.send('POST', '/sessions/end-others/', undefined, as(cookie))
  await service.delivered()
  expect(await service.activity.list(ada.id, { limit: 1000 })).toHaveLength(all.length)
})

test('somebody else who opens a link of the account leaves neither browser nor network', async () => {
  const service = await apps()
  const email = 'mailbox@example.org'
  const { app } = service.app()
  await app.accounts.createUser({
    ...{ username: 'eve', email: 'eve@example.org', isVerified: true, password: goodPassword },
  })
  const cookie = await logIn(service.app(), 'eve')
  await service.app().send('POST', '/change-email/', { email }, as(cookie))
  const link = linkTarget(await service.app().mail('change-email', email))
  const headers = { 'user-agent': firefox, accept: 'application/json' }
  const opened = await service.app().send('POST', link, undefined, { headers, remoteAddress: '203.0.113.7' })
  expect(opened.statusCode).toBe(200)
  const { results } = await listOf(await service.delivered(), cookie)
  expect(results).toContainEqual(
    expect.objectContaining({ type: 'user.email_changed', actor: 'request', device: null, network: null }),
  )
  expect(JSON.stringify(results)).not.toMatch(/Firefox|203\.0\.113/)
})

test('the owner of an account that was handed over sees nothing from before, on any page', async () => {
  const service = await apps()
  const ada = await signUp(service.app(), 'ada')
  const app = await service.delivered()
  await service.activity.removeAll(ada.id)
  const handOver = Date.now() - 1000
  const entry = (at: number, type: string) => newActivityEntry({ userId: ada.id, type, at: new Date(at) })
  const former = Array.from({ length: 60 }, (_, n) => entry(handOver - 1 - n, 'session.created'))
  const own = Array.from({ length: 55 }, (_, n) => entry(handOver + n, 'session.created'))
  const all = [...former, entry(handOver, 'user.handed_over'), ...own]
  await service.activity.add(all, 1000)
  const cookie = await logIn(app, 'ada')
  const seen: string[] = []
  let query: string | null = ''
  while (query !== null) {
    const { results, next } = await listOf(app, cookie, query)
    seen.push(...results.map(({ id }) => id))
    query = next && new URL(next, 'http://localhost').search
  }
  const formerIds = new Set(former.map(({ id }) => id))
  expect(seen.filter((id) => formerIds.has(id))).toEqual([])
  expect(seen.length).toBeGreaterThan(50)
  const exported = (await app.send('GET', '/me/export/', undefined, as(cookie))).json()
  expect(exported.features.activity.length).toBeGreaterThan(50)
  expect(exported.features.activity.filter(({ id }: { id: string }) => formerIds.has(id))).toEqual([])
})

test('a thousand entries of an account stay, for ninety days', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const service = await apps()
  const ada = await signUp(service.app(), 'ada')
  const day = 24 * 3_600_000
  const entry = (age: number) => newActivityEntry({ userId: ada.id, at: new Date(Date.now() - age) })
  const old = [entry(91 * day), entry(90 * day + 60_000), entry(90 * day - 3_600_000)]
  await service.activity.add(old, 1000)
  const ids = async () => (await service.activity.list(ada.id, { limit: 9999 })).map(({ id }) => id)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  await service.app().settle()
  expect(await ids()).not.toContain(old[1]?.id)
  expect(await ids()).toContain(old[2]?.id)
  await service.activity.add(
    Array.from({ length: 1000 }, (_, n) => entry(day + n)),
    5000,
  )
  await logIn(service.app(), 'ada')
  await service.delivered()
  expect(await ids()).toHaveLength(1000)
  expect(await ids()).not.toContain(old[2]?.id)
})

test('a deleted account leaves no activity, even if its events are delivered later', async () => {
  const store = createMemoryActivityStore()
  let release = () => {}
  const isDeleted = new Promise<void>((resolve) => {
    release = resolve
  })
  const calls: string[] = []
  const service = await apps({
    ...store,
    async add(entries, keep) {
      if (entries.some(({ type }) => type === 'user.updated')) await isDeleted
      await store.add(entries, keep)
      calls.push(`add ${entries.map(({ type }) => type)}`)
    },
    async removeAll(userId) {
      calls.push('removeAll')
      release()
      return store.removeAll(userId)
    },
  })
  const { id } = await signUp(service.app(), 'ada')
  const cookie = await logIn(service.app(), 'ada')
  await service.app().send('PATCH', '/me/', { username: 'ada2' }, as(cookie))
  expect((await service.app().send('DELETE', '/me/', undefined, as(cookie))).statusCode).toBe(204)
  await service.delivered()
  expect(calls.slice(calls.indexOf('removeAll'))).toContainEqual(expect.stringContaining('add user.updated'))
  expect(await store.list(id, { limit: 9 })).toEqual([])
})

test('without the option there is neither a route nor a call', async () => {
  const { app, send } = await testApp()
  expect((await send('GET', '/me/activity/')).statusCode).toBe(404)
  await expect(app.accounts.listActivity('ada')).rejects.toThrow('activity needs the option activity')
})

test('an outage of the store is a 503, and no lack of activity', async () => {
  const store = createMemoryActivityStore()
  const service = await apps({ ...store, list: () => Promise.reject(new Error('down')) })
  await signUp(service.app(), 'ada')
  const response = await service
    .app()
    .send('GET', '/me/activity/', undefined, as(await logIn(service.app(), 'ada')))
  expect(response.statusCode).toBe(503)
})
