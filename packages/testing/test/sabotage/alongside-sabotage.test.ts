import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import {
  type Alongside,
  alongsideCalls,
  createMemoryUserStore,
  type StoredUser,
  type UserStore,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { runCases, userStoreCases } from '../../src/index.js'

/** What a store gets wrong. */
type Mistake =
  | 'keeps created'
  | 'never created'
  | 'created for services'
  | 'keeps verified'
  | 'verified at each update'
  | 'verified without a change'
  | 'deletes anyway'
  | 'deleted for nobody'
  | 'throws what was thrown'

const never = Number.POSITIVE_INFINITY

/** A store in memory that undoes what a function refuses, but for the mistake. */
function storeWith(functions: Alongside<unknown>, mistake?: Mistake): UserStore {
  const store = createMemoryUserStore()
  const { created, deleted, verified } = alongsideCalls(functions, () => false)
  const run = async (call: () => Promise<void> | undefined, undo?: () => Promise<unknown>) => {
    try {
      await call()
    } catch (error) {
      await undo?.()
      throw mistake === 'throws what was thrown' ? (error as Error).cause : error
    }
  }
  return {
    ...store,
    async create(user) {
      const made = await store.create(user)
      const seen = mistake === 'created for services' ? { ...made, kind: 'person' as const } : made
      await run(
        async () => (mistake === 'never created' ? undefined : created?.(null, seen, never)),
        async () => mistake === 'keeps created' || store.delete(made.id),
      )
      return made
    },
    async update(id, changes, version) {
      const before = await store.findById(id)
      const isMeant = mistake === 'verified without a change' || before?.version === version
      if (before === null || !isMeant) return store.update(id, changes, version)
      if (mistake === 'keeps verified') await store.update(id, changes, version)
      // Nothing is changed before it is known whether a function refuses it.
      const after = { ...before, ...changes } as StoredUser
      const isDue = mistake === 'verified at each update' ? after.isVerified : verified?.isDue(before, after)
      if (isDue) await run(async () => verified?.run(null, after, never))
      return store.update(id, changes, version)
    },
    async delete(id, options) {
      const user = await store.findById(id)
      if (user === null) {
        if (mistake === 'deleted for nobody') await functions.deleted?.(null, { username: null } as never)
        return false
      }
      if (mistake === 'deletes anyway') await store.delete(id, options)
      await run(async () => deleted?.(null, user, undefined, never))
      return mistake === 'deletes anyway' || store.delete(id, options)
    },
  }
}

const casesWith = (mistake?: Mistake) =>
  userStoreCases(createMemoryUserStore, {
    alongside: (functions) => storeWith(functions, mistake),
  }).filter(({ name }) => name.includes('alongside'))

test('a store that keeps the promises of alongside', async () => {
  const { failures, passed } = await runCases(casesWith(), () => undefined)
  expect([failures, passed]).toEqual([[], 3])
})

test.each<[string, Mistake]>([
  ['law 41', 'keeps created'],
  ['law 41', 'never created'],
  ['law 41', 'created for services'],
  ['law 41', 'throws what was thrown'],
  ['law 42', 'deletes anyway'],
  ['law 42', 'deleted for nobody'],
  ['law 43', 'keeps verified'],
  ['law 43', 'verified at each update'],
  ['law 43', 'verified without a change'],
])('%s notices: %s', async (law, mistake) => {
  await breaksLaws(casesWith(mistake), law)
})
