import type { NewUser, StoredUser, UserChanges, UserStore } from 'fastify-accounts'
import { withChanges } from 'fastify-accounts/features'
import type { Law, Laws } from './cases.js'
import { check, same, show } from './checks.js'
import { fullUser } from './full-users.js'
import { ordersOf } from './user-store-orders.js'
import { canList, having, newUser } from './users.js'

/** A way to read a user: what each of its calls finds. */
export type Read = (store: UserStore, user: StoredUser) => Promise<unknown[]>

/** Every way to read a whole user. */
const reads: Record<string, Read> = {
  'findById()': async (store, { id }) => [await store.findById(id)],
  'findByUsername()': async (store, { usernameKey: key }) =>
    key === null ? [] : [await store.findByUsername(key)],
  'findByEmail()': async (store, { emailKey: key }) => (key === null ? [] : [await store.findByEmail(key)]),
  'findByIdentity()': async (store, { identityKeys }) =>
    Promise.all(identityKeys.map((key) => store.findByIdentity?.(key))),
  'list()': async (store, user) => {
    if (!canList(store)) return []
    const pages = queriesFor(store, user).map((query) => store.list({ limit: 100, ...query }))
    return (await Promise.all(pages)).map((users) => users.find(({ id }) => id === user.id))
  },
  'the holder that createMany() returns': async (store, { id, usernameKey, emailKey, identityKeys }) => {
    const taken = [
      { ...newUser(), id },
      ...(usernameKey === null ? [] : [newUser({ usernameKey })]),
      ...(emailKey === null ? [] : [newUser({ emailKey })]),
      ...identityKeys.slice(-1).map((key) => newUser({ identityKeys: [key] })),
    ]
    const outcomes = (await store.createMany?.(taken)) ?? []
    return outcomes.map((outcome) => ('holder' in outcome ? outcome.holder : outcome))
  },
}

/** An id of another system, as a UUID: a column of that type holds no others. */
const idAt = (at: number): string => `01234567-89ab-4cde-8f01-23456789000${at}`

/** What was written must be in the row, whichever statement wrote it, and in each result, whichever read it. */
export const userStorePathLaws: Laws<UserStore> = {
  'law 1: every read returns what create wrote': async (store, second) => {
    const hasIdentities = store.findByIdentity !== undefined
    const written: StoredUser[] = []
    for (const newcomer of [
      fullUser(hasIdentities),
      fullUser(hasIdentities),
      newUser(),
      bare(),
      nameless(),
    ]) {
      const created = await store.create(newcomer)
      const { id } = created
      check(typeof id === 'string' && id !== '', `the id is ${show(id)}`)
      written.push({ ...newcomer, id, version: 1 })
      same(created, written.at(-1), 'what create() returned')
    }
    await areRead(store, second, written, 'create()')
  },

  ...userUpdatePathLaws(),

  'law 32: every read returns what createMany wrote': having('createMany', async (store, second) => {
    const hasIdentities = store.findByIdentity !== undefined
    const newcomers: NewUser[] = [fullUser(hasIdentities), bare(), fullUser(hasIdentities), newUser()]
    const outcomes = await store.createMany(
      newcomers.map((user, at) => (at < 2 ? user : { ...user, id: idAt(at) })),
    )
    const written = newcomers.map((user, at) => {
      const outcome = outcomes[at]
      check(outcome && 'id' in outcome, `a user with free keys was not kept: ${show(outcome)}`)
      return { ...user, id: outcome.id, version: 1 }
    })
    same(
      written.slice(2).map(({ id }) => id),
      [2, 3].map(idAt),
      'the ids that were brought along',
    )
    await areRead(store, second, written, 'createMany()')
  }),
}

/**
 * The laws of the ways to change a user: all fields at once, and one after the other.
 *
 * @param moreReads of the stores that have another one
 */
export function userUpdatePathLaws(
  moreReads: Record<string, Read> = {},
): Record<
  | 'law 13: every read returns what update wrote, of all fields'
  | 'law 16: every read returns what update wrote, of one field',
  Law<UserStore>
> {
  return {
    'law 13: every read returns what update wrote, of all fields': async (store, second) => {
      const hasIdentities = store.findByIdentity !== undefined
      const bystander = await store.create(fullUser(hasIdentities))
      let user = await store.create({ ...bare(), origin: 'host' })
      // From one full user to another as well: what is a list or an object must be replaced, not merged.
      for (const next of [fullUser(hasIdentities), fullUser(hasIdentities), bare(), nameless()]) {
        const { createdAt: _, origin: _origin, ...changes } = next
        const gone = user
        user = { ...user, ...changes, version: user.version + 1 }
        same(await store.update(user.id, changes, gone.version), user, 'what update() returned')
        await areRead(store, second, [user], 'update()', moreReads)
        await areFree(second, gone)
      }
      await areRead(store, second, [bystander], 'update() of another user', moreReads)
    },

    'law 16: every read returns what update wrote, of one field': async (store, second) => {
      const hasIdentities = store.findByIdentity !== undefined
      let user = await store.create({ ...bare(), origin: 'host' })
      for (const next of [fullUser(hasIdentities), bare()]) {
        const gone = user
        for (const [at, names] of parts.entries()) {
          const changes: UserChanges = Object.fromEntries(names.map((name) => [name, next[name]]))
          const version = user.version
          user = { ...withChanges(user, changes), version: version + 1 }
          // Undefined means what absent does.
          const update = at % 2 === 0 ? changes : { ...unset, ...changes }
          const what = `update() of ${names.join(' and ')}`
          same(await store.update(user.id, update, version), user, `what ${what} returned`)
          same(await second.findById(user.id), user, `findById() after ${what}`)
        }
        await areRead(store, second, [user], 'update() of one field after the other', moreReads)
        await areFree(second, gone)
      }
    },
  }
}

async function areRead(
  store: UserStore,
  second: UserStore,
  users: readonly StoredUser[],
  how: string,
  moreReads: Record<string, Read> = {},
): Promise<void> {
  for (const user of users)
    for (const [call, read] of Object.entries({ ...reads, ...moreReads }))
      for (const each of new Set([store, second]))
        for (const found of await read(each, user)) same(found, user, `${call} after ${how}`)
}

/** Fails if a user is still found by what they had before. */
async function areFree(store: UserStore, { usernameKey, emailKey, identityKeys }: StoredUser): Promise<void> {
  const found = async (call: string, user: Promise<StoredUser | null> | undefined) =>
    same((await user) ?? null, null, `${call} of a key given up`)
  if (usernameKey !== null) await found('findByUsername()', store.findByUsername(usernameKey))
  if (emailKey !== null) await found('findByEmail()', store.findByEmail(emailKey))
  await Promise.all(identityKeys.map((key) => found('findByIdentity()', store.findByIdentity?.(key))))
}

/** Each of these lists the user, who is on the first page. */
function queriesFor(store: UserStore, user: StoredUser) {
  const { kind, isVerified, isActive, isStaff, usernameKey, emailKey, fields } = user
  const { listsBy = [] } = store
  const orders = ordersOf(store).filter((order) => order?.by !== 'usernameKey' || usernameKey !== null)
  const flags = { isVerified, isActive, isStaff }
  const text = Object.entries(fields).find(([, value]) => typeof value === 'string' && value !== '')
  return [
    ...orders.map((order) => ({ order })),
    { where: { kind } },
    { where: { isUsed: isVerified || user.lastLoginAt !== null } },
    ...(listsBy.includes('flags') ? [{ where: flags }] : []),
    ...(listsBy.includes('prefix') && usernameKey !== null ? [{ prefix: { usernameKey } }] : []),
    ...(listsBy.includes('prefix') && emailKey !== null ? [{ prefix: { emailKey } }] : []),
    ...(listsBy.includes('search') && text ? [{ search: { text: `${text[1]}`, fields: [text[0]] } }] : []),
  ]
}

/** Everything as in a new account without an address. */
const bare = () => newUser({ email: null, emailKey: null })
const nameless = () => newUser({ username: null, usernameKey: null })

/** What changes together: a text and its key. */
const parts: (keyof NewUser & keyof UserChanges)[][] = [
  ['username', 'usernameKey'],
  ['email', 'emailKey'],
  ['kind'],
  ['passwordHash'],
  ['isVerified'],
  ['isStaff'],
  ['roles'],
  ['isActive'],
  ['lastLoginAt'],
  ['emailChangedAt'],
  ['sessionEpoch'],
  ['resetEpoch'],
  ['verifyEpoch'],
  ['fields'],
  ['factors'],
  ['credentials'],
  ['identityKeys'],
  ['notes'],
]

/** As JavaScript callers write it. */
const unset: UserChanges = Object.fromEntries(parts.flat().map((name) => [name, undefined]))
