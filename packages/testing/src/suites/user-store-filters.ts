import type {
  ListAbility,
  ListingUserStore,
  NewUser,
  StoredUser,
  User,
  UserFilter,
  UserKind,
  UserListQuery,
  UserOrder,
  UserPrefix,
  UserStore,
} from 'fastify-accounts'
import type { Laws } from './cases.js'
import { same, show } from './checks.js'
import { ids, ordersOf, time, told } from './user-store-orders.js'
import { createUsers, having, kinds, listAll, listing } from './users.js'

/** Laws about which users a list has. Each only applies as far as `listsBy` declares, but for `kind` and `isUsed`. */
export const userStoreFilterLaws: Laws<UserStore> = {
  'law 24: a prefix selects users whose username or address starts with it, in the order of these': listing(
    'prefix',
    async (store) => {
      const keys = ['ada', 'adam', 'bada', 'ad%', 'ad_m', 'ädam', 'ad', 'a\\d', 'bob', 'ad😀m']
      const users = await createUsers(store, 10, (index) => ({
        createdAt: time((index * 7) % 10),
        usernameKey: `${keys[index]}`,
        emailKey: index === 3 ? null : `${keys[9 - index]}@example.org`,
        ...(index === 3 && { email: null }),
      }))
      for (const start of [
        'ad',
        'ada',
        'ad%',
        'ad_',
        'a',
        'AD',
        'a\\',
        'ad😀',
        'nobody',
        'bob',
        'd',
        'bada@',
        'ad_m@example.org',
        '%',
      ]) {
        for (const prefix of [{ usernameKey: start }, { emailKey: start }]) {
          const expected = ids(startingWith(users, prefix))
          same(ids(await store.list({ limit: 20, prefix })), expected, `the ids for ${show(prefix)}`)
          const pages = await listAll(store, 2, { prefix })
          same(ids(pages), expected, `those on pages of two for ${show(prefix)}`)
        }
      }
      same(users.length, 10, 'the number of users')
    },
  ),

  'law 25: flags select users who have all of them, in every order, and with a prefix': listing(
    'flags',
    async (store) => {
      await createUsers(store, 24, (index) => ({
        createdAt: time(index % 4),
        usernameKey: `${index % 3 === 0 ? 'ada' : 'bob'}-${String((index * 5) % 24).padStart(2, '0')}`,
        isActive: index % 2 === 0,
        isStaff: index % 5 === 0,
        isVerified: index % 3 !== 1,
      }))
      const choices = [undefined, true, false]
      const filters = choices.flatMap((isActive) =>
        choices.flatMap((isStaff) =>
          choices.map((isVerified): UserFilter => ({ isActive, isStaff, isVerified })),
        ),
      )
      for (const { order, prefix, all } of await listsOf(store, 'ada')) {
        for (const where of filters) {
          const query = { where, prefix }
          const expected = all.filter((user) => isSelected(user, query))
          const what = `for ${show(query)} ${told(order)}`
          const found = await store.list({ limit: 100, ...query, order })
          same(ids(found), ids(expected), `the ids ${what}`)
          const page = await store.list({ limit: 2, ...query, order, after: expected[0] })
          same(
            ids(page),
            ids(expected).slice(...(expected.length > 0 ? [1, 3] : [0, 2])),
            `the second page ${what}`,
          )
        }
      }
    },
  ),

  'law 38: every store lists users of one kind, in pages, and of every kind if none is given': having(
    'list',
    async (store) => {
      const users = await createUsers(store, 30, (index) => ({
        createdAt: time((index * 7) % 10),
        kind: kindAt(index),
      }))
      same(ids(await listAll(store, 7)).sort(), ids(users).sort(), 'the ids of users of every kind')
      for (const kind of kinds) await listsOnly(store, { kind })
      const [user] = await store.list({ limit: 1 })
      const changed = await store.update(`${user?.id}`, { kind: 'unclaimed' }, 1)
      const unclaimed = await store.list({ limit: 100, where: { kind: 'unclaimed' } })
      same(ids(unclaimed).includes(changed?.id), true, 'whether one is listed under a new kind')
    },
  ),

  'law 38: every store lists the users who have been used, or those who have not, in pages': having(
    'list',
    async (store) => {
      await createUsers(store, 30, (index) => ({ createdAt: time((index * 7) % 10), ...usedAt(index) }))
      for (const isUsed of [true, false]) await listsOnly(store, { isUsed })
      for (const changes of [{ isVerified: true }, { lastLoginAt: time(1) }]) {
        const [unused] = await store.list({ limit: 1, where: { isUsed: false } })
        const changed = await store.update(`${unused?.id}`, changes, 1)
        const used = await store.list({ limit: 100, where: { isUsed: true } })
        same(ids(used).includes(changed?.id), true, `whether one is listed as used after ${show(changes)}`)
      }
    },
  ),

  'law 38: whatever is declared works in combination with kind and use': having('list', async (store) => {
    const { listsBy = [] } = store
    await createUsers(store, 60, (index) => ({
      createdAt: time((index * 7) % 8),
      usernameKey: `${index % 4 < 2 ? 'ada' : 'bob'}-${String((index * 17) % 60).padStart(2, '0')}`,
      kind: kindAt(index),
      isActive: index % 5 < 3,
      fields: { note: index % 11 < 6 ? 'Likes TEA' : 'likes coffee' },
      ...usedAt(index),
    }))
    const of = <Value>(ability: ListAbility, ...values: Value[]): (Value | undefined)[] =>
      listsBy.includes(ability) ? [undefined, ...values] : [undefined]
    const search = { text: 'tea', fields: ['about', 'note'] }
    const unverified: UserFilter = { isActive: true, isVerified: false }
    for (const { order, prefix, all } of await listsOf(store, 'ada')) {
      const [from, to] = [all[10], all[25]]
      for (const own of ownFilters) {
        for (const flags of of<UserFilter>('flags', { isActive: false }, unverified)) {
          for (const sought of of('search', search)) {
            const query = { where: { ...flags, ...own }, prefix, search: sought }
            const expected = ids(all.filter((user) => isSelected(user, query)))
            const what = `for ${show(query)} ${told(order)}`
            const found = await store.list({ limit: 100, ...query, order })
            same(ids(found), expected, `the ids ${what}`)
            for (const after of [from, to]) {
              const page = await store.list({ limit: 3, ...query, order, after })
              const rest = all.slice(all.findIndex(({ id }) => id === after?.id) + 1)
              const next = ids(rest.filter((user) => isSelected(user, query))).slice(0, 3)
              same(ids(page), next, `a page ${what}`)
            }
          }
        }
      }
    }
  }),
}

/** Checks what the filter selects, on pages of any size, and behind every user. */
async function listsOnly(store: ListingUserStore, where: UserFilter): Promise<void> {
  const selected = (users: readonly User[]) => ids(users.filter((user) => isSelected(user, { where })))
  const all = await store.list({ limit: 100 })
  same(ids(await store.list({ limit: 100, where })), selected(all), `the ids for ${show(where)}`)
  for (const limit of [1, 3, 100])
    same(ids(await listAll(store, limit, { where })), selected(all), `those for ${show(where)} by ${limit}`)
  for (const [at, after] of all.entries()) {
    const page = await store.list({ limit: 2, where, after })
    const next = selected(all.slice(at + 1)).slice(0, 2)
    same(ids(page), next, `the page for ${show(where)} behind another user`)
  }
}

/** Each order that the store declares, and that of a prefix, with all users whom it lists. */
async function listsOf(
  store: ListingUserStore,
  start: string,
): Promise<{ order?: UserOrder | undefined; prefix?: UserPrefix; all: StoredUser[] }[]> {
  const lists = await Promise.all(
    ordersOf(store).map(async (order) => ({ order, all: await store.list({ limit: 100, order }) })),
  )
  if (!store.listsBy?.includes('prefix')) return lists
  const prefixes = [{ usernameKey: start }, { emailKey: start }]
  const users = await store.list({ limit: 100 })
  return [...lists, ...prefixes.map((prefix) => ({ prefix, all: startingWith(users, prefix) }))]
}

/** In the order of the bytes of the key that is searched. */
function startingWith<Found extends User>(users: readonly Found[], prefix: UserPrefix): Found[] {
  const key = prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey'
  const start = prefix[key] ?? ''
  const bytes = (user: Found) => Buffer.from(user[key] ?? '')
  return users
    .filter((user) => user[key]?.startsWith(start))
    .sort((one, other) => Buffer.compare(bytes(one), bytes(other)))
}

/** Users of all kinds are mixed, but none follows from the place in the list. */
const kindAt = (index: number): UserKind => kinds[(index >> 1) % 3] ?? 'person'

/** Verified, logged in, both or neither: nothing of it follows from the place or the kind. */
const usedAt = (index: number): Partial<NewUser> => ({
  isVerified: index % 4 === 0,
  lastLoginAt: index % 9 < 3 ? time(index) : null,
})

/** The filters that every list supports. */
const ownFilters: readonly UserFilter[] = [
  {},
  ...kinds.map((kind) => ({ kind })),
  ...[true, false].flatMap((isUsed) => [{ isUsed }, { kind: 'person' as const, isUsed }]),
]

function isSelected(user: User, { where = {}, prefix, search }: Omit<UserListQuery, 'limit'>): boolean {
  const isUsed = user.isVerified || user.lastLoginAt !== null
  const has = { ...user, isUsed }
  return (
    Object.entries(where).every(
      ([name, value]) => value === undefined || has[name as keyof UserFilter] === value,
    ) &&
    (prefix === undefined || startingWith([user], prefix).length === 1) &&
    (search === undefined ||
      search.fields.some((name) => {
        const text = user.fields[name]
        return typeof text === 'string' && text.toLowerCase().includes(search.text.toLowerCase())
      }))
  )
}
