import type { Session, SessionStore, SessionUpdate } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { among, check, parallelCalls, rounds, same, show } from './checks.js'
import { changing, hour, newSession } from './sessions.js'

/** Laws about `change`, which a store may omit. */
export const sessionStoreChangeLaws: Laws<SessionStore> = {
  'law 22: change applies the given fields, and changes nothing else': changing(async (store) => {
    const other = newSession()
    await store.create(other)
    let session = newSession()
    await store.create(session)
    for (const changes of eachField) {
      same(await store.change(session.id, session.generation, changes), true, `change(${show(changes)})`)
      session = { ...session, ...changes }
      same(await store.find(session.id), session, `the session after change(${show(changes)})`)
    }
    const all = Object.assign({}, ...eachField, { generation: 8 }) as Partial<Session>
    same(await store.change(session.id, session.generation, all), true, 'change() of all fields')
    session = { ...session, ...all }
    const listed = await store.listByUser('user-1')
    same(
      listed.find(({ id }) => id === session.id),
      session,
      'the session after change() of all fields',
    )
    same(await store.find(other.id), other, 'the other session')
  }),

  'law 22: change leaves absent and undefined fields alone, and clears null ones': changing(async (store) => {
    const session = newSession({ name: 'phone', retiredBy: 'another' })
    await store.create(session)
    same(await store.change(session.id, 0, {}), true, 'change() of nothing')
    const unset = Object.fromEntries(Object.keys(session).map((name) => [name, undefined])) as SessionUpdate
    same(await store.change(session.id, 0, unset), true, 'change() with undefined')
    same(await store.find(session.id), session, 'the session after change() with undefined')
    const cleared = { name: null, details: null, methods: null, confirmedAt: null, retiredBy: null }
    same(await store.change(session.id, 0, cleared), true, 'change() with null')
    same(await store.find(session.id), { ...session, ...cleared }, 'the session after change() with null')
  }),

  'law 22: a session keeps its id, its kind, its user and its beginning': changing(async (store) => {
    const session = newSession()
    await store.create(session)
    // More than it takes, as JavaScript callers may pass it.
    const more = newSession({ kind: 'token', userId: 'user-2', createdAt: new Date(1) })
    const { id: _, kind: _kind, userId: _user, createdAt: _created, ...changes } = more
    same(await store.change(session.id, 0, more), true, 'change()')
    same(await store.find(session.id), { ...session, ...changes }, 'the session')
    same(await store.find(more.id), null, 'find() of the other id')
    same(await store.listByUser('user-2'), [], 'the sessions of the other user')
    same((await store.listByUser('user-1')).length, 1, 'the number of the user’s sessions')
  }),

  'law 22: change does nothing to a session of another generation, or one that is over': changing(
    async (store) => {
      const session = newSession({ generation: 3, seenGeneration: 2, confirmedGeneration: 1 })
      await store.create(session)
      for (const generation of [0, 1, 2, 4, -1]) {
        const what = `change() from generation ${generation}`
        same(await store.change(session.id, generation, { generation: 4, name: 'new' }), false, what)
      }
      same(await store.find(session.id), session, 'the session')
      same(await store.change(session.id, 3, { generation: 4 }), true, 'change()')
      same(await store.change(session.id, 3, { generation: 4 }), false, 'change(), once more')

      const expired = newSession({ expiresAt: new Date(Date.now() - 1) })
      await store.create(expired)
      const renewed = { expiresAt: new Date(Date.now() + hour) }
      same(await store.change(expired.id, 0, renewed), false, 'change() of one that has expired')
      same(await store.find(expired.id), null, 'find() of one that has expired')
    },
  ),

  'law 22: exactly one of 20 simultaneous changes from one generation wins': changing(
    async (store, second) => {
      const turn = inTurns(store, second)
      const session = newSession()
      await store.create(session)
      await rounds(20, 5, async (callers, round) => {
        const changes = callers.map((n) => ({
          generation: round + 1,
          name: `${round} ${n}`,
          methods: [`${n}`],
        }))
        const values = await raced(
          changes.map((each, n) => async () => {
            return (await turn(n).change(session.id, round, each)) ? each : null
          }),
        )
        const winners = values.filter((won) => won !== null)
        same(winners.length, 1, 'the number of winners')
        for (const each of [store, second])
          same(await each.find(session.id), { ...session, ...winners[0] }, 'the session')
      })
    },
  ),

  'law 22: change moves the end of a session, also to the past': changing(async (store) => {
    const session = newSession()
    await store.create(session)
    const later = new Date(Date.now() + 2 * hour)
    same(await store.change(session.id, 0, { generation: 1, expiresAt: later }), true, 'change()')
    same(await store.find(session.id), { ...session, generation: 1, expiresAt: later }, 'the session')
    const past = { expiresAt: new Date(Date.now() - 1) }
    same(await store.change(session.id, 1, past), true, 'change() to an end in the past')
    same(await store.find(session.id), null, 'find() of one that has ended')
    same(await store.listByUser('user-1'), [], 'listByUser() of one that has ended')
    same(await store.touch(session.id, newSession()), false, 'touch() of one that has ended')
    same(await store.change(session.id, 1, { expiresAt: later }), false, 'change() of one that has ended')
  }),

  'law 22: a session that goes on as another is found and listed like any': changing(async (store) => {
    const [next, old] = [newSession(), newSession()]
    for (const session of [old, next]) await store.create(session)
    same(await store.change(old.id, 0, { retiredBy: next.id }), true, 'change()')
    const retired: Session = { ...old, retiredBy: next.id }
    same(await store.find(old.id), retired, 'find()')
    const listed = await store.listByUser('user-1')
    same(listed.map(({ id }) => id).toSorted(), [old.id, next.id].toSorted(), 'the ids listed')
    same(await store.touch(old.id, old), true, 'touch()')
    same(await store.find(old.id), retired, 'find() after touch()')
    same(await store.delete(next.id), true, 'delete() of the next one')
    same(await store.find(old.id), retired, 'find() after the next one was deleted')
    same(await store.deleteByUser('user-1'), 1, 'deleteByUser()')
  }),

  'law 23: a deletion stands, whatever changes come then or run at the same time': changing(
    async (store, second) => {
      const turn = inTurns(store, second)
      await rounds(20, 5, async (callers, round) => {
        const session = newSession()
        await store.create(session)
        const changes = callers.map(
          (n) => () => turn(n).change(session.id, 0, { generation: 1, name: `${n}` }),
        )
        const deletion = () =>
          round % 2 ? turn(round).delete(session.id) : turn(round).deleteByUser('user-1')
        await raced<unknown>(among<() => Promise<unknown>>(changes, deletion, round))
        for (const each of [store, second]) {
          for (const generation of [0, 1])
            same(await each.change(session.id, generation, { name: 'x' }), false, 'change() afterwards')
          same(await each.find(session.id), null, 'find()')
          same(await each.listByUser('user-1'), [], 'listByUser()')
        }
      })
    },
  ),

  'law 25: a deletion from another generation deletes nothing': changing(async (store) => {
    const [first, later] = [newSession(), newSession({ generation: 3 })]
    for (const session of [first, later]) await store.create(session)
    same(await store.delete(first.id, 1), false, 'delete() of generation 0 from generation 1')
    for (const generation of [0, 2, 4])
      same(await store.delete(later.id, generation), false, `delete() of generation 3 from ${generation}`)
    for (const session of [first, later]) same(await store.find(session.id), session, 'the session')
    same(await store.delete(first.id, 0), true, 'delete() from generation 0')
    same(await store.find(first.id), null, 'find() of the one of generation 0')
    same(await store.change(later.id, 3, { generation: 4 }), true, 'change()')
    same(await store.delete(later.id, 3), false, 'delete() from the generation before')
    same(await store.delete(later.id, 4), true, 'delete() from its generation')
    same(await store.delete(later.id, 4), false, 'delete(), once more')
    same(await store.listByUser('user-1'), [], 'listByUser()')
    same(await store.delete('nobody', 0), false, 'delete() of nobody')
  }),

  'law 25: of simultaneous changes and deletions from one generation, one wins': changing(
    async (store, second) => {
      const turn = inTurns(store, second)
      await rounds(20, 6, async (callers, round) => {
        const session = newSession({ generation: 2 })
        await store.create(session)
        const changed = { ...session, generation: 3, retiredBy: 'another' }
        const { generation, retiredBy } = changed
        const isDeletion = (n: number) => (n + round) % 2 === 0
        const values = await raced(
          callers.map((n) => async () => {
            const isDone = isDeletion(n)
              ? await turn(n >> 1).delete(session.id, 2)
              : await turn(n >> 1).change(session.id, 2, { generation, retiredBy })
            return isDone ? n : null
          }),
        )
        const [winner, ...others] = values.filter((n) => n !== null)
        check(winner !== undefined && others.length === 0, 'the number of winners is not 1')
        for (const each of [store, second])
          same(await each.find(session.id), isDeletion(winner) ? null : changed, 'the session')
        await store.delete(session.id)
      })
    },
  ),

  'law 26: of simultaneous changes that leave the generation, none undoes another, nor one that advances it':
    changing(async (store, second) => {
      const turn = inTurns(store, second)
      await rounds(parallelCalls, 6, async (callers, round) => {
        const session = newSession({ generation: 2, methods: ['pwd', 'otp', 'mfa'] })
        await store.create(session)
        // What a first use, a retry, a rename and a new end change, each without knowing of the others.
        const kinds: SessionUpdate[] = [
          { seenGeneration: 2 },
          { confirmedAt: null, methods: ['pwd'] },
          { name: 'changed' },
          { expiresAt: new Date(Date.now() + 2 * hour) },
        ]
        const kindOf = (n: number) => kinds[(n + round) % kinds.length] ?? {}
        const alone = callers.map((n) => async () => {
          const isDone = await turn(n).change(session.id, 2, kindOf(n))
          return isDone ? kindOf(n) : null
        })
        const next = { generation: 3, epoch: 7 }
        const advance = async () => ((await turn(round).change(session.id, 2, next)) ? next : null)
        // In every other round the generation stays, so all have to be applied.
        const isAdvanced = round % 2 === 1
        const values = await raced(isAdvanced ? among(alone, advance, round) : alone)
        if (!isAdvanced) same(values.indexOf(null), -1, 'the first call that says false')
        const applied = Object.assign({}, ...values.filter((done) => done !== null)) as Partial<Session>
        for (const each of [store, second])
          same(await each.find(session.id), { ...session, ...applied }, 'the session')
      })
    }),

  'law 24: of a change and simultaneous touches, none undoes another': changing(async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (callers, round) => {
      const session = newSession()
      await store.create(session)
      const seen = { lastSeenAt: new Date(Date.now() + 1234), expiresAt: new Date(Date.now() + 2 * hour) }
      const changes = { generation: 1, name: 'changed', retiredBy: 'another' }
      const touches = callers.map((n) => () => turn(n).touch(session.id, seen))
      const change = () => turn(round).change(session.id, 0, changes)
      const values = await raced(among(touches, change, round))
      same(values.indexOf(false), -1, 'the first call that says false')
      same(await second.find(session.id), { ...session, ...seen, ...changes }, 'the session')
    })
  }),
}

/** Each field that can change, one after the other. */
const eachField: readonly Partial<Session>[] = [
  { name: 'Ada’s phone 😀' },
  { name: '' },
  { epoch: 2_000_000_000 },
  { lastSeenAt: new Date('2026-10-25T01:30:00.999Z') },
  { expiresAt: new Date('2099-12-31T23:59:59.999Z') },
  { details: { browser: null, system: 'é "\\', ip: null, isPersistent: false } },
  { methods: ['pwd', 'otp', 'mfa'] },
  { methods: [] },
  { confirmedAt: new Date('2026-03-29T01:30:00.123Z') },
  { seenGeneration: 6 },
  { confirmedGeneration: 5 },
  { retiredBy: 'x'.repeat(43) },
  { generation: 7 },
]
