import {
  createMemorySessionStore,
  type NewUser,
  type UpdateWithSessions,
  type UserListQuery,
} from 'fastify-accounts'
import { freshUser } from 'fastify-accounts/features'
import { expect, test } from 'vitest'
import { runCases, sessionStoreCases, userStoreCases } from '../../src/index.js'
import {
  detects,
  given,
  type Mistake,
  type Mistakes,
  type Mutations,
  mergedBelow,
  ofText,
  result,
  second,
  without,
} from './mutations.js'
import { createStoreWithImport, type StoreWithImport as Store } from './store-with-import.js'
import { updateBoth, updatesBy } from './users-beside-sessions.js'

type Change = <Given extends NewUser>(user: Given) => Given
type Way = (change: Change) => Mistakes<Store>

const bare = freshUser({ username: null, usernameKey: null })
const returns =
  (name: 'update' | 'findById' | 'findByUsername' | 'findByEmail' | 'findByIdentity'): Way =>
  (change) =>
  (store) => ({
    [name]: result<Store['findById']>((user) => user && change(user))(store[name] as Store['findById']),
  })
const lists =
  (isMeant: (query: UserListQuery) => unknown): Way =>
  (change) =>
  ({ list }) => ({
    list: result<Store['list']>((users, query) => (isMeant(query) ? users.map(change) : users))(list),
  })

/** What one of the ways to write, or to read, does with users. */
const ways: Record<string, Way> = {
  create: (change) => (store) => ({ create: given<Store['create']>(change)(store.create) }),
  createMany: (change) => (store) => ({
    createMany: given<Store['createMany']>((users) => users.map(change))(store.createMany),
  }),
  update: (change) => (store) => ({
    update: second<Store['update']>((changes) => {
      const all = change({ ...bare, ...changes } as NewUser) as unknown as Record<string, unknown>
      const kept = Object.entries(changes).map(([name, to]) => [name, to === undefined ? to : all[name]])
      return Object.fromEntries(kept)
    })(store.update),
  }),
  'what update returns': returns('update'),
  findById: returns('findById'),
  findByUsername: returns('findByUsername'),
  findByEmail: returns('findByEmail'),
  findByIdentity: returns('findByIdentity'),
  list: lists(() => true),
  'list by an order': lists(({ order }) => order),
  'list by a filter': lists(({ where }) => where?.kind),
  'list by a prefix': lists(({ prefix }) => prefix),
  'holders of createMany': (change) => (store) => ({
    createMany: result<Store['createMany']>((outcomes) =>
      outcomes.map((each) => ('taken' in each ? { ...each, holder: change(each.holder) } : each)),
    )(store.createMany),
  }),
}

const cut = ofText((text) => text.slice(0, 255))
const cutAll = (values: object): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]))
const by =
  (changes: (user: NewUser) => object): Change =>
  (user) => ({ ...user, ...changes(user) })

const faults: Record<string, Change> = {
  'drops credentials': by(() => ({ credentials: [] })),
  'drops factors': by(() => ({ factors: [] })),
  'drops identities': by(() => ({ identityKeys: [] })),
  'keeps five identities at most': by(({ identityKeys }) => ({ identityKeys: identityKeys.slice(0, 5) })),
  'keeps 20 credentials at most': by(({ credentials }) => ({ credentials: credentials.slice(0, 20) })),
  'forgets who created the account': by(() => ({ origin: 'self' })),
  'verifies nobody': by(() => ({ isVerified: false })),
  'activates everybody': by(() => ({ isActive: true })),
  'makes nobody staff': by(() => ({ isStaff: false })),
  'forgets when the address changed': by(() => ({ emailChangedAt: null })),
  'restarts resetEpoch': by(() => ({ resetEpoch: 0 })),
  'restarts verifyEpoch': by(() => ({ verifyEpoch: 0 })),
  'keeps sessionEpoch as a float of 32 bits': by((user) => ({
    sessionEpoch: Math.fround(user.sessionEpoch),
  })),
  'cuts texts of credentials': by(({ credentials }) => ({ credentials: credentials.map(cutAll) })),
  'cuts the hash': by(({ passwordHash }) => ({ passwordHash: cut(passwordHash) })),
  'cuts fields': by(({ fields }) => ({ fields: cutAll(fields) })),
  'drops notes': by(() => ({ notes: {} })),
  'cuts texts of notes': by(({ notes }) => ({
    notes: JSON.parse(JSON.stringify(notes), (_, value) => cut(value)),
  })),
}

/** The same when a user is found by id. */
const more: Record<string, Change> = {
  'sorts credentials': by(({ credentials }) => ({
    credentials: credentials.toSorted((one, other) => one.kind.localeCompare(other.kind)),
  })),
  'has numbers for flags': by(({ isStaff }) => ({ isStaff: Number(isStaff) })),
  'has the key for the name': by(({ usernameKey }) => ({ username: usernameKey })),
  'drops null in fields': by(({ fields }) => ({
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  })),
  'flattens notes': by(({ notes }) => ({
    notes: Object.fromEntries(Object.entries(notes).map(([name, value]) => [name, String(value)])),
  })),
  'has services for unclaimed users': by(({ kind }) => ({ kind: kind === 'unclaimed' ? 'service' : kind })),
  'sorts roles': by(({ roles }) => ({ roles: roles.toSorted() })),
  'joins roles by commas': by(({ roles }) => ({ roles: roles.join(',').split(',') })),
  'ignores the case of roles': by(({ roles }) => ({
    roles: [...new Map(roles.toReversed().map((role) => [role.toLowerCase(), role])).values()].reverse(),
  })),
  'cuts roles': by(({ roles }) => ({ roles: roles.map((role) => role.slice(0, 100)) })),
  'keeps 100 roles at most': by(({ roles }) => ({ roles: roles.slice(0, 100) })),
}

const broken = (mutate: (store: Store) => Store) => userStoreCases(() => mutate(createStoreWithImport()))

/** Each fault on some ways, and each way with some faults. */
const some = Object.entries(ways).flatMap(([way, on], nth) =>
  Object.entries(faults)
    .filter((_, at) => (at + nth) % 4 === 0)
    .map(([title, change]): [string, Mistakes<Store>] => [`${way} ${title}`, on(change)]),
)
const found = Object.entries(more).map(([title, change]): [string, Mistakes<Store>] => [
  `findById ${title}`,
  returns('findById')(change),
])
/** Down to which depth a store replaces what it merges below. */
const merging = [1, 2, 3].flatMap((depth) =>
  (['fields', 'notes', 'credentials'] as const).map((name): [string, Mistakes<Store>] => [
    `update merges ${name} below the depth ${depth}`,
    ({ update, findById }) => ({
      async update(id, changes, version, messages) {
        const values = changes[name] && mergedBelow(depth, (await findById(id))?.[name], changes[name])
        return update(id, { ...changes, [name]: values }, version, messages)
      },
    }),
  ]),
)
detects<Store>(broken, {
  'every read returns': { several: Object.fromEntries([...some, ...found]) },
  'every read returns what update wrote, of all fields': { several: Object.fromEntries(merging) },
})

/** What `withUsers.update` does, beside users in memory. */
interface Together {
  update: UpdateWithSessions
}
const returned = (values: object): Mistake<Together, 'update'> =>
  result((written) => written && { ...written, user: { ...written.user, ...values } })
const together: Mutations<Together> = {
  'withUsers.update as update, law 1': {
    update: {
      'skips identities': second((changes) => without(changes, 'identityKeys')),
      'skips credentials': second((changes) => without(changes, 'credentials')),
      'skips notes': second((changes) => without(changes, 'notes')),
      'returns no credentials': returned({ credentials: [] }),
      'returns no factors': returned({ factors: [] }),
    },
  },
}
detects<Together>(
  (mutate) =>
    sessionStoreCases(() => {
      const store = createMemorySessionStore()
      return { ...store, ...updatesBy((...both) => mutate({ update: updateBoth(...both) }).update)(store) }
    }),
  together,
)

test('a store that does all of it correctly passes', async () => {
  const all: Change = (user) => user
  for (const on of Object.values(ways)) {
    const cases = broken((store) => ({ ...store, ...on(all)(store) }))
    expect((await runCases(cases, () => undefined)).failures).toEqual([])
  }
})
