import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import {
  createMemorySessionStore,
  type NewUser,
  type StoredUser,
  type UpdateWithSessions,
} from 'fastify-accounts'
import { freshUser } from 'fastify-accounts/features'
import { expect, test } from 'vitest'
import { runCases, sessionStoreCases, userStoreCases } from '../../src/index.js'
import { createStoreWithImport, type StoreWithImport } from './store-with-import.js'
import { updateBoth, updatesBy } from './users-beside-sessions.js'

type Fault = (store: StoreWithImport) => Partial<StoreWithImport>
type Change = <Given extends NewUser>(user: Given) => Given

const bare = freshUser({ username: null, usernameKey: null })

/** What one of the ways to write, or to read, does with users. */
const onWay = {
  create: (change) => (store) => ({ create: (user) => store.create(change(user)) }),
  createMany: (change) => (store) => ({ createMany: (users) => store.createMany(users.map(change)) }),
  update: (change) => (store) => ({
    update: async (id, changes, ...rest) => {
      const all = change({ ...bare, ...changes } as NewUser) as unknown as Record<string, unknown>
      const kept = Object.keys(changes).map((name) => [
        name,
        Object(changes)[name] === undefined ? undefined : all[name],
      ])
      return store.update(id, Object.fromEntries(kept), ...rest)
    },
  }),
  'what update returns': (change) => (store) => ({
    update: async (...given) => changed(await store.update(...given), change),
  }),
  findById: (change) => (store) => ({ findById: async (id) => changed(await store.findById(id), change) }),
  findByUsername: (change) => (store) => ({
    findByUsername: async (key) => changed(await store.findByUsername(key), change),
  }),
  findByEmail: (change) => (store) => ({
    findByEmail: async (key) => changed(await store.findByEmail(key), change),
  }),
  findByIdentity: (change) => (store) => ({
    findByIdentity: async (key) => changed(await store.findByIdentity(key), change),
  }),
  list: (change) => (store) => ({ list: async (query) => (await store.list(query)).map(change) }),
  'list by an order': (change) => (store) => ({
    list: async (query) => (await store.list(query)).map((user) => (query.order ? change(user) : user)),
  }),
  'list by a filter': (change) => (store) => ({
    list: async (query) => (await store.list(query)).map((user) => (query.where?.kind ? change(user) : user)),
  }),
  'list by a prefix': (change) => (store) => ({
    list: async (query) => (await store.list(query)).map((user) => (query.prefix ? change(user) : user)),
  }),
  'holders of createMany': (change) => (store) => ({
    createMany: async (users) =>
      (await store.createMany(users)).map((each) =>
        'taken' in each ? { ...each, holder: change(each.holder) } : each,
      ),
  }),
} satisfies Record<string, (change: Change) => Fault>

const faults: Record<string, Change> = {
  'drops credentials': (user) => ({ ...user, credentials: [] }),
  'drops factors': (user) => ({ ...user, factors: [] }),
  'drops identities': (user) => ({ ...user, identityKeys: [] }),
  'keeps five identities at most': (user) => ({ ...user, identityKeys: user.identityKeys.slice(0, 5) }),
  'keeps 20 credentials at most': (user) => ({ ...user, credentials: user.credentials.slice(0, 20) }),
  'forgets who created the account': (user) => ({ ...user, origin: 'self' }),
  'verifies nobody': (user) => ({ ...user, isVerified: false }),
  'activates everybody': (user) => ({ ...user, isActive: true }),
  'makes nobody staff': (user) => ({ ...user, isStaff: false }),
  'forgets when the address changed': (user) => ({ ...user, emailChangedAt: null }),
  'restarts resetEpoch': (user) => ({ ...user, resetEpoch: 0 }),
  'restarts verifyEpoch': (user) => ({ ...user, verifyEpoch: 0 }),
  'keeps sessionEpoch as a float of 32 bits': (user) => ({
    ...user,
    sessionEpoch: Math.fround(user.sessionEpoch),
  }),
  'cuts texts of credentials at 255 characters': (user) => ({
    ...user,
    credentials: user.credentials.map((each) => ({
      ...each,
      ...Object.fromEntries(Object.entries(each).map(([name, text]) => [name, cut(text)])),
    })),
  }),
  'cuts the hash at 255 characters': (user) => ({ ...user, passwordHash: user.passwordHash.slice(0, 255) }),
  'cuts fields at 255 characters': (user) => ({
    ...user,
    fields: Object.fromEntries(Object.entries(user.fields).map(([name, text]) => [name, cut(text)])),
  }),
}

const cases = (fault: Fault) =>
  userStoreCases(() => {
    const store = createStoreWithImport()
    return { ...store, ...fault(store) }
  })

/** Each fault on some ways, and each way with some faults. */
for (const [nth, [way, on]] of Object.entries(onWay).entries()) {
  for (const [at, [title, change]] of Object.entries(faults).entries()) {
    if ((at + nth) % 4 > 0) continue
    test(`detected: ${way} ${title}`, async () => {
      await breaksLaws(cases(on(change)), 'every read returns')
    })
  }
}

/** What `withUsers.update` does, beside users in memory. */
const together: Record<string, (update: UpdateWithSessions) => UpdateWithSessions> = {
  'skips identities':
    (update) =>
    (id, { identityKeys: _, ...changes }, ...rest) =>
      update(id, changes, ...rest),
  'skips credentials':
    (update) =>
    (id, { credentials: _, ...changes }, ...rest) =>
      update(id, changes, ...rest),
  'returns no credentials':
    (update) =>
    async (...given) => {
      const written = await update(...given)
      return written && { ...written, user: { ...written.user, credentials: [] } }
    },
  'returns no factors':
    (update) =>
    async (...given) => {
      const written = await update(...given)
      return written && { ...written, user: { ...written.user, factors: [] } }
    },
}

for (const [title, faulty] of Object.entries(together)) {
  test(`detected: withUsers.update ${title}`, async () => {
    const cases = sessionStoreCases(() => {
      const store = createMemorySessionStore()
      return { ...store, ...updatesBy((...both) => faulty(updateBoth(...both)))(store) }
    })
    await breaksLaws(cases, 'withUsers.update as update, law 1')
  })
}

test('a store that does all of it correctly passes', async () => {
  const all: Change = (user) => user
  for (const on of Object.values(onWay))
    expect((await runCases(cases(on(all)), () => undefined)).failures).toEqual([])
})

function changed(user: StoredUser | null, change: Change): StoredUser | null {
  return user && change(user)
}

function cut<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.slice(0, 255) : value
}
