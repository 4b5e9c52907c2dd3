import { changeSessions } from '@fastify-accounts/test-support/one-database'
import { closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import {
  closable,
  createMemorySessionStore,
  createMemoryUserStore,
  InvalidArgumentError,
  type Session,
  type SessionChanges,
  type SessionState,
  type SessionUpdate,
  type SessionStore as Store,
  UnavailableError,
  type UpdateWithSessions,
  type UserStore,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { newSession, runCases, sessionStoreCases } from '../../src/index.js'
import { compared } from '../../src/suites/sessions.js'
import { failing } from './failing.js'
import {
  detects,
  each,
  fails,
  forEach,
  given,
  hides,
  type Mistake,
  type Mistakes,
  type Mutations,
  ofText,
  overdue,
  rarely,
  remembers,
  result,
  says,
  second,
  whenever,
  without,
} from './mutations.js'
import { updateBoth, updatesBy } from './users-beside-sessions.js'

const create = (): Store => ({ ...createMemorySessionStore(), now: async () => new Date() })
const broken = (mutate: (store: Store) => Store) => sessionStoreCases(() => mutate(create()))
const isAs = (session: Session | null, from: SessionState) =>
  compared.every((field) => session?.[field] === from[field])
const moves = (changes: SessionUpdate) => compared.some((field) => changes[field] !== undefined)
/** Changes a session in any state. */
const set = async (store: Store, id: string, changes: SessionUpdate): Promise<boolean> => {
  const session = await store.find(id)
  return session !== null && store.change(id, session, changes)
}
/** Deletes a session and creates it again, changed. */
const rewrite = async (store: Store, session: Session, changes: object): Promise<true> => {
  await store.delete(session.id)
  await store.create({ ...session, ...changes })
  return true
}
const whole = (time: Date) => new Date(Math.floor(Number(time) / 1000) * 1000)
const keeps = (other: (session: Session) => object): Mistake<Store, 'create'> =>
  given((session) => ({ ...session, ...other(session) }))
/** A touch that works on the session as it was read before. */
const touches =
  (
    then: (
      store: Store,
      session: Session,
      seen: Parameters<Store['touch']>[1],
      call: Store['touch'],
    ) => unknown,
  ) =>
  (call: Store['touch'], store: Store): Store['touch'] =>
  async (id, seen) => {
    const session = await store.find(id)
    if (session === null) return false
    return (await then(store, session, seen, call)) !== false
  }
const readsThenWrites = touches(async (store, session, seen) => {
  await later()
  return rewrite(store, session, seen)
})
/** Every twentieth session touched or changed after its deletion is created again. */
const resurrects: Mistakes<Store> = (store) => {
  const isRare = rarely()
  const gone = new Set<string>()
  const revive = async (id: string): Promise<false> => {
    if (!gone.has(id) && isRare(id)) await store.create(newSession({ id }))
    gone.add(id)
    return false
  }
  const late = async <Done>(call: () => Promise<Done>, id: string) => {
    await null
    return (await call()) || revive(id)
  }
  return {
    touch: (id, seen) => late(() => store.touch(id, seen), id),
    change: (id, ...rest) => late(() => store.change(id, ...rest), id),
  }
}
const oneInTwenty = (keyOf: (...given: unknown[]) => string) => {
  return <Call extends Store['delete'] | Store['change']>(call: Call, _: Store, isRare = rarely()): Call =>
    (async (...all: Parameters<Call>) =>
      (await (call as (...all: unknown[]) => Promise<boolean>)(...all)) || isRare(keyOf(...all))) as never
}

/** Sessions are changed with their user by another update. */
const both = (update: (users: UserStore, store: Store) => UpdateWithSessions): Mistakes<Store> =>
  updatesBy(update)
type Changed = Awaited<ReturnType<typeof changeSessions>>
/** With each change of a user, the sessions are changed like this. */
const together = (
  change: (store: Store, userId: string, sessions: SessionChanges) => Promise<Changed>,
): Mistakes<Store> =>
  both((users, store) => async (id, changes, version, messages, sessions) => {
    const user = await users.update(id, changes, version, messages)
    return user && { user, ...(await change(store, id, sessions)) }
  })
type Change = NonNullable<SessionChanges['change']>
/** The session is changed like this; all else is right. */
const changes = (
  other: (store: Store, userId: string, change: Change) => Promise<boolean>,
): Mistakes<Store> =>
  together(async (store, userId, { change, ...rest }) => {
    const isChanged = change !== undefined && (await other(store, userId, change))
    const spared = change && { ...change, changes: {} }
    return { ...(await changeSessions(store, userId, { ...rest, change: spared })), isChanged }
  })
/** Something else is done, or said to be. */
const makes = (
  other: (sessions: SessionChanges) => SessionChanges,
  said: Partial<Changed> = {},
): Mistakes<Store> =>
  together(async (store, id, sessions) => ({
    ...(await changeSessions(store, id, other(sessions))),
    ...said,
  }))
const as = (sessions: SessionChanges) => sessions
/** A user is changed; a moment later the session, as it was read before. */
const readsFirst = (
  write: (store: Store, session: Session, change: Change) => Promise<boolean> | boolean,
): Mistakes<Store> =>
  both((users, store) => async (id, changes, version, messages, { change, ...rest }) => {
    const session = await store.find(change?.id ?? '-')
    const user = await users.update(id, changes, version, messages)
    await later()
    if (user === null) return null
    const isChanged = change && session ? await write(store, session, change) : false
    return { user, ...(await changeSessions(store, id, rest)), isChanged }
  })
const firstSessions = both((users, store) => async (id, changes, version, messages, sessions) => {
  const made = await changeSessions(store, id, sessions)
  const user = await users.update(id, changes, version, messages)
  return user && { user, ...made }
})

const mutations: Mutations<Store> = {
  'law 1:': {
    create: { 'times lose their milliseconds': keeps(({ createdAt }) => ({ createdAt: whole(createdAt) })) },
  },
  'law 1: the details': {
    create: {
      'they are stored in part': keeps(({ details }) => ({
        details: details && { ...details, ip: details.ip ?? '' },
      })),
    },
    touch: {
      'they are dropped': touches((store, session, seen) =>
        rewrite(store, session, { ...seen, details: null }),
      ),
    },
  },
  'law 1: how and when': {
    create: {
      'methods are lost': keeps(() => ({ methods: ['pwd'] })),
      'all are confirmed': keeps(({ confirmedAt, createdAt }) => ({ confirmedAt: confirmedAt ?? createdAt })),
      'the time before is lost': keeps(() => ({ priorConfirmedAt: null })),
      'confirmations aren’t counted': keeps(() => ({ confirmation: 0 })),
    },
  },
  'law 1: the kind and name': {
    create: {
      'all are cookies': keeps(() => ({ kind: 'cookie' })),
      'an empty name becomes none': keeps(({ name }) => ({ name: name || null })),
      'two generations are in each other’s column': keeps(({ seenGeneration, baseGeneration }) => ({
        ...{ seenGeneration: baseGeneration, baseGeneration: seenGeneration },
      })),
      'a next base of 0 is none': keeps(({ nextBase }) => ({ nextBase: nextBase || null })),
      'the window has no end': keeps(() => ({ settlesAt: null })),
    },
  },
  'law 2:': {
    find: { 'it returns the record itself': remembers },
    several: {
      'change keeps its arguments': (store) => {
        const known = new Map<string, SessionUpdate>()
        return {
          async change(id, from, changes) {
            known.set(id, changes)
            return store.change(id, from, changes)
          },
          async find(id) {
            const session = await store.find(id)
            const { methods } = known.get(id) ?? {}
            return session && { ...session, ...(methods && { methods }) }
          },
        }
      },
    },
  },
  'law 3: a missing session': {
    find: { 'it is undefined': result((session) => session ?? (undefined as never)) },
    change: { 'always yes': result((isChanged) => isChanged || true) },
  },
  'law 3: ids and user ids': {
    find: { 'in any case': given((id) => ofText((text) => text.toLowerCase())(id)) },
  },
  'law 3: anything but well-formed': {
    find: { 'keys may be of any type': hides(null) },
    change: { 'keys may be of any type': hides(false) },
  },
  'law 4:': {
    create: {
      'expired ones are returned': keeps(({ expiresAt }) => ({
        expiresAt: new Date(Number(expiresAt) + 60_000),
      })),
    },
  },
  'law 5: no second session': {
    create: {
      'it replaces the first': (call, store) => async (session) => {
        if (await store.find(session.id).catch(() => null)) await store.delete(session.id)
        return call(session)
      },
      'it says that the store is out': (call) => (session) =>
        call(session).catch((error: Error) => {
          throw new UnavailableError(error.message)
        }),
    },
  },
  'law 5: touch doesn’t revive': {
    touch: {
      'it does': (call, store) => async (id, seen) => {
        if (!(await call(id, seen))) await store.create({ ...newSession({ id }), ...seen })
        return true
      },
    },
    delete: { 'always yes': result((isDeleted) => isDeleted || true) },
  },
  'law 5: a deletion stands': {
    touch: { 'it reads before it writes': readsThenWrites },
    several: { 'one in twenty is revived': resurrects },
  },
  'law 6: simultaneous calls don’t revive': {
    touch: { 'it reads before it writes': readsThenWrites },
    several: { 'one in twenty is revived': resurrects },
  },
  'law 6: deleteByUser ends': {
    deleteByUser: {
      'ids match by prefix': (call) => async (userId, exceptId) => {
        if (userId === 'user-1') await call('user-10')
        return call(userId, exceptId)
      },
      'it does not count': result(() => 0),
    },
  },
  'law 6: deleteByUser spares': { deleteByUser: { 'it spares none': second(() => undefined) } },
  'law 6: simultaneous deletions': {
    deleteByUser: {
      'it counts before it deletes': (call, store) => async (userId, exceptId) => {
        const sessions = await store.listByUser(userId)
        await later()
        await call(userId, exceptId)
        return sessions.filter(({ id }) => id !== exceptId).length
      },
    },
    delete: { 'one in twenty has two winners': oneInTwenty(String) },
  },
  'law 7: touch moves the two times': {
    touch: {
      'it writes every given field': touches((store, session, seen) =>
        rewrite(store, session, { ...seen, id: session.id }),
      ),
    },
  },
  'law 7: touch moves the end': {
    touch: {
      'it only extends it': touches((_, { id, expiresAt }, seen, call) =>
        call(id, { ...seen, expiresAt: new Date(Math.max(Number(expiresAt), Number(seen.expiresAt))) }),
      ),
    },
  },
  'law 8:': {
    touch: {
      'one time after the other': (call, store) => {
        let turn = 0
        return touches(async (_, session, { lastSeenAt, expiresAt }) => {
          await call(session.id, { ...session, lastSeenAt })
          turn += 1
          for (let wait = turn % 7; wait > 0; wait--) await later()
          const now = (await store.find(session.id)) ?? session
          return call(session.id, { expiresAt, lastSeenAt: now.lastSeenAt })
        })(call, store)
      },
    },
  },
  'law 11:': {
    create: { 'ids are cut': keeps(({ id }) => ({ id: ofText((text) => text.slice(0, 255))(id) })) },
  },
  'law 13:': {
    deleteExpired: {
      'all go': given(() => new Date(8.64e15)),
      'none goes, but some are counted': says(25),
      'none goes': says(0),
    },
  },
  'law 14:': {
    listByUser: {
      'it is empty': says([]),
      'the oldest is first': result((sessions) => sessions.toReversed()),
    },
    several: {
      'expired ones are listed': (store) => {
        const all: Session[] = []
        return {
          create: async (session) => {
            all.push(session)
            return store.create(session)
          },
          listByUser: async (userId) => [
            ...all.filter((one) => one.userId === userId && Number(one.expiresAt) < Date.now()),
            ...(await store.listByUser(userId)),
          ],
        }
      },
    },
  },
  'law 14: a hundred': {
    listByUser: {
      'it ends there': result((sessions) => sessions.slice(0, 100)),
      'ages are sorted as text': result((sessions) => {
        const age = ({ createdAt }: Session) => `${Date.now() - Number(createdAt)}`
        return sessions.toSorted((one, other) => (age(one) < age(other) ? -1 : 1))
      }),
    },
    deleteByUser: {
      'it ends a portion': (_, store) => async (userId, exceptId) => {
        const ended = (await store.listByUser(userId)).filter(({ id }) => id !== exceptId).slice(0, 25)
        return (await Promise.all(ended.map(({ id }) => store.delete(id)))).filter(Boolean).length
      },
    },
  },
  'law 14: a number': {
    create: {
      'it is that of all users':
        (call, _, made = { count: 0 }) =>
        async (session) => {
          await call(session)
          made.count += 1
          return made.count
        },
      'it is that of rows': result(() => 1),
    },
  },
  'law 15:': {
    several: {
      'close does not wait': (store) => closesBadly(store, { waits: false }),
      'close works only once': (store) => closesBadly(store, { twice: false }),
      'a closed store still works': (store) => closesBadly(store, { rejects: false }),
      'a closed store still changes': (store) => ({ ...closable(store, () => {}), change: store.change }),
    },
  },
  'law 17:': {
    several: {
      'a session and its user in one call, though it has expired': (store) => {
        const users = createMemoryUserStore()
        const known = new Map<string, Session>()
        const find = async (id: string) => {
          const session = known.get(id)
          return session ? { session, user: await users.findById(session.userId) } : null
        }
        return {
          async create(session) {
            known.set(session.id, structuredClone(session))
            await store.create(session)
          },
          withUsers: { users, find },
        }
      },
    },
  },
  'law 18: a user is changed together with a new': {
    several: {
      'two writes, the session last': makes(as),
      'at any version': both((users, store) => async (id, changes, _, messages, sessions) => {
        const user = await users.update(id, changes, (await users.findById(id))?.version ?? 0, messages)
        return user && { user, ...(await changeSessions(store, id, sessions)) }
      }),
      'none is created': makes((sessions) => without(sessions, 'create'), { count: 1 }),
      'those of others are counted': makes(as, { count: 7 }),
    },
  },
  'law 18: a user is changed together with the end': {
    several: {
      'isChanged is always true': makes(as, { isChanged: true }),
      'the others are kept': makes((sessions) => without(sessions, 'deleteOthers')),
      'the others always end': makes((sessions) => ({ ...sessions, deleteOthers: true })),
      'the new one ends with them': together(async (store, id, { create: made, ...rest }) => {
        const count = made && (await store.create(made))
        return { ...(await changeSessions(store, id, rest)), count }
      }),
    },
  },
  'law 18: one of several simultaneous logins': {
    several: { 'two writes, the session first': firstSessions },
  },
  'law 18: a user is changed together with a session': {
    several: {
      'but the session is not': makes((sessions) => without(sessions, 'change')),
      'but no other begins': makes((sessions) => (sessions.change ? without(sessions, 'create') : sessions)),
      'isChanged is always false': makes(as, { isChanged: false }),
    },
  },
  'law 18: a change that fails': {
    several: {
      'isChanged is always true': makes(as, { isChanged: true }),
      'no session begins': together(async (store, id, { create: made, ...rest }) => {
        const done = await changeSessions(store, id, rest)
        return rest.change && !done.isChanged ? done : changeSessions(store, id, { create: made })
      }),
      'one of another user is changed': changes((store, _, { id, from, changes }) =>
        store.change(id, from, changes),
      ),
      ...forEach(compared, (field) =>
        changes(async (store, userId, { id, from, changes }) => {
          const session = await store.find(id)
          return session?.userId === userId && store.change(id, { ...from, [field]: session[field] }, changes)
        }),
      ),
      'the user isn’t changed either': both(
        (users, store) => async (id, changes, version, messages, sessions) => {
          const made = await changeSessions(store, id, sessions)
          if (sessions.change && !made.isChanged) return null
          const user = await users.update(id, changes, version, messages)
          return user && { user, ...made }
        },
      ),
    },
  },
  'law 18: where the user isn’t changed': { several: { 'the session is': firstSessions } },
  'law 18: the end of the other sessions': {
    several: {
      'the changed one ends with them': together(
        async (store, id, { create: made, deleteOthers, ...rest }) => {
          const { isChanged } = await changeSessions(store, id, rest)
          return { ...(await changeSessions(store, id, { create: made, deleteOthers })), isChanged }
        },
      ),
      'one that was not changed ends with them': together(async (store, id, { create: made, ...rest }) => {
        const done = await changeSessions(store, id, rest)
        if (rest.deleteOthers && !done.isChanged) await store.deleteByUser(id)
        return { ...done, count: made && (await store.create(made)) }
      }),
    },
  },
  'law 18: of a change with the user': {
    several: {
      'it reads before it writes': readsFirst((store, session, { id, from, changes }) =>
        isAs(session, from) ? set(store, id, changes) : false,
      ),
    },
  },
  'law 18: a session that is deleted while': {
    several: {
      'it comes back': readsFirst((store, session, { changes }) => rewrite(store, session, changes)),
    },
  },
  'law 20:': {
    several: {
      'reads do not see a change': (store) => {
        const before = new Map<string, Session | null>()
        return {
          async change(id, ...rest) {
            before.set(id, await store.find(id))
            return store.change(id, ...rest)
          },
          async find(id) {
            const old = before.get(id)
            before.delete(id)
            return old ?? store.find(id)
          },
        }
      },
    },
  },
  'law 21:': {
    now: {
      'it is in seconds': result((time) => new Date(Number(time) / 1000)),
      'it is no Date': result((time) => Number(time) as never),
      'it stands still':
        (_call, _store, time = new Date()) =>
        async () =>
          time,
    },
  },
  'law 22: change applies': {
    change: {
      ...forEach(
        [
          ...['name', 'epoch', 'lastSeenAt', 'expiresAt', 'details', 'methods', 'confirmedAt'],
          ...['priorConfirmedAt', 'confirmation', 'generation', 'seenGeneration', 'baseGeneration'],
          ...['nextBase', 'settlesAt'],
        ],
        (field): Mistake<Store, 'change'> =>
          (call) =>
          (id, from, changes) =>
            call(id, from, without(changes, field)),
      ),
      'it clears what it is not given': (call) => (id, from, changes) =>
        call(id, from, { name: null, ...changes }),
      'it changes the other sessions': (call, store) => async (id, from, changes) => {
        const isChanged = await call(id, from, changes)
        const { userId } = (await store.find(id)) ?? {}
        for (const other of isChanged && userId ? await store.listByUser(userId) : [])
          if (other.id !== id) await set(store, other.id, changes)
        return isChanged
      },
    },
  },
  'law 22: change leaves absent': {
    change: {
      'undefined clears': (call) => (id, from, changes) =>
        call(id, from, 'name' in changes ? { ...changes, name: changes.name ?? null } : changes),
      'null leaves': (call) => (id, from, changes) =>
        call(id, from, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))),
      'a change of nothing fails': (call) => async (id, from, changes) =>
        Object.keys(changes).length > 0 && call(id, from, changes),
    },
  },
  'law 22: a session keeps its id': {
    change: {
      'every given field is written': (call, store) => async (id, from, changes) => {
        const session = await store.find(id)
        const isChanged = await call(id, from, changes)
        if (!isChanged || session === null || !('userId' in changes)) return isChanged
        return rewrite(store, session, { ...changes, id })
      },
    },
  },
  'law 22: change does nothing to a session in another': {
    change: {
      ...forEach(compared, (field): Mistake<Store, 'change'> => {
        return (call, store) => async (id, from, changes) => {
          const session = await store.find(id)
          return call(id, { ...from, [field]: session?.[field] }, changes)
        }
      }),
      'it compares only what it changes': (call, store) => async (id, from, changes) => {
        const session = await store.find(id)
        const others = compared.filter((field) => changes[field] === undefined)
        return call(
          id,
          { ...from, ...Object.fromEntries(others.map((field) => [field, session?.[field]])) },
          changes,
        )
      },
      'it takes every earlier one': (call, store) => async (id, from, changes) => {
        const { generation = from.generation } = (await store.find(id)) ?? {}
        return call(id, { ...from, generation: Math.max(generation, from.generation) }, changes)
      },
    },
    several: {
      'it renews an expired one': (store) => {
        const created = new Map<string, Session>()
        return {
          create: (session) => {
            created.set(session.id, session)
            return store.create(session)
          },
          async change(id, from, changes) {
            if (await store.find(id)) return store.change(id, from, changes)
            const session = created.get(id)
            if (session === undefined || session.expiresAt > new Date()) return false
            await store.deleteExpired(new Date())
            return rewrite(store, session, changes)
          },
        }
      },
    },
  },
  'law 22: exactly one of 20': {
    change: {
      'it reads before it writes': (_, store) => async (id, from, changes) => {
        if (!isAs(await store.find(id), from)) return false
        await later()
        return set(store, id, changes)
      },
      'one that loses writes some fields':
        (call, store) =>
        async (id, from, { methods, ...changes }) => {
          if (methods !== undefined) await set(store, id, { methods })
          return call(id, from, changes)
        },
      'one in twenty has two winners': oneInTwenty((id, from) => `${id} ${JSON.stringify(from)}`),
    },
  },
  'law 22: change moves the end': {
    change: {
      'it only extends it':
        (call, store) =>
        async (id, from, { expiresAt, ...changes }) => {
          const isLater = expiresAt && expiresAt > ((await store.find(id))?.expiresAt ?? expiresAt)
          return call(id, from, { ...changes, ...(isLater && { expiresAt }) })
        },
    },
  },
  'law 23:': {
    change: {
      'it brings a deleted one back': (call, store) => async (id, from, changes) => {
        const session = await store.find(id)
        if (session === null || !isAs(session, from)) return false
        await later()
        if (!(await call(id, from, changes)) && (await store.find(id)) === null)
          await store.create({ ...session, ...(changes as Partial<Session>) })
        return true
      },
      'a deleted one can be changed': result((isChanged, _id, from) => isChanged || from.generation === 1),
    },
    several: { 'one in twenty is revived': resurrects },
  },
  'law 24:': {
    touch: {
      'it writes the row that it has read': (call, store) => async (id, seen) => {
        const before = await store.find(id)
        await later()
        const isThere = await call(id, seen)
        if (isThere && before) await set(store, id, { ...before, ...seen })
        return isThere
      },
    },
    change: {
      'it writes the row that it has read': (call, store) => async (id, from, changes) => {
        const { lastSeenAt, expiresAt } = (await store.find(id)) ?? newSession()
        await later()
        return call(id, from, { lastSeenAt, expiresAt, ...changes })
      },
    },
  },
  'law 25:': {
    change: {
      'it writes the row that it has read': (call, store) => async (id, from, changes) => {
        const row = without((await store.find(id)) ?? newSession(), 'lastSeenAt')
        await later()
        return call(id, from, { ...row, ...changes })
      },
      'what leaves the state is applied to any': (call, store) => async (id, from, changes) => {
        const isFirst = isAs(await store.find(id), from)
        await later()
        return isFirst && !moves(changes) ? set(store, id, { ...changes, epoch: 0 }) : call(id, from, changes)
      },
      'what leaves the state fails beside another':
        (call, _, underWay = { count: 0 }) =>
        async (id, from, changes) => {
          if (underWay.count > 0 && !moves(changes)) return false
          underWay.count += 1
          await later()
          return call(id, from, changes).finally(() => {
            underWay.count -= 1
          })
        },
    },
  },
  'law 27: a call after its deadline': {
    several: { 'all are made': each(['create', 'touch', 'change', 'delete', 'deleteByUser'], whenever) },
  },
  'law 27: a call whose deadline': {
    several: { 'it is rejected, and made': each(['create', 'delete'], overdue) },
  },
  'law 27: nor does a change of a user': {
    several: {
      'it is made late': (store) => {
        const { withUsers } = updatesBy(updateBoth)(store)
        return withUsers?.update ? { withUsers: { ...withUsers, update: whenever(withUsers.update) } } : {}
      },
    },
  },
}
detects(broken, mutations, { atOnce: true })

/** What a store may make of an outage. */
const outages: Mutations<Store> = {
  'law 12:': {
    find: { 'a session is missing': hides(null) },
    delete: { 'a session is gone': hides(true) },
    listByUser: { 'there are none': hides([]) },
    touch: { 'the argument is invalid': fails(() => new InvalidArgumentError('id')) },
  },
}
const unavailable = (mutate: (store: Store) => Store) => {
  const { fail, over } = failing()
  return sessionStoreCases(() => mutate(over(create())), { fail })
}
detects(unavailable, outages, { atOnce: true })
test.concurrent('a store whose database fails passes the law about outages', async () => {
  const own = unavailable((store) => store).filter(({ name }) => name.startsWith('law 12:'))
  expect((await runCases(own, () => undefined)).failures).toEqual([])
})

detects<Store>(
  () =>
    sessionStoreCases(() => {
      const store = create()
      const find = remembers(store.find)
      return [store, { ...store, find: async (id) => structuredClone(await find(id)) }]
    }),
  { 'law 20:': { several: { 'one of two handles remembers': () => ({}) } } },
)

test.concurrent.each<[string, () => Store, notChecked?: string[]]>([
  ['closes correctly', () => closable(create(), () => {})],
  [
    'changes sessions together with their users',
    () => {
      const store = create()
      return closable({ ...store, ...updatesBy(updateBoth)(store) }, () => {})
    },
    ['fail'],
  ],
  [
    'has neither users nor a clock',
    () => closable(without(create(), 'now'), () => {}),
    ['now', 'withUsers', 'withUsers.update', 'fail'],
  ],
  [
    'rejects long ids',
    () => {
      const store = create()
      const short = async (session: Session) => {
        if (session.id?.length > 255) throw new InvalidArgumentError('id is too long')
        return store.create(session)
      }
      return { ...store, create: short }
    },
  ],
])('a store that %s passes all', async (_, make, notChecked) => {
  const { failures, skipped } = await runCases(sessionStoreCases(make), () => undefined)
  expect(failures).toEqual([])
  const reasons = new Set(skipped.map(({ reason }) => reason))
  if (notChecked) expect(reasons).toEqual(new Set(notChecked.map((name) => `not checked: ${name}`)))
})

test('newSession creates sessions that differ in id and last an hour', () => {
  const [one, other] = [newSession(), newSession()]
  expect(one.id).not.toBe(other.id)
  expect(one.id).toMatch(/^[\w-]{43}$/)
  expect(Number(one.expiresAt) - Number(one.createdAt)).toBe(3_600_000)
})
