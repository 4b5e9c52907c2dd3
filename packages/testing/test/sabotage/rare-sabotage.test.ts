import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import { createStoreWithOutbox } from '@fastify-accounts/test-support/store-with-outbox'
import {
  createMemorySessionStore,
  createMemoryThrottleStore,
  createMemoryUserStore,
  DuplicateError,
  type ListingUserStore,
  type Outbox,
  type SessionStore,
  type StoredUser,
  type ThrottleStore,
} from 'fastify-accounts'
import { describe, test } from 'vitest'
import {
  newSession,
  newUser,
  outboxCases,
  sessionStoreCases,
  throttleStoreCases,
  userStoreCases,
} from '../../src/index.js'

/** Whether a key is the twentieth, fortieth … of the keys passed so far. */
function rarely(): (key: string | null | undefined) => boolean {
  const places = new Map<string, number>()
  return (key) => {
    if (typeof key !== 'string') return false
    const place = places.get(key) ?? places.size + 1
    places.set(key, place)
    return place % 20 === 0
  }
}

/** What the loser of a race gets if both win. */
const lost = (user: object | null) => ({ ...user, id: 'lost', version: 2 }) as StoredUser

describe('one race in twenty has two winners', () => {
  const users: Record<string, [law: string, fault: (store: ListingUserStore) => Partial<ListingUserStore>]> =
    {
      'simultaneous creations of a username': [
        'simultaneous creations of a username',
        (store, isRare = rarely()) => ({
          create: (user) =>
            store.create(user).catch((error) => {
              if (error instanceof DuplicateError && isRare(user.usernameKey)) return lost(user)
              throw error
            }),
        }),
      ],
      'creations of one address': [
        'simultaneous creations of an email',
        (store, isRare = rarely()) => ({
          create: (user) =>
            store.create(user).catch((error) => {
              if (error instanceof DuplicateError && isRare(user.emailKey)) return lost(user)
              throw error
            }),
        }),
      ],
      'users who take one name': [
        'law 3: exactly one of 20',
        (store, isRare = rarely()) => ({
          update: (id, changes, version) =>
            store.update(id, changes, version).catch((error) => {
              if (error instanceof DuplicateError && isRare(changes.usernameKey)) return lost(changes)
              throw error
            }),
        }),
      ],
      'users who take an identity': [
        'law 3: exactly one of 20',
        (store, isRare = rarely()) => ({
          update: (id, changes, version) =>
            store.update(id, changes, version).catch((error) => {
              if (error instanceof DuplicateError && isRare(changes.identityKeys?.[0])) return lost(changes)
              throw error
            }),
        }),
      ],
      'updates from one version': [
        'law 14: exactly one of 100',
        (store) => ({
          update: async (id, changes, version) =>
            (await store.update(id, changes, version)) ??
            (version % 20 === 0 ? lost(await store.findById(id)) : null),
        }),
      ],
      'users of one code': [
        'law 14: of two updates',
        (store, isRare = rarely()) => ({
          update: async (id, changes, version) =>
            (await store.update(id, changes, version)) ?? (isRare(id) ? lost(changes) : null),
        }),
      ],
      'simultaneous deletions of a user': [
        'law 18: exactly one of 20',
        (store, isRare = rarely()) => ({ delete: async (id) => (await store.delete(id)) || isRare(id) }),
      ],
      'an update and the deletion of its user': [
        'law 15: a deletion stands',
        (store, isRare = rarely()) => ({
          async update(id, changes, version) {
            await null
            const updated = await store.update(id, changes, version)
            if (updated || !changes.usernameKey || (await store.findById(id)) || !isRare(changes.usernameKey))
              return updated
            await store.create(newUser({ usernameKey: changes.usernameKey })).catch(() => {})
            return null
          },
        }),
      ],
    }
  test.each(Object.entries(users))('%s', async (_, [law, sabotage]) => {
    const cases = userStoreCases(() => {
      const store = createMemoryUserStore()
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })

  const sessions: Record<string, [law: string, fault: (store: SessionStore) => Partial<SessionStore>]> = {
    'deletions of one session': [
      'law 6: simultaneous deletions',
      (store, isRare = rarely()) => ({ delete: async (id) => (await store.delete(id)) || isRare(id) }),
    ],
    'changes from one generation': [
      'law 22: exactly one of 20',
      (store, isRare = rarely()) => ({
        change: async (id, fromGeneration, changes) =>
          (await store.change?.(id, fromGeneration, changes)) || isRare(`${id} ${fromGeneration}`),
      }),
    ],
    'changes and deletions from one generation': [
      'law 25: of simultaneous changes',
      (store, isRare = rarely()) => ({
        delete: async (id, fromGeneration) => (await store.delete(id, fromGeneration)) || isRare(id),
      }),
    ],
    'changes and the deletion of a session': ['law 23:', resurrects],
    'touches and the deletion of a session': ['law 5: a deletion stands', resurrects],
    'touches and the deletion of all sessions': ['law 6: simultaneous calls don’t revive', resurrects],
  }
  test.each(Object.entries(sessions))(
    '%s',
    async (_, [law, sabotage]) => {
      const cases = sessionStoreCases(() => {
        const store = createMemorySessionStore()
        return { ...store, ...sabotage(store) }
      })
      await breaksLaws(cases, law)
    },
    30_000,
  )

  const outboxes: Record<string, [law: string, fault: (outbox: Outbox) => Partial<Outbox>]> = {
    'splits of one message': [
      'law 15: of many simultaneous splits',
      (outbox, isRare = rarely()) => ({
        async split(entry, messages) {
          if (await outbox.split(entry, messages)) return true
          if (!isRare(entry.id)) return false
          await outbox.add(messages)
          return true
        },
      }),
    ],
    'claims of one message': [
      'law 3: of many simultaneous claims',
      (outbox, isRare = rarely()) => ({
        async claim(at) {
          const entries = await outbox.claim(at)
          return [...entries, ...entries.filter(({ id }) => isRare(id))]
        },
      }),
    ],
  }
  test.each(Object.entries(outboxes))('%s', async (_, [law, sabotage]) => {
    const cases = outboxCases(() => {
      const store = createStoreWithOutbox()
      return { ...store, outbox: { ...store.outbox, ...sabotage(store.outbox) } }
    })
    await breaksLaws(cases, law)
  })

  const counters: Record<
    string,
    [law: string, fault: (store: Required<ThrottleStore>) => Partial<ThrottleStore>]
  > = {
    'calls that count': [
      '200 simultaneous calls',
      (store, isRare = rarely()) => ({
        increment: async (key, windowMs) => {
          const { count, resetMs } = await store.increment(key, windowMs)
          return { count: isRare(key) ? Math.min(count, 10) : count, resetMs }
        },
      }),
    ],
    'calls that count several keys': [
      'of many simultaneous calls of incrementAll',
      ({ increment, incrementAll }, isRare = rarely()) => ({
        async incrementAll(attempts) {
          const counts = await incrementAll(attempts)
          const [, next] = attempts
          if (counts.length > 1 || !next || !isRare(next.key)) return counts
          return [...counts, await increment(next.key, next.windowMs)]
        },
      }),
    ],
    decrements: [
      'simultaneous increments and decrements',
      (store, isRare = rarely()) => ({
        decrement: async (key) => (isRare(key) ? undefined : store.decrement(key)),
      }),
    ],
  }
  test.each(Object.entries(counters))(
    '%s',
    async (_, [law, sabotage]) => {
      const cases = throttleStoreCases(() => {
        const store = createMemoryThrottleStore()
        return { ...store, ...sabotage(store) }
      })
      await breaksLaws(cases, law)
    },
    30_000,
  )
})

describe('two handles on the same data', () => {
  test('detected by law 20: one handle caches what the other changed', async () => {
    const cases = userStoreCases(() => {
      const store = createMemoryUserStore()
      const remembered = new Map<string, StoredUser | null>()
      const second: ListingUserStore = {
        ...store,
        async findByEmail(key) {
          const found = remembered.get(key) ?? (await store.findByEmail(key))
          remembered.set(key, found)
          return structuredClone(found)
        },
      }
      return [store, second]
    })
    await breaksLaws(cases, 'law 20:')
  })

  test('detected by law 3: each handle only serializes its own creations', async () => {
    const cases = userStoreCases(() => {
      const store = createMemoryUserStore()
      const handle = (): ListingUserStore => {
        const own = new Set<string | null>()
        return {
          ...store,
          create: (user) =>
            store.create(user).catch((error) => {
              if (own.has(user.usernameKey) || !user.usernameKey?.startsWith('a-')) throw error
              own.add(user.usernameKey)
              return lost(user)
            }),
        }
      }
      return [handle(), handle()]
    })
    await breaksLaws(cases, 'simultaneous creations of a username')
  })

  test('detected by law 20: sessions one handle caches after the other ended them', async () => {
    const cases = sessionStoreCases(() => {
      const store = createMemorySessionStore()
      const remembered = new Map<string, Awaited<ReturnType<SessionStore['find']>>>()
      const second: SessionStore = {
        ...store,
        async find(id) {
          const found = remembered.get(id) ?? (await store.find(id))
          remembered.set(id, found)
          return structuredClone(found)
        },
      }
      return [store, second]
    })
    await breaksLaws(cases, 'law 20:')
  }, 30_000)
})

/** Every twentieth session touched or changed after its deletion is created again. */
function resurrects(store: SessionStore): Partial<SessionStore> {
  const isRare = rarely()
  const gone = new Set<string>()
  async function revive(id: string): Promise<false> {
    if (!gone.has(id) && isRare(id)) await store.create(newSession({ id }))
    gone.add(id)
    return false
  }
  return {
    async touch(id, seen) {
      await null
      return (await store.touch(id, seen)) || revive(id)
    },
    async change(id, fromGeneration, changes) {
      await null
      return (await store.change?.(id, fromGeneration, changes)) || revive(id)
    },
  }
}
