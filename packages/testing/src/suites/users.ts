import type {
  ListAbility,
  ListingUserStore,
  NewUser,
  StoredUser,
  User,
  UserKind,
  UserListQuery,
  UserStore,
} from 'fastify-accounts'
import { freshUser } from 'fastify-accounts/features'
import { type Having, type Law, lawOf, notChecked } from './cases.js'
import { check, range, same } from './checks.js'
import type { Calls } from './outage.js'

let serial = 0

/**
 * A user for your own tests of a store, with a username and an address that no other call returns.
 *
 * @param overrides what matters to the test
 */
export function newUser(overrides: Partial<NewUser> = {}): NewUser {
  serial += 1
  return freshUser({
    username: `User-${serial}`,
    usernameKey: `user-${serial}`,
    email: `User-${serial}@example.org`,
    emailKey: `user-${serial}@example.org`,
    passwordHash: `hash-${serial}`,
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    ...overrides,
  })
}

export const kinds: readonly UserKind[] = ['person', 'service', 'unclaimed']

/** Creates users one after the other. */
export async function createUsers(
  store: UserStore,
  count: number,
  overrides: (index: number) => Partial<NewUser> = () => ({}),
): Promise<User[]> {
  const users: User[] = []
  for (const index of range(count)) users.push(await store.create(newUser(overrides(index))))
  return users
}

/** All users, page by page. */
export async function listAll(
  store: ListingUserStore,
  limit: number,
  query: Omit<UserListQuery, 'limit' | 'after'> = {},
  betweenPages: () => Promise<void> = async () => undefined,
): Promise<User[]> {
  const users: User[] = []
  let pages = 0
  for (let page = await store.list({ ...query, limit }); page.length > 0; ) {
    pages += 1
    check(pages < 500, 'the list does not end')
    users.push(...page)
    await betweenPages()
    page = await store.list({ ...query, limit, after: users.at(-1) })
  }
  return users
}

/** A law about a method that a user store may omit. */
export function having<Name extends keyof UserStore>(
  name: Name,
  law: Law<Having<UserStore, Name>>,
): Law<UserStore> {
  return lawOf(name, law)
}

/** A law about what a list need not be able to do. */
export function listing(ability: ListAbility, law: Law<ListingUserStore>): Law<UserStore> {
  return having('list', async (store, second) => {
    if (!store.listsBy?.includes(ability)) notChecked(`a list by ${ability}`)
    await law(store, second)
  })
}

/**
 * The calls that change a user or add others, and those that read the user.
 *
 * @param word what they write into every field
 */
export function callsOn(
  store: UserStore,
  { id, usernameKey, emailKey, identityKeys: [identity] }: StoredUser,
  { word = 'late', fresh = newUser(), imported = newUser() } = {},
): { writes: Calls; reads: Calls } {
  const { createMany, findByIdentity, list } = store
  const keys = { usernameKey: word, emailKey: `${word}@example.org` }
  return {
    writes: {
      'create()': () => store.create(fresh),
      'update()': () => store.update(id, { passwordHash: word }, 1),
      'update() of keys': () => store.update(id, keys, 1),
      ...(findByIdentity && {
        'update() of identities': () => store.update(id, { identityKeys: [word] }, 1),
      }),
      'delete()': () => store.delete(id),
      ...(createMany && { 'createMany()': () => createMany.call(store, [imported]) }),
    },
    reads: {
      'findById()': () => store.findById(id),
      'findByUsername()': () => store.findByUsername(`${usernameKey}`),
      'findByEmail()': () => store.findByEmail(`${emailKey}`),
      ...(findByIdentity && identity && { 'findByIdentity()': () => findByIdentity.call(store, identity) }),
      ...(list && { 'list()': async () => (await list.call(store, { limit: 10 }))[0] }),
    },
  }
}

export function canList(store: UserStore): store is ListingUserStore {
  return store.list !== undefined
}

/** Checks that these users exist and no others, as far as the store can list. */
export async function onlyThere(store: UserStore, users: readonly User[], what: string): Promise<void> {
  if (canList(store)) same(await store.list({ limit: 100 }), users, what)
}

/** Checks the number of users, as far as the store can list. */
export async function countThere(store: UserStore, count: number, what: string): Promise<void> {
  if (canList(store)) same((await listAll(store, 10)).length, count, what)
}
