import { changeSessions } from '@fastify-accounts/test-support/one-database'
import { breaksLaws, closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import {
  assertInTime,
  callBefore,
  callDeadline,
  closable,
  createMemorySessionStore,
  createMemoryUserStore,
  InvalidArgumentError,
  type Session,
  type SessionChanges,
  type SessionStore,
  UnavailableError,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { newSession, runCases, sessionStoreCases } from '../../src/index.js'
import { failing } from './failing.js'
import { updateBoth, updatesBy } from './users-beside-sessions.js'

/** Memory stores with one fault each, and the law that must detect it. */
const sabotages: Record<string, [law: string, fault: (store: SessionStore) => Partial<SessionStore>]> = {
  'a session and its user in one call, including expired ones': [
    'law 17:',
    (store) => {
      const users = createMemoryUserStore()
      const kept = new Map<string, Session>()
      return {
        async create(session) {
          kept.set(session.id, structuredClone(session))
          await store.create(session)
        },
        withUsers: {
          users,
          async find(id) {
            const session = kept.get(id)
            return session ? { session, user: await users.findById(session.userId) } : null
          },
        },
      }
    },
  ],
  'a user and a new session are two writes, the session last': [
    'law 18: a user is changed together with a new',
    updatesBy((users, store) => async (id, changes, version, messages, sessions) => {
      const user = await users.update(id, changes, version, messages)
      return user && { user, ...(await changeSessions(store, id, sessions)) }
    }),
  ],
  'a user and a new session are two writes, the session first': [
    'law 18: one of several simultaneous logins',
    updatesBy((users, store) => async (id, changes, version, messages, sessions) => {
      const made = await changeSessions(store, id, sessions)
      const user = await users.update(id, changes, version, messages)
      return user && { user, ...made }
    }),
  ],
  'a user and their sessions are changed at any version': [
    'law 18: a user is changed together with a new',
    updatesBy((users, store) => async (id, changes, _version, messages, sessions) => {
      const version = (await users.findById(id))?.version ?? 0
      const user = await users.update(id, changes, version, messages)
      return user && { user, ...(await changeSessions(store, id, sessions)) }
    }),
  ],
  ...faultyChanges({
    'no session is created': ['a new', ({ create, ...rest }) => [rest, { isCreated: true, count: 1 }]],
    'isCreated is always true': ['the end', (given) => [given, { isCreated: true }]],
    'the sessions of others are counted': ['a new', (given) => [given, { count: 7 }]],
    'the replaced session is kept': ['the end', ({ replaces, ...rest }) => [rest, {}]],
    'the other sessions are kept': ['the end', ({ deleteOthers, ...rest }) => [rest, {}]],
    'the other sessions are always deleted': ['the end', (given) => [{ ...given, deleteOthers: true }, {}]],
  }),
  'a session replaces one that has ended': [
    'law 18: a user is changed together with the end',
    updatesBy((users, store) => async (id, changes, version, messages, { replaces, ...rest }) => {
      const user = await users.update(id, changes, version, messages)
      if (user !== null && replaces !== undefined) await store.delete(replaces)
      return user && { user, ...(await changeSessions(store, id, rest)) }
    }),
  ],
  'a session replaces one of another user': [
    'law 18: a new session replaces none',
    updatesBy((users, store) => async (id, changes, version, messages, { replaces, ...rest }) => {
      const user = await users.update(id, changes, version, messages)
      if (user === null) return null
      if (replaces === undefined || (await store.delete(replaces)))
        return { user, ...(await changeSessions(store, id, rest)) }
      const { create: _, ...others } = rest
      return { user, ...(await changeSessions(store, id, others)) }
    }),
  ],
  'a list ends after a hundred': [
    'law 14: a hundred',
    (store) => ({ listByUser: async (userId) => (await store.listByUser(userId)).slice(0, 100) }),
  ],
  'a list is sorted as text': [
    'law 14: a hundred',
    (store) => ({
      listByUser: async (userId) =>
        (await store.listByUser(userId)).toSorted((one, other) =>
          `${Date.now() - Number(one.createdAt)}` < `${Date.now() - Number(other.createdAt)}` ? -1 : 1,
        ),
    }),
  ],
  'deleteByUser ends a portion': [
    'law 14: a hundred',
    (store) => ({
      deleteByUser: async (userId, exceptId) => {
        const ended = (await store.listByUser(userId)).filter(({ id }) => id !== exceptId).slice(0, 25)
        const went = await Promise.all(ended.map(({ id }) => store.delete(id)))
        return went.filter(Boolean).length
      },
    }),
  ],
  'no call has a deadline': [
    'law 27: a call after its deadline',
    (store) => ({
      create: (session) => whenever(() => store.create(session)),
      touch: (id, seen) => whenever(() => store.touch(id, seen)),
      delete: (id) => whenever(() => store.delete(id)),
      deleteByUser: (userId) => whenever(() => store.deleteByUser(userId)),
    }),
  ],
  'a call that is rejected as late goes on': [
    'law 27: a call whose deadline',
    (store) => ({
      create: (session) => overdue(() => store.create(session)),
      delete: (id, fromGeneration) => overdue(() => store.delete(id, fromGeneration)),
    }),
  ],
  'a late change of a user and their sessions is made': [
    'law 27: nor does a change of a user',
    (store) => {
      const { withUsers } = updatesBy(updateBoth)(store)
      const update = withUsers?.update
      return {
        withUsers: withUsers && {
          ...withUsers,
          update: (...given) => whenever(async () => (await update?.(...given)) ?? null),
        },
      }
    },
  ],
  'nothing is listed': ['law 14:', () => ({ listByUser: async () => [] })],
  'times lose their milliseconds': [
    'law 1:',
    (store) => ({
      create: (session) => {
        const createdAt = new Date(Math.floor(Number(session.createdAt) / 1000) * 1000)
        return store.create({ ...session, createdAt })
      },
    }),
  ],
  'details are stored in part': [
    'law 1: the details',
    (store) => ({
      create: ({ details, ...session }) =>
        store.create({ ...session, details: details && { ...details, ip: details.ip ?? '' } }),
    }),
  ],
  'touch drops the details': [
    'law 1: the details',
    (store) => ({
      touch: async (id, times) => {
        const session = await store.find(id)
        if (session === null) return false
        await store.delete(id)
        await store.create({
          ...session,
          lastSeenAt: times.lastSeenAt,
          expiresAt: times.expiresAt,
          details: null,
        })
        return true
      },
    }),
  ],
  'the methods are lost': [
    'law 1: how and when',
    (store) => ({ create: (session) => store.create({ ...session, methods: ['pwd'] }) }),
  ],
  'an unconfirmed session becomes confirmed': [
    'law 1: how and when',
    (store) => ({
      create: (session) =>
        store.create({ ...session, confirmedAt: session.confirmedAt ?? session.createdAt }),
    }),
  ],
  'every session is a cookie': [
    'law 1: the kind and name',
    (store) => ({ create: (session) => store.create({ ...session, kind: 'cookie' }) }),
  ],
  'an empty name becomes none': [
    'law 1: the kind and name',
    (store) => ({ create: (session) => store.create({ ...session, name: session.name || null }) }),
  ],
  'two generations are in each other’s column': [
    'law 1: the kind and name',
    (store) => ({
      create: (session) => {
        const { seenGeneration, confirmedGeneration } = session
        return store.create({
          ...session,
          seenGeneration: confirmedGeneration,
          confirmedGeneration: seenGeneration,
        })
      },
    }),
  ],
  'what a session goes on as is dropped': [
    'law 1: the kind and name',
    (store) => ({ create: (session) => store.create({ ...session, retiredBy: null }) }),
  ],
  'find returns the record itself': [
    'law 2:',
    (store) => {
      const handedOut = new Map<string, Session | null>()
      return {
        find: async (id) => {
          const found = handedOut.get(id) ?? (await store.find(id))
          handedOut.set(id, found)
          return found
        },
      }
    },
  ],
  'a missing session is undefined': [
    'law 3: a missing session',
    (store) => ({ find: async (id) => (await store.find(id)) ?? (undefined as unknown as null) }),
  ],
  'ids are case-insensitive': [
    'law 3: ids and user ids',
    (store) => ({ find: async (id) => store.find(typeof id === 'string' ? id.toLowerCase() : id) }),
  ],
  'keys of any type are looked up': [
    'law 3: anything but well-formed',
    (store) => ({ find: async (id) => store.find(id).catch(() => null) }),
  ],
  'expired sessions are returned': [
    'law 4:',
    (store) => ({
      create: (session) =>
        store.create({ ...session, expiresAt: new Date(Number(session.expiresAt) + 60_000) }),
    }),
  ],
  'expired sessions are listed': ['law 14:', listExpired],
  'a second session replaces the first': [
    'law 5: no second session',
    (store) => ({
      create: async (session) => {
        if (await store.find(session.id).catch(() => null)) await store.delete(session.id)
        return store.create(session)
      },
    }),
  ],
  'touch revives a session': ['law 5: touch doesn’t revive', touchCreates],
  'touch reads before it writes': ['law 5: a deletion stands', touchReadsThenWrites],
  'touch reads before it writes, with deleteByUser': [
    'law 6: simultaneous calls don’t revive',
    touchReadsThenWrites,
  ],
  'delete always returns true': [
    'law 5: touch doesn’t revive',
    (store) => ({ delete: async (id) => (await store.delete(id)) || true }),
  ],
  'deleteByUser matches ids by prefix': [
    'law 6: deleteByUser ends',
    (store) => ({
      deleteByUser: async (userId, exceptId) => {
        if (userId === 'user-1') await store.deleteByUser('user-10')
        return store.deleteByUser(userId, exceptId)
      },
    }),
  ],
  'deleteByUser does not count': [
    'law 6: deleteByUser ends',
    (store) => ({
      deleteByUser: async (userId, exceptId) => {
        await store.deleteByUser(userId, exceptId)
        return 0
      },
    }),
  ],
  'deleteByUser ignores the exception': [
    'law 6: deleteByUser spares',
    (store) => ({ deleteByUser: (userId) => store.deleteByUser(userId) }),
  ],
  'deleteByUser counts before it deletes': [
    'law 6: simultaneous deletions',
    (store) => ({
      deleteByUser: async (userId, exceptId) => {
        const sessions = await store.listByUser(userId)
        await later()
        await store.deleteByUser(userId, exceptId)
        return sessions.filter(({ id }) => id !== exceptId).length
      },
    }),
  ],
  'touch writes every given field': ['law 7: touch moves the two times', touchWritesAll],
  'touch only extends the end': [
    'law 7: touch moves the end',
    (store) => ({
      touch: async (id, times) => {
        const session = await store.find(id)
        const expiresAt = session && session.expiresAt > times.expiresAt ? session.expiresAt : times.expiresAt
        return store.touch(id, { ...times, expiresAt })
      },
    }),
  ],
  'touch writes its two times one after the other': ['law 8:', touchTears],
  'ids are cut at 255 characters': [
    'law 11:',
    (store) => ({
      create: (session) => store.create({ ...session, id: cut(session.id), userId: session.userId }),
    }),
  ],
  'deleteExpired deletes everything': [
    'law 13:',
    (store) => ({ deleteExpired: () => store.deleteExpired(new Date(8.64e15)) }),
  ],
  'deleteExpired deletes nothing but returns a count': ['law 13:', () => ({ deleteExpired: async () => 25 })],
  'deleteExpired deletes nothing': ['law 13:', () => ({ deleteExpired: async () => 0 })],
  'the list is oldest first': [
    'law 14:',
    (store) => ({ listByUser: async (userId) => (await store.listByUser(userId)).reverse() }),
  ],
  'create counts the sessions of all users': [
    'law 14: a number',
    (store) => {
      let made = 0
      return {
        create: async (session) => {
          await store.create(session)
          made += 1
          return made
        },
      }
    },
  ],
  'create returns the number of rows it wrote': [
    'law 14: a number',
    (store) => ({
      create: async (session) => {
        await store.create(session)
        return 1
      },
    }),
  ],
  'close does not wait': ['law 15:', (store) => closesBadly(store, { waits: false })],
  'close works only once': ['law 15:', (store) => closesBadly(store, { twice: false })],
  'a closed store still works': ['law 15:', (store) => closesBadly(store, { rejects: false })],
}

test.concurrent('a store whose database fails passes the law about outages', async () => {
  const { fail, over } = failing()
  const cases = sessionStoreCases(() => over(createMemorySessionStore()), { fail })
  const { failures } = await runCases(
    cases.filter(({ name }) => name.startsWith('law 12:')),
    () => undefined,
  )
  expect(failures).toEqual([])
})

test.concurrent.each<[string, (store: SessionStore) => Partial<SessionStore>]>([
  ['a session that cannot be read is missing', ({ find }) => ({ find: (id) => find(id).catch(() => null) })],
  [
    'a session that cannot be ended is gone',
    (store) => ({ delete: (id) => store.delete(id).catch(() => true) }),
  ],
  [
    'sessions that cannot be read are none',
    ({ listByUser }) => ({ listByUser: (id) => listByUser(id).catch(() => []) }),
  ],
  [
    'an outage is an invalid argument',
    (store) => ({
      touch: (id, seen) => store.touch(id, seen).catch(() => Promise.reject(new InvalidArgumentError('id'))),
    }),
  ],
])('detected by law 12: %s', async (_, sabotage) => {
  const { fail, over } = failing()
  const cases = sessionStoreCases(
    () => {
      const store = over(createMemorySessionStore())
      return { ...store, ...sabotage(store) }
    },
    { fail },
  )
  await breaksLaws(cases, 'law 12:')
})

for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test.concurrent(`detected by ${law}: ${fault}`, async () => {
    const cases = sessionStoreCases(() => {
      const store = createMemorySessionStore()
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })
}

test.concurrent('a store that closes correctly passes all', async () => {
  const cases = sessionStoreCases(() => closable(createMemorySessionStore(), () => {}))
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

test.concurrent('a store that changes sessions together with their users passes all', async () => {
  const cases = sessionStoreCases(() => {
    const store = createMemorySessionStore()
    return closable({ ...store, ...updatesBy(updateBoth)(store) }, () => {})
  })
  const { failures, skipped } = await runCases(cases, () => undefined)
  expect(failures).toEqual([])
  expect(skipped.map(({ reason }) => reason)).toEqual(['not checked: fail'])
})

test.concurrent('a store without change passes all but its laws', async () => {
  const cases = sessionStoreCases(() => {
    const { change: _, ...store } = createMemorySessionStore()
    return closable({ ...store, ...updatesBy(updateBoth)(store) }, () => {})
  })
  const { failures, skipped } = await runCases(cases, () => undefined)
  expect(failures).toEqual([])
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['not checked: change', 'not checked: fail']),
  )
})

test.concurrent('a store that rejects long ids passes all', async () => {
  const cases = sessionStoreCases(() => {
    const store = createMemorySessionStore()
    const create = async (session: Session) => {
      if (session.id?.length > 255) throw new InvalidArgumentError('id is too long')
      return store.create(session)
    }
    return { ...store, create }
  })
  expect((await runCases(cases, () => undefined)).failures).toEqual([])
})

test('newSession creates sessions that differ in id and last an hour', () => {
  const [one, other] = [newSession(), newSession()]
  expect(one.id).not.toBe(other.id)
  expect(one.id).toMatch(/^[\w-]{43}$/)
  expect(Number(one.expiresAt) - Number(one.createdAt)).toBe(3_600_000)
})

/** Stores that apply different session changes, or report different results. */
function faultyChanges(
  faults: Record<
    string,
    [
      law: string,
      fault: (
        given: SessionChanges,
      ) => [given: SessionChanges, said: { isCreated?: boolean; count?: number }],
    ]
  >,
): typeof sabotages {
  return Object.fromEntries(
    Object.entries(faults).map(([name, [law, fault]]) => [
      name,
      [
        `law 18: a user is changed together with ${law}`,
        updatesBy((users, store) => async (id, changes, version, messages, sessions) => {
          const user = await users.update(id, changes, version, messages)
          const [given, said] = fault(sessions)
          return user && { user, ...(await changeSessions(store, id, given)), ...said }
        }),
      ],
    ]),
  )
}

/** Makes a call without looking at its deadline. */
function whenever<Result>(call: () => Promise<Result>): Promise<Result> {
  return callBefore(Number.POSITIVE_INFINITY, call)
}

/** Makes a call that takes a while, and rejects if its deadline has passed by then. */
async function overdue<Result>(call: () => Promise<Result>): Promise<Result> {
  assertInTime()
  const deadline = callDeadline()
  await later(2)
  const result = await call()
  if (performance.now() >= deadline) throw new UnavailableError('too late')
  return result
}

function cut(id: unknown): string {
  return typeof id === 'string' ? id.slice(0, 255) : (id as string)
}

function listExpired(store: SessionStore): Partial<SessionStore> {
  const all: Session[] = []
  return {
    create: async (session) => {
      await store.create(session)
      all.push(session)
    },
    listByUser: async (userId) => {
      const live = await store.listByUser(userId)
      const expired = all.filter(
        (session) => session.userId === userId && Number(session.expiresAt) < Date.now(),
      )
      return [...expired, ...live]
    },
  }
}

function touchCreates(store: SessionStore): Partial<SessionStore> {
  return {
    touch: async (id, times) => {
      if (await store.touch(id, times)) return true
      await store.create({ ...newSession({ id }), ...times })
      return true
    },
  }
}

function touchReadsThenWrites(store: SessionStore): Partial<SessionStore> {
  return {
    touch: async (id, times) => {
      const session = await store.find(id)
      if (session === null) return false
      await later()
      await store.delete(id)
      await store.create({ ...session, ...times })
      return true
    },
  }
}

function touchWritesAll(store: SessionStore): Partial<SessionStore> {
  return {
    touch: async (id, times) => {
      const session = await store.find(id)
      if (session === null) return false
      await store.delete(id)
      await store.create({ ...session, ...times, id })
      return true
    },
  }
}

function touchTears(store: SessionStore): Partial<SessionStore> {
  let turn = 0
  return {
    touch: async (id, times) => {
      const session = await store.find(id)
      if (session === null) return false
      await store.touch(id, { ...session, lastSeenAt: times.lastSeenAt })
      turn += 1
      for (let wait = turn % 7; wait > 0; wait--) await later()
      const { lastSeenAt } = (await store.find(id)) ?? session
      return store.touch(id, { expiresAt: times.expiresAt, lastSeenAt })
    },
  }
}
