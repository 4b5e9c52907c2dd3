import { changeSessions } from '@fastify-accounts/test-support/one-database'
import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import {
  closable,
  createMemorySessionStore,
  type Session,
  type SessionChanges,
  type SessionUpdate,
} from 'fastify-accounts'
import { test } from 'vitest'
import { newSession, sessionStoreCases } from '../../src/index.js'
import type { ChangingStore } from '../../src/suites/sessions.js'
import { updatesBy } from './users-beside-sessions.js'

type Fault = (store: ChangingStore) => Partial<ChangingStore>

/** Memory stores with one fault each, and the law that must detect it. */
const sabotages: Record<string, [law: string, fault: Fault]> = {
  'touch lowers the generation seen': [
    'law 21: touch raises',
    (store) => ({
      async touch(id, seen) {
        const isThere = await store.touch(id, seen)
        const { seenGeneration } = seen
        if (isThere && seenGeneration !== undefined) await set(store, id, { seenGeneration })
        return isThere
      },
    }),
  ],
  'touch without a generation forgets the one seen': [
    'law 21: touch raises',
    (store) => ({
      async touch(id, seen) {
        const isThere = await store.touch(id, seen)
        if (isThere && seen.seenGeneration === undefined) await set(store, id, { seenGeneration: 0 })
        return isThere
      },
    }),
  ],
  'touch ignores the generation seen': [
    'law 21: touch raises',
    (store) => ({ touch: (id, { lastSeenAt, expiresAt }) => store.touch(id, { lastSeenAt, expiresAt }) }),
  ],
  'touch reads the generation seen before it writes': [
    'law 21: of simultaneous touches',
    (store) => ({
      async touch(id, seen) {
        const before = (await store.find(id))?.seenGeneration ?? 0
        await later()
        const isThere = await store.touch(id, seen)
        if (isThere) await set(store, id, { seenGeneration: Math.max(before, seen.seenGeneration ?? 0) })
        return isThere
      },
    }),
  ],
  'touch writes the row that it has read': [
    'law 24:',
    (store) => ({
      async touch(id, seen) {
        const before = await store.find(id)
        await later()
        const isThere = await store.touch(id, seen)
        if (isThere && before) await set(store, id, { ...before, ...seen })
        return isThere
      },
    }),
  ],
  'change writes the row that it has read': [
    'law 24:',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const { lastSeenAt, expiresAt } = (await store.find(id)) ?? newSession()
        await later()
        return store.change(id, fromGeneration, { lastSeenAt, expiresAt, ...changes })
      },
    }),
  ],
  ...Object.fromEntries(
    (
      [
        'name',
        'epoch',
        'lastSeenAt',
        'expiresAt',
        'details',
        'methods',
        'confirmedAt',
        'generation',
        'seenGeneration',
        'confirmedGeneration',
        'retiredBy',
      ] as const
    ).map((field): [string, [string, Fault]] => [
      `change ignores ${field}`,
      [
        'law 22: change applies',
        (store) => ({
          change: (id, fromGeneration, { [field]: _, ...changes }) =>
            store.change(id, fromGeneration, changes),
        }),
      ],
    ]),
  ),
  'change clears what it is not given': [
    'law 22: change applies',
    (store) => ({
      change: (id, fromGeneration, changes) => store.change(id, fromGeneration, { name: null, ...changes }),
    }),
  ],
  'change changes the other sessions of the user': [
    'law 22: change applies',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const isChanged = await store.change(id, fromGeneration, changes)
        const { userId } = (await store.find(id)) ?? {}
        const others = isChanged && userId ? await store.listByUser(userId) : []
        for (const other of others) if (other.id !== id) await store.change(other.id, 0, changes)
        return isChanged
      },
    }),
  ],
  'undefined clears': [
    'law 22: change leaves absent',
    (store) => ({
      change: (id, fromGeneration, changes) => {
        const isCleared = 'name' in changes && changes.name === undefined
        return store.change(id, fromGeneration, isCleared ? { ...changes, name: null } : changes)
      },
    }),
  ],
  'null leaves': [
    'law 22: change leaves absent',
    (store) => ({
      change: (id, fromGeneration, changes) => {
        const given = Object.entries(changes).filter(([, value]) => value !== null)
        return store.change(id, fromGeneration, Object.fromEntries(given))
      },
    }),
  ],
  'a change of nothing fails': [
    'law 22: change leaves absent',
    (store) => ({
      change: async (id, fromGeneration, changes) =>
        Object.keys(changes).length > 0 && store.change(id, fromGeneration, changes),
    }),
  ],
  'change writes every given field': [
    'law 22: a session keeps its id',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const session = await store.find(id)
        const isChanged = await store.change(id, fromGeneration, changes)
        if (!isChanged || session === null || !('userId' in changes)) return isChanged
        await store.delete(id)
        await store.create({ ...session, ...(changes as Session), id })
        return true
      },
    }),
  ],
  'change ignores the generation': [
    'law 22: change does nothing to a session of another',
    (store) => ({ change: (id, _, changes) => set(store, id, changes) }),
  ],
  'change takes every earlier generation': [
    'law 22: change does nothing to a session of another',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const { generation = fromGeneration } = (await store.find(id)) ?? {}
        return store.change(id, Math.max(generation, fromGeneration), changes)
      },
    }),
  ],
  'change renews an expired session': [
    'law 22: change does nothing to a session of another',
    (store) => {
      const created = new Map<string, Session>()
      return {
        create: (session) => {
          created.set(session.id, session)
          return store.create(session)
        },
        async change(id, fromGeneration, changes) {
          if (await store.find(id)) return store.change(id, fromGeneration, changes)
          const session = created.get(id)
          if (session === undefined || session.expiresAt > new Date()) return false
          await store.deleteExpired(new Date())
          await store.create({ ...session, ...(changes as Partial<Session>) })
          return true
        },
      }
    },
  ],
  'change always returns true': [
    'law 3: a missing session',
    (store) => ({ change: async (...given) => (await store.change(...given)) || true }),
  ],
  'change takes keys of any type': [
    'law 3: anything but well-formed',
    (store) => ({ change: (...given) => store.change(...given).catch(() => false) }),
  ],
  'change keeps its arguments': ['law 2:', changesByReference],
  'change reads before it writes': [
    'law 22: exactly one of 20',
    (store) => ({
      async change(id, fromGeneration, changes) {
        if ((await store.find(id))?.generation !== fromGeneration) return false
        await later()
        return set(store, id, changes)
      },
    }),
  ],
  'a change that loses writes some of its fields': [
    'law 22: exactly one of 20',
    (store) => ({
      async change(id, fromGeneration, { methods, ...changes }) {
        if (methods !== undefined) await set(store, id, { methods })
        return store.change(id, fromGeneration, changes)
      },
    }),
  ],
  'change only extends the end': [
    'law 22: change moves the end',
    (store) => ({
      async change(id, fromGeneration, { expiresAt, ...changes }) {
        const isLater = expiresAt && expiresAt > ((await store.find(id))?.expiresAt ?? expiresAt)
        return store.change(id, fromGeneration, { ...changes, ...(isLater && { expiresAt }) })
      },
    }),
  ],
  'a session that goes on as another is not found': [
    'law 22: a session that goes on',
    (store) => ({
      find: async (id) => {
        const session = await store.find(id)
        return session?.retiredBy === null ? session : null
      },
    }),
  ],
  'a session that goes on as another is not listed': [
    'law 22: a session that goes on',
    (store) => ({
      listByUser: async (userId) =>
        (await store.listByUser(userId)).filter(({ retiredBy }) => retiredBy === null),
    }),
  ],
  'a session ends with the one that it goes on as': [
    'law 22: a session that goes on',
    (store) => ({
      async delete(id) {
        const { userId } = (await store.find(id)) ?? {}
        const all = userId ? await store.listByUser(userId) : []
        for (const session of all) if (session.retiredBy === id) await store.delete(session.id)
        return store.delete(id)
      },
    }),
  ],
  'change brings a deleted session back': [
    'law 23:',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const session = await store.find(id)
        if (session?.generation !== fromGeneration) return false
        await later()
        if (await store.change(id, fromGeneration, changes)) return true
        if ((await store.find(id)) === null)
          await store.create({ ...session, ...(changes as Partial<Session>) })
        return true
      },
    }),
  ],
  'a deleted session can still be changed': [
    'law 23:',
    (store) => ({ change: async (...given) => (await store.change(...given)) || given[1] === 1 }),
  ],
  'change writes the whole row that it has read': [
    'law 26:',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const { lastSeenAt: _, ...row } = (await store.find(id)) ?? newSession()
        await later()
        return store.change(id, fromGeneration, { ...row, ...changes })
      },
    }),
  ],
  'a change that leaves the generation is applied to any': [
    'law 26:',
    (store) => ({
      async change(id, fromGeneration, changes) {
        const isFirst = (await store.find(id))?.generation === fromGeneration
        await later()
        return isFirst && changes.generation === undefined
          ? set(store, id, { ...changes, epoch: 0 })
          : store.change(id, fromGeneration, changes)
      },
    }),
  ],
  'a change that leaves the generation fails while another is under way': [
    'law 26:',
    (store) => {
      let underWay = 0
      return {
        async change(id, fromGeneration, changes) {
          if (underWay > 0 && changes.generation === undefined) return false
          underWay += 1
          await later()
          return store.change(id, fromGeneration, changes).finally(() => {
            underWay -= 1
          })
        },
      }
    },
  ],
  'delete ignores the generation': [
    'law 25: a deletion from another',
    (store) => ({ delete: (id) => store.delete(id) }),
  ],
  'delete takes generation 0 for any': [
    'law 25: a deletion from another',
    (store) => ({ delete: (id, fromGeneration) => store.delete(id, fromGeneration || undefined) }),
  ],
  'delete takes every later generation': [
    'law 25: a deletion from another',
    (store) => ({
      async delete(id, fromGeneration) {
        const { generation = 0 } = (await store.find(id)) ?? {}
        return store.delete(id, fromGeneration && Math.min(generation, fromGeneration))
      },
    }),
  ],
  'delete checks the generation before it deletes': [
    'law 25: of simultaneous changes',
    (store) => ({
      async delete(id, fromGeneration) {
        const { generation } = (await store.find(id)) ?? {}
        await later()
        return (fromGeneration === undefined || generation === fromGeneration) && store.delete(id)
      },
    }),
  ],
  'reads do not see a change': [
    'law 20:',
    (store) => {
      const before = new Map<string, Session | null>()
      return {
        async change(id, ...given) {
          before.set(id, await store.find(id))
          return store.change(id, ...given)
        },
        async find(id) {
          const old = before.get(id)
          before.delete(id)
          return old ?? store.find(id)
        },
      }
    },
  ],
  'a closed store still changes': [
    'law 15:',
    (store) => ({ ...closable(store, () => {}), change: store.change }),
  ],
  'a user is changed together with a session, but the session is not': [
    'law 18: a user is changed together with a session',
    together((store, id, { change, ...rest }) =>
      changeSessions(store, id, change ? { ...rest, create: undefined } : rest),
    ),
  ],
  'isChanged is always false': [
    'law 18: a user is changed together with a session',
    together(async (...given) => ({ ...(await changeSessions(...given)), isChanged: false })),
  ],
  'isChanged is always true': [
    'law 18: a change that fails',
    together(async (...given) => ({ ...(await changeSessions(...given)), isChanged: true })),
  ],
  'a session is created whatever became of the change': [
    'law 18: a change that fails',
    together(async (store, id, { create, ...rest }) => {
      const made = await changeSessions(store, id, rest)
      return create ? { ...made, isCreated: true, count: await store.create(create) } : made
    }),
  ],
  'a session of another user is changed': [
    'law 18: a change that fails',
    together(async (store, id, { change, create, ...rest }) => {
      const isChanged =
        change !== undefined && (await store.change(change.id, change.fromGeneration, change.changes))
      const made = await changeSessions(store, id, isChanged ? { create, ...rest } : rest)
      return { ...made, isChanged }
    }),
  ],
  'a user whose session isn’t changed is not changed either': [
    'law 18: a change that fails',
    updatesBy((users, store) => async (id, changes, version, messages, sessions) => {
      const made = await changeSessions(store, id, sessions)
      if (sessions.change && !made.isChanged) return null
      const user = await users.update(id, changes, version, messages)
      return user && { user, ...made }
    }),
  ],
  'a session is changed before its user': [
    'law 18: where the user isn’t changed',
    updatesBy((users, store) => async (id, changes, version, messages, sessions) => {
      const made = await changeSessions(store, id, sessions)
      const user = await users.update(id, changes, version, messages)
      return user && { user, ...made }
    }),
  ],
  'the changed session is deleted with the others': [
    'law 18: the end of the other sessions',
    together(async (store, id, { create, deleteOthers, ...rest }) => {
      const { isChanged } = await changeSessions(store, id, rest)
      return { ...(await changeSessions(store, id, { create, deleteOthers })), isChanged }
    }),
  ],
  'a session that was to be changed is spared, whether or not it was': [
    'law 18: the end of the other sessions',
    together(async (store, id, { deleteOthers, ...rest }) => {
      if (deleteOthers) await store.deleteByUser(id, rest.change?.id)
      return changeSessions(store, id, rest)
    }),
  ],
  'a change together with the user reads before it writes': [
    'law 18: of a change with the user',
    updatesBy((users, store) => async (id, changes, version, messages, { change, ...rest }) => {
      const session = await store.find(change?.id ?? '-')
      const user = await users.update(id, changes, version, messages)
      await later()
      if (user === null || !change || session?.generation !== change.fromGeneration)
        return user && { user, isChanged: false, isCreated: false, count: undefined }
      await set(store as ChangingStore, change.id, change.changes)
      return { user, ...(await changeSessions(store, id, rest)), isChanged: true }
    }),
  ],
  'a session that goes on comes back after its user has logged out': [
    'law 18: a session that is deleted while',
    updatesBy((users, store) => async (id, changes, version, messages, { change, ...rest }) => {
      const session = await store.find(change?.id ?? '-')
      const user = await users.update(id, changes, version, messages)
      await later()
      if (user === null || !change || session === null)
        return user && { user, isChanged: false, isCreated: false, count: undefined }
      await store.delete(session.id)
      await store.create({ ...session, ...(change.changes as Partial<Session>) })
      return { user, ...(await changeSessions(store, id, rest)), isChanged: true }
    }),
  ],
  'a session begins though its user has logged out': [
    'law 18: a session that is deleted while',
    together(async (store, id, { create, ...rest }) => {
      const { isChanged } = await changeSessions(store, id, rest)
      return { ...(await changeSessions(store, id, { create })), isChanged }
    }),
  ],
}

for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test.concurrent(`detected by ${law}: ${fault}`, async () => {
    const cases = sessionStoreCases(() => {
      const store = createMemorySessionStore() as ChangingStore
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })
}

/** Changes a session of any generation. */
async function set(store: ChangingStore, id: string, changes: SessionUpdate): Promise<boolean> {
  const session = await store.find(id)
  return session !== null && store.change(id, session.generation, changes)
}

/** Users beside the sessions: with each change of a user, the sessions are changed like this. */
function together(
  changeSessions: (
    store: ChangingStore,
    userId: string,
    sessions: SessionChanges,
  ) => Promise<{ isChanged: boolean; isCreated: boolean; count: number | undefined }>,
): Fault {
  return updatesBy((users, store) => async (id, changes, version, messages, sessions) => {
    const user = await users.update(id, changes, version, messages)
    return user && { user, ...(await changeSessions(store as ChangingStore, id, sessions)) }
  })
}

function changesByReference(store: ChangingStore): Partial<ChangingStore> {
  const given = new Map<string, SessionUpdate>()
  return {
    async change(id, fromGeneration, changes) {
      given.set(id, changes)
      return store.change(id, fromGeneration, changes)
    },
    async find(id) {
      const session = await store.find(id)
      const { methods } = given.get(id) ?? {}
      return session && { ...session, ...(methods && { methods }) }
    },
  }
}
