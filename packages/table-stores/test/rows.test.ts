import { newPendingMail, newSession, newUser } from '@fastify-accounts/testing'
import { InvalidArgumentError, type NewUser, type Session, UnavailableError } from 'fastify-accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  createTableSessionStore,
  createTableUserStore,
  describeTables,
  type OutboxTable,
  type SessionTable,
  type UserTable,
} from '../src/index.js'

type Rows = Record<string, Record<string, unknown>>

/** Tables with the last row that was written to each, which is also what they find. */
let rows: Rows
beforeEach(() => {
  rows = {}
})

const transaction = <Result>(work: (tx: null) => Promise<Result>) => work(null)
const none = async () => 0
const found = async (table: string) => rows[table] as never
const all = async (table: string) => (rows[table] ? [rows[table]] : []) as never
const change = (table: string) => async (_tx: null, _expected: object, changes: object) => {
  rows[table] = { ...rows[table], ...changes }
  return 1
}
const insertInto = (table: string) => async (_tx: null, row: object) => {
  rows[table] = { ...row }
}

const outbox: OutboxTable<null> = {
  async insert(_tx, [row]) {
    rows.outbox = { ...row }
  },
  find: () => found('outbox'),
  due: () => all('outbox'),
  dead: () => all('outbox'),
  count: async () => '1',
  compareAndSwap: change('outbox'),
  remove: none,
}
const users: UserTable<null> = {
  transaction,
  find: async (by) => (by === 'id' ? found('users') : null),
  insert: insertInto('users'),
  compareAndSwap: change('users'),
  replaceIdentities: none,
  // As a driver that counts nothing.
  remove: async () => null,
  outbox,
}
const sessions: SessionTable<null> = {
  transaction,
  find: () => found('sessions'),
  insert: insertInto('sessions'),
  compareAndSwap: change('sessions'),
  remove: none,
  listByUser: () => all('sessions'),
  removeByUser: none,
  removeExpired: none,
}
const userStore = createTableUserStore(users)
const sessionStore = createTableSessionStore(sessions)

describe('a value that its column can’t hold is rejected before it is written', () => {
  test.each<[object, string]>([
    [{ kind: 'robot' }, 'kind must be one of person, service, unclaimed'],
    [{ username: 7 }, 'username must be'],
    [{ usernameKey: 'ä'.repeat(513) }, 'usernameKey is longer than 1024 bytes'],
    [{ email: '' }, 'email must be'],
    [{ isStaff: 1 }, 'isStaff must be true or false'],
    [{ roles: 'editor' }, 'roles must be a list'],
    [{ roles: ['editor', ''] }, 'roles must be'],
    [{ emailChangedAt: 0 }, 'emailChangedAt must be a valid Date'],
    [{ lastLoginAt: new Date(Number.NaN) }, 'lastLoginAt must be a valid Date'],
    [{ sessionEpoch: -1 }, 'sessionEpoch must be a whole number'],
    [{ resetEpoch: 0.5 }, 'resetEpoch must be a whole number'],
    [{ fields: 'none' }, 'fields must be an object'],
    [{ fields: null }, 'fields must be an object'],
    [{ credentials: ['passkey'] }, 'credentials must be an object'],
    [{ notes: null }, 'notes must be an object'],
  ])('of a user: %o', async (wrong, text) => {
    const user = { ...newUser(), ...wrong } as NewUser
    for (const call of [
      () => userStore.create(user),
      () => userStore.update('ada', wrong, 1),
      () => userStore.createMany?.([user]),
    ]) {
      const error = await (async () => call())().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(InvalidArgumentError)
      expect(String(error)).toContain(text)
    }
    expect(rows).toEqual({})
  })

  test.each<[object, string]>([
    [{ kind: 'key' }, 'kind must be one of cookie, token'],
    [{ userId: '' }, 'userId must be'],
    [{ generation: '0' }, 'generation must be a whole number'],
    [{ nextBase: 0.5 }, 'nextBase must be a whole number'],
    [{ settlesAt: 0 }, 'settlesAt must be a valid Date'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be a valid Date'],
    [{ details: 'Firefox' }, 'details must be an object'],
    [{ methods: { 0: 'pwd' } }, 'methods must be a list'],
  ])('of a session: %o', async (wrong, text) => {
    const error = await sessionStore
      .create({ ...newSession(), ...wrong } as Session)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InvalidArgumentError)
    expect(String(error)).toContain(text)
    expect(rows).toEqual({})
  })

  test('no user has a version that is no whole number', async () => {
    await userStore.create(newUser())
    for (const version of [0.5, Number.NaN, '1' as unknown as number])
      expect(await userStore.update(`${rows.users?.id}`, { isStaff: true }, version)).toBeNull()
    expect(rows.users).toMatchObject({ isStaff: false, version: 1 })
  })

  test('of a message, and of what is asked about messages', async () => {
    const { outbox: messages } = userStore
    if (messages === undefined) throw new Error('the store has an outbox')
    const now = new Date()
    const claim = { realms: ['main'], now, until: now, limit: 1 }
    await expect(messages.add([{ ...newPendingMail(), realm: '' }])).rejects.toThrow(InvalidArgumentError)
    for (const wrong of [{ realms: [] }, { realms: ['main', 'main'] }, { limit: 0 }, { limit: 1.5 }])
      await expect(messages.claim({ ...claim, ...wrong })).rejects.toThrow(InvalidArgumentError)
    await expect(messages.listDead({ limit: 0 })).rejects.toThrow('limit must be at least 1')
    await expect(messages.listDead({ limit: 1, after: '' })).rejects.toThrow(InvalidArgumentError)
    await expect(messages.count('')).rejects.toThrow(InvalidArgumentError)
    expect(rows).toEqual({})
  })
})

describe('a row as drivers return it', () => {
  test.each<[string, unknown, unknown]>([
    ['kind', Buffer.from('person'), 'person'],
    ['isStaff', 1, true],
    ['isStaff', 0n, false],
    ['sessionEpoch', '7', 7],
    ['sessionEpoch', 7n, 7],
    ['createdAt', '1743211800123', new Date(1743211800123)],
    ['createdAt', 1743211800123n, new Date(1743211800123)],
    ['roles', new Uint8Array(Buffer.from('["editor"]')), ['editor']],
    ['username', Buffer.from('Jürgen'), 'Jürgen'],
    ['lastLoginAt', null, null],
  ])('%s %o', async (name, stored, value) => {
    const { id } = await userStore.create(newUser())
    Object.assign(rows.users ?? {}, { [name]: stored })
    expect(await userStore.findById(id)).toHaveProperty(name, value)
  })

  test.each<[string, unknown]>([
    ['kind', 'secret'],
    ['kind', 1],
    ['origin', 'secret'],
    ['origin', undefined],
    ['passwordHash', null],
    ['isStaff', 2],
    ['isStaff', 'secret'],
    ['sessionEpoch', '1.5'],
    ['sessionEpoch', '9'.repeat(20)],
    ['sessionEpoch', null],
    ['createdAt', 'secret'],
    ['createdAt', new Date(Number.NaN)],
    ['emailChangedAt', undefined],
    ['roles', '{}'],
    ['roles', 'secret'],
    ['fields', 'null'],
    ['fields', 5],
  ])('with %s %o is unreadable, which quotes nothing', async (name, stored) => {
    const { id } = await userStore.create(newUser())
    Object.assign(rows.users ?? {}, { [name]: stored })
    const error = new UnavailableError(`the column ${name} of a row is unreadable`)
    await expect(userStore.findById(id)).rejects.toThrow(error)
  })

  test('a count that the driver lacks is none', async () => {
    const { id } = await userStore.create(newUser())
    expect(await userStore.delete(id)).toBe(false)
  })

  test.each(['{"realm":7}', '[]', 'null', 'secret'])(
    'a message that is none holds up no other: %s',
    async (message) => {
      await userStore.create(newUser(), [newPendingMail()])
      Object.assign(rows.outbox ?? {}, { message, dueAt: null })
      expect(await userStore.outbox?.listDead({ limit: 1 })).toMatchObject([{ message: null, error: '' }])
    },
  )
})

test('without a table of messages, or what lists could ask for, the store offers neither', async () => {
  const store = createTableUserStore({ ...users, outbox: undefined, page: () => all('users') })
  const user = await store.create(newUser(), [newPendingMail()])
  expect([Object.keys(rows), store.outbox, store.listsBy]).toEqual([['users'], undefined, []])
  expect(await store.list?.({ limit: 1 })).toEqual([user])
})

test('the clock of sessions is that of their own table, or else that of the users', async () => {
  const clock = (time: number) => ({ now: async () => new Date(time) })
  const userStore = createTableUserStore({ ...users, ...clock(1) })
  const both = { ...sessions, userStore }
  const stores = [{ ...both, ...clock(2) }, both, sessions].map((table) => createTableSessionStore(table))
  expect(await Promise.all(stores.map((store) => store.now?.()))).toEqual([
    new Date(2),
    new Date(1),
    undefined,
  ])
})

test('tables as they are described have a column for all that is written, and unique keys', async () => {
  await userStore.create(newUser(), [newPendingMail()])
  await sessionStore.create(newSession())
  const tables = describeTables()
  const described = new Map(tables.map((table) => [table.holds, table]))
  for (const [holds, row] of Object.entries(rows)) {
    const columns = described.get(holds as 'users')?.columns ?? []
    expect([holds, columns.map(({ field }) => field).sort()]).toEqual([holds, Object.keys(row).sort()])
    for (const [field, value] of Object.entries(row))
      if (value === null) expect(columns).toContainEqual(expect.objectContaining({ field, isNullable: true }))
  }
  const keys = tables.map(({ name, primaryKey, indexes, userReference }) => [
    name,
    primaryKey,
    indexes.flatMap(({ columns, isUnique }) => (isUnique ? columns : [])),
    userReference,
  ])
  expect(keys).toEqual([
    ['accounts_users', ['id'], ['username_key', 'email_key'], undefined],
    ['accounts_identities', ['identity_key'], [], 'user_id'],
    ['accounts_sessions', ['id'], [], undefined],
    ['accounts_invitations', ['id'], ['target', 'inviter_id', 'email_key'], undefined],
    ['accounts_outbox', ['id'], [], undefined],
    ['accounts_organizations', ['id'], ['slug'], undefined],
    ['accounts_organization_members', ['organization_id', 'user_id'], [], undefined],
  ])
  const names = tables.flatMap(({ indexes }) => indexes.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('accounts_outbox_due_at')
})
