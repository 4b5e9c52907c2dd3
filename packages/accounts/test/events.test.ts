import {
  as,
  cookieOf,
  countedSessions,
  goodPassword,
  lastingOutbox,
  type TestApp,
  testAppOn,
  usersWithOutbox,
} from '@fastify-accounts/test-support/app'
import { deliveredBy } from '@fastify-accounts/test-support/tokens'
import { expect, test, vi } from 'vitest'
import {
  type AccountsOptions,
  type ListingUserStore,
  type Outbox,
  type PendingEvents,
  type PendingMessage,
  tokens,
} from '../src/index.js'

/** An app whose events stay where they wait, and what it has written there. */
interface Heard extends TestApp {
  /** The messages with events, as stored with a change or posted, in order. */
  messages: PendingEvents[]
  /** The calls of the stores that changed something, in order: `create`, `add`. */
  calls: string[]
}

async function start(options: Partial<AccountsOptions>): Promise<Heard> {
  const messages: PendingEvents[] = []
  const calls: string[] = []
  const outbox = lastingOutbox()
  const { add, claim } = outbox
  const keep = (all: readonly PendingMessage[]): void => {
    messages.push(...(all.filter((each) => 'events' in each) as PendingEvents[]))
  }
  const idle: Outbox<never> = {
    ...(outbox as unknown as Outbox<never>),
    add: async (all) => {
      calls.push('add')
      keep(all)
      await add(all)
    },
    claim: async (at) => (at.realms.some((realm) => realm.includes(':')) ? [] : claim(at)) as never,
  }
  const memory = usersWithOutbox(outbox)
  const users = {
    ...memory,
    outbox: idle,
    async create(user, all = [], wanted) {
      calls.push('create')
      const created = await memory.create(user, all, wanted)
      keep(all.map((each) => ({ ...each, userId: created.id })))
      return created
    },
    async update(id, changes, version, all = []) {
      calls.push('update')
      const changed = await memory.update(id, changes, version, all)
      if (changed !== null) keep(all)
      return changed
    },
    async delete(id, all = [], ...rest) {
      calls.push('delete')
      const isDeleted = await memory.delete(id, all, ...rest)
      if (isDeleted) keep(all)
      return isDeleted
    },
  } as ListingUserStore
  const app = await testAppOn({ users, sessions: countedSessions() }, options)
  return { ...app, messages, calls }
}

const heard = { on: { crm: { '*': () => {} } } }
const browser = {
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  remoteAddress: '198.51.100.7',
}
const signUp = (username: string, email?: string) => ({
  ...{ username, password: goodPassword, confirm_password: goodPassword },
  ...(email && { email }),
})
const shown = ({ events }: PendingEvents) => events.map(({ type, data }) => [type, data])

test('an event says what happened, to whom, and who did it from where', async () => {
  const { app, send, messages, users } = await start(heard)
  const created = await send('POST', '/user/', signUp('ada'), browser)
  const { id } = created.json()
  const login = await send('POST', '/login/', { username: 'ada', password: goodPassword }, browser)
  const headers = { cookie: cookieOf(login), ...browser.headers }
  await send('PATCH', '/me/', { username: 'ada2' }, { ...browser, headers })

  const [first, second] = messages
  expect(first).toEqual({
    realm: 'accounts:events',
    userId: id,
    to: ['crm'],
    events: [
      {
        id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
        type: 'user.created',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        realm: 'accounts',
        user: { id: '', version: 1 },
        actor: { kind: 'request', id: null, device: 'Firefox, Linux', network: '198.51.100.0/24' },
        data: { origin: 'self' },
      },
    ],
  })
  expect(second).toMatchObject({
    userId: id,
    events: [
      {
        type: 'user.updated',
        user: { id },
        data: { fields: ['username'] },
        actor: { id, device: 'Firefox, Linux' },
      },
    ],
  })
  expect(second?.events[0]?.user?.version).toBe((await users.findById(id))?.version)
  await app.close()
})

test('who works on the account of somebody else is named, without device and network', async () => {
  const { app, send, messages, users } = await start(heard)
  const { id } = await app.accounts.createUser({ username: 'ada', password: goodPassword, email: null })
  const staff = await app.accounts.createUser({
    username: 'eve',
    password: goodPassword,
    email: null,
    isStaff: true,
  })
  const login = await send('POST', '/login/', { username: 'eve', password: goodPassword }, browser)
  messages.length = 0
  await send('PATCH', `/user/${id}`, { is_active: false }, { ...browser, ...as(cookieOf(login)) })
  await app.accounts.updateUser(id, { isActive: true }, { actor: 'ops', reason: 'ticket 7' })
  await app.accounts.updateUser(id, { isActive: false })

  expect(messages.flatMap(({ events }) => events.map(({ type, actor }) => [type, actor]))).toEqual([
    ['user.disabled', { kind: 'request', id: staff.id, device: null, network: null }],
    ['user.enabled', { kind: 'host', id: 'ops', reason: 'ticket 7' }],
    ['user.disabled', { kind: 'host', id: null, reason: null }],
  ])
  expect((await users.findById(id))?.version).toBe(messages.at(-1)?.events[0]?.user?.version)
  await app.close()
})

test('all events of one change are one message, stored with it, under the version of the change', async () => {
  const { app, messages, calls, users } = await start(heard)
  const input = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }
  const { id } = await app.accounts.createUser(input)
  expect(messages.map(shown)).toEqual([
    [
      ['user.created', { origin: 'host' }],
      ['user.verified', {}],
    ],
  ])
  messages.length = 0
  calls.length = 0
  await app.accounts.secureUser(id)
  expect(calls).toEqual(['update'])
  expect(messages.map(shown)).toEqual([
    [
      ['user.password_changed', { has_password: false }],
      ['user.secured', {}],
    ],
  ])
  const { version } = (await users.findById(id)) ?? {}
  expect(messages[0]?.events.map(({ user }) => user)).toEqual([
    { id, version },
    { id, version },
  ])
  messages.length = 0
  await app.accounts.deleteUser(id)
  expect(messages.flatMap(({ events }) => events)).toMatchObject([
    { type: 'user.deleted', user: { id, version: (version ?? 0) + 1 } },
  ])
  await app.close()
})

/** What an app does from a sign-up to a deletion. */
async function live({ app, send }: Heard): Promise<void> {
  const created = await send('POST', '/user/', signUp('ada'))
  const cookie = cookieOf(await send('POST', '/login/', { username: 'ada', password: goodPassword }))
  await send('POST', '/login/', { username: 'ada', password: 'wrong' })
  await send('PATCH', '/me/', { username: 'ada2' }, as(cookie))
  await send('POST', '/logout/', {}, as(cookie))
  await app.accounts.updateUser(created.json().id, { isActive: false })
  await app.accounts.deleteUser(created.json().id)
}

test('without subscribers nothing is stored', async () => {
  const silent = await start({})
  await live(silent)
  await silent.app.close()
  const told = await start(heard)
  await live(told)
  await told.app.close()
  expect(silent.messages).toEqual([])
  expect(silent.calls).not.toContain('add')
  expect(told.messages.length).toBeGreaterThan(4)
  // What is told of a change takes no statement of its own.
  expect(told.calls.filter((call) => call !== 'add')).toEqual(silent.calls)
})

test('what no subscriber wants is not stored', async () => {
  const { app, messages, calls, ...service } = await start({ on: { crm: { 'user.disabled': () => {} } } })
  await live({ app, messages, calls, ...service })
  await app.close()
  expect(messages.map(shown)).toEqual([[['user.disabled', {}]]])
  expect(calls).not.toContain('add')
})

test('with events: true, all are stored for the subscribers of other processes', async () => {
  const { app, messages, ...service } = await start({ events: true })
  await live({ app, messages, ...service })
  await app.close()
  expect(messages.length).toBeGreaterThan(4)
  expect(messages.every(({ to }) => to === null)).toBe(true)
})

test.each([
  ['a name', signUp],
  ['the address alone', (_name: string, email: string) => ({ email })],
])('a sign-up with %s stores as much, with the same calls, if its address is taken', async (_, bodyOf) => {
  const { app, send, messages, calls, settle, users } = await start({
    ...heard,
    requireEmailConfirmation: true,
    users: { names: 'optional' },
    login: { emailCode: true },
    throttle: false,
  })
  await app.accounts.createUser({
    ...{ username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true },
  })
  const stored: { to: unknown; types: string[] }[][] = []
  const made: string[][] = []
  for (const [name, email] of [
    ['bob', 'bob@example.org'],
    ['eve', 'ada@example.org'],
  ] as const) {
    messages.length = 0
    calls.length = 0
    expect((await send('POST', '/user/', bodyOf(name, email))).statusCode).toBe(202)
    await settle()
    stored.push(messages.map(({ to, events }) => ({ to, types: events.map(({ type }) => type) })))
    made.push(calls.filter((call) => call !== 'add'))
  }
  expect(stored).toEqual([[{ to: ['crm'], types: ['user.created'] }], [{ to: [], types: ['user.created'] }]])
  // The attempt that the database refuses comes first, or is made up for.
  expect(made.map((each) => each.length)).toEqual([2, 2])
  expect((await users.findByEmail('ada@example.org'))?.username).toBe('ada')
  await app.close()
})

test('sessions are told together: at most a hundred in a message', async () => {
  const { app, send, messages } = await start(heard)
  const { id } = await app.accounts.createUser({ username: 'ada', password: goodPassword, email: null })
  messages.length = 0
  for (let n = 0; n < 120; n += 1) await send('POST', '/login/', { username: 'ada', password: goodPassword })
  await app.close()
  const types = messages.flatMap(({ events }) => events.map(({ type, user }) => [type, user]))
  expect(types).toHaveLength(120)
  expect(types[0]).toEqual(['session.created', { id, version: null }])
  expect(Math.max(...messages.map(({ events }) => events.length))).toBeLessThanOrEqual(100)
  expect(messages.length).toBeLessThan(10)
})

test('refusals of somebody who is not logged in are counted for the account', async () => {
  const { app, send, messages } = await start(heard)
  const { id } = await app.accounts.createUser({ username: 'ada', password: goodPassword, email: null })
  messages.length = 0
  for (const password of ['one', 'two', 'three']) await send('POST', '/login/', { username: 'ada', password })
  await send('POST', '/login/', { username: 'nobody', password: goodPassword })
  // Audit events come after the response.
  await new Promise(setImmediate)
  await app.close()
  expect(messages.flatMap(({ events }) => events)).toMatchObject([
    { type: 'session.refused', user: { id, version: null }, data: { action: 'login', count: 3 } },
  ])
})

test('a copied refresh token is told before its session ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { app, send, messages, sessions } = await start({ ...heard, features: [tokens()] })
  await app.accounts.createUser({ username: 'ada', password: goodPassword, email: null })
  const credentials = { username: 'ada', password: goodPassword }
  const tokensOf = async (url: string, body: object) =>
    deliveredBy(await send('POST', url, body, { headers: { 'accounts-delivery': 'tokens' } }))
  const first = await tokensOf('/login/', credentials)
  const next = await tokensOf('/tokens/refresh/', { refresh_token: first?.refresh_token })
  await send('GET', '/me/', undefined, { headers: { authorization: `Bearer ${next?.access_token}` } })
  vi.setSystemTime(Date.now() + 31_000)
  messages.length = 0
  const told: number[] = []
  const { delete: end } = sessions
  sessions.delete = async (id) => {
    told.push(messages.length)
    return end(id)
  }
  await tokensOf('/tokens/refresh/', { refresh_token: first?.refresh_token })
  expect(messages.map(shown)).toEqual([[['session.tokens_reused', {}]]])
  expect(told).toEqual([1])
  await app.close()
  vi.useRealTimers()
})
