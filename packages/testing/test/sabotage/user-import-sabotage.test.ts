import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import {
  DuplicateError,
  type ImportedUser,
  type ImportOutcome,
  type ListingUserStore,
  type StoredUser,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases, userStoreCases } from '../../src/index.js'
import { createStoreWithImport, type StoreWithImport } from './store-with-import.js'

const sabotages: Record<string, [law: string, (store: StoreWithImport) => Partial<ListingUserStore>]> = {
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
  'an import ends after a hundred': [
    'keeps 500 users',
    (store) => ({
      createMany: async (users) => {
        const outcomes = await store.createMany(users.slice(0, 100))
        return users.map((_, index) => outcomes[index] ?? { id: `${index}` })
      },
    }),
  ],
  'outcomes are sorted as text': [
    'keeps 500 users',
    (store) => ({
      createMany: async (users) => {
        const outcomes = await store.createMany(users)
        return users
          .map((_, index) => `${index}`)
          .toSorted()
          .map((index) => outcomes[Number(index)] ?? { id: index })
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
  'everyone has signed up': [
    'keeps users unchanged',
    (store) => ({
      createMany: (users) => store.createMany(users.map((user) => ({ ...user, origin: 'self' }))),
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
      const store = createStoreWithImport()
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })
}

test('a store that imports correctly passes all', async () => {
  const cases = userStoreCases(createStoreWithImport)
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

function holdOn(store: StoreWithImport): Partial<ListingUserStore> {
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
function lookThenWrite(store: StoreWithImport): Partial<ListingUserStore> {
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
