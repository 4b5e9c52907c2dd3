import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { expect, test } from 'vitest'
import { createMemoryUserStore } from '../../src/defaults/memory-user-store.js'
import { assertText, DuplicateError } from '../../src/seams/store-errors.js'
import type { ImportedUser, ImportOutcome, ListingUserStore } from '../../src/seams/user-store.js'
import { runCases, userStoreCases } from '../../src/testing/index.js'
import type { StoredUser } from '../../src/user.js'

type Importing = ListingUserStore & Required<Pick<ListingUserStore, 'createMany'>>

/** The store in memory with a correct `createMany`. */
function importing(): Importing {
  const store = createMemoryUserStore()
  /** Maps an imported id to that of the underlying store. */
  const inner = new Map<string, string>()
  const shown = (user: StoredUser): StoredUser => {
    const [id = user.id] = [...inner].find(([, beneath]) => beneath === user.id) ?? []
    return { ...user, id }
  }
  const one = async (found: Promise<StoredUser | null>) => {
    const user = await found
    return user && shown(user)
  }
  const outer: ListingUserStore = {
    ...store,
    findById: (id) => one(store.findById(inner.get(id) ?? id)),
    findByUsername: (key) => one(store.findByUsername(key)),
    findByEmail: (key) => one(store.findByEmail(key)),
    list: async (page) => (await store.list(page)).map(shown),
    delete: (id) => store.delete(inner.get(id) ?? id),
  }
  async function keep({ id, ...user }: ImportedUser): Promise<ImportOutcome> {
    const holder = id === undefined ? null : await outer.findById(id)
    if (holder) return { taken: 'id', holder }
    try {
      const created = await store.create(user)
      if (id !== undefined) inner.set(id, created.id)
      return { id: id ?? created.id }
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error
      const taken = error.field
      const holder = {
        username: await outer.findByUsername(user.usernameKey ?? 'none'),
        email: await outer.findByEmail(user.emailKey ?? 'none'),
        identity: (await Promise.all(user.identityKeys.map((key) => outer.findByIdentity?.(key)))).find(
          Boolean,
        ),
      }[taken]
      if (!holder) throw error
      return { taken, holder }
    }
  }
  return {
    ...outer,
    async createMany(users) {
      for (const { id, usernameKey, emailKey } of users) {
        for (const text of [id ?? 'none', usernameKey, emailKey ?? 'none']) assertText('a user', text)
      }
      const outcomes: ImportOutcome[] = []
      for (const user of users) outcomes.push(await keep(user))
      return outcomes
    },
  }
}

const sabotages: Record<string, [law: string, (store: Importing) => Partial<ListingUserStore>]> = {
  'given ids are ignored': [
    'keeps users unchanged',
    (store) => ({ createMany: (users) => store.createMany(users.map(({ id: _, ...user }) => user)) }),
  ],
  'the results are in another order': [
    'keeps users unchanged',
    (store) => ({ createMany: async (users) => (await store.createMany(users)).reverse() }),
  ],
  'only the first is stored': [
    'keeps users unchanged',
    (store) => ({
      createMany: async (users) => {
        const [first] = await store.createMany(users.slice(0, 1))
        return users.map(() => first ?? { id: 'none' })
      },
    }),
  ],
  'epochs restart': [
    'keeps users unchanged',
    (store) => ({
      createMany: (users) => store.createMany(users.map((user) => ({ ...user, sessionEpoch: 0 }))),
    }),
  ],
  'everyone becomes a person': [
    'keeps users unchanged',
    (store) => ({
      createMany: (users) => store.createMany(users.map((user) => ({ ...user, kind: 'person' }))),
    }),
  ],
  'roles are dropped': [
    'keeps users unchanged',
    (store) => ({ createMany: (users) => store.createMany(users.map((user) => ({ ...user, roles: [] }))) }),
  ],
  'invitations are dropped': [
    'keeps users unchanged',
    (store) => ({
      createMany: (users) => store.createMany(users.map((user) => ({ ...user, invitedAt: null }))),
    }),
  ],
  'arguments are stored by reference': ['keeps users unchanged', holdOn],
  'an empty import is an error': [
    'keeps users unchanged',
    (store) => ({
      createMany: async (users) =>
        users.length > 0 ? store.createMany(users) : Promise.reject(new Error('none')),
    }),
  ],
  'one duplicate fails all': [
    'skips users',
    (store) => ({
      createMany: async (users) => {
        const outcomes = await store.createMany(users)
        if (outcomes.some((each) => 'taken' in each)) throw new DuplicateError('username')
        return outcomes
      },
    }),
  ],
  'every duplicate is reported as the name': [
    'skips users',
    (store) => ({
      createMany: async (users) =>
        (await store.createMany(users)).map((each) =>
          'taken' in each ? { ...each, taken: 'username' } : each,
        ),
    }),
  ],
  'the owner in a conflict is the rejected user': [
    'skips users',
    (store) => ({
      createMany: async (users) =>
        (await store.createMany(users)).map((each, at) =>
          'taken' in each ? { ...each, holder: { ...users[at], id: '', version: 1 } as StoredUser } : each,
        ),
    }),
  ],
  'existing users are replaced': [
    'skips users',
    (store) => ({
      createMany: async (users) => {
        for (const { usernameKey } of users) {
          const there = usernameKey && (await store.findByUsername(usernameKey))
          if (there) await store.delete(there.id)
        }
        return store.createMany(users)
      },
    }),
  ],
  'users before the invalid one are stored': [
    'keeps nobody',
    (store) => ({
      createMany: async (users) => {
        const outcomes: ImportOutcome[] = []
        for (const user of users) outcomes.push(...(await store.createMany([user])))
        return outcomes
      },
    }),
  ],
  'the invalid one is skipped': [
    'keeps nobody',
    (store) => ({ createMany: (users) => store.createMany(users.filter(({ id }) => id !== '')) }),
  ],
  'it reads before it writes': ['simultaneous imports', lookThenWrite],
}

for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test(`detected by law 32, ${law}: ${fault}`, async () => {
    const cases = userStoreCases(() => {
      const store = importing()
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })
}

test('a store that imports correctly passes all', async () => {
  const cases = userStoreCases(importing)
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

function holdOn(store: Importing): Partial<ListingUserStore> {
  const given = new Map<string, ImportedUser>()
  return {
    createMany: async (users) => {
      const outcomes = await store.createMany(users)
      for (const [at, user] of users.entries()) {
        const outcome = outcomes[at]
        if (outcome && 'id' in outcome) given.set(outcome.id, user)
      }
      return outcomes
    },
    findById: async (id) => {
      const user = await store.findById(id)
      return user && { ...user, fields: given.get(id)?.fields ?? user.fields }
    },
  }
}

/** Two imports both find the usernames free; the later one fails. */
function lookThenWrite(store: Importing): Partial<ListingUserStore> {
  return {
    createMany: async (users) => {
      const there = await Promise.all(
        users.map(({ usernameKey }) => usernameKey && store.findByUsername(usernameKey)),
      )
      await later()
      const outcomes = await store.createMany(users)
      if (outcomes.some((each, at) => 'taken' in each && each.taken === 'username' && !there[at]))
        throw new DuplicateError('username')
      return outcomes
    },
  }
}
