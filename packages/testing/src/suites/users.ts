import type { ListingUserStore, NewUser, User, UserKind, UserListQuery, UserStore } from 'fastify-accounts'
import { freshUser } from 'fastify-accounts/features'
import { type Law, notChecked } from './cases.js'
import { check, range, same } from './checks.js'

let made = 0

/**
 * A user for your own tests of a store, with a username and an address that no other call returns.
 *
 * @param overrides what matters to the test
 */
export function newUser(overrides: Partial<NewUser> = {}): NewUser {
  made += 1
  return freshUser({
    username: `User-${made}`,
    usernameKey: `user-${made}`,
    email: `User-${made}@example.org`,
    emailKey: `user-${made}@example.org`,
    passwordHash: `hash-${made}`,
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

/** A user store with an optional method. */
export type Having<Name extends keyof UserStore> = UserStore & Required<Pick<UserStore, Name>>

/** A law about a method that a store may omit, in which case it isn't checked. */
export function having<Name extends keyof UserStore>(
  name: Name,
  law: (store: Having<Name>, second: Having<Name>) => Promise<void>,
): Law<UserStore> {
  const has = (store: UserStore): store is Having<Name> => store[name] !== undefined
  return async (store, second) => (has(store) && has(second) ? law(store, second) : notChecked(name))
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
