import type { Session, SessionStore, SessionUpdate } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { among, parallelCalls, rounds, same, show } from './checks.js'
import { changeFrom, compared, hour, newSession, stateOf } from './sessions.js'

/** Laws about `change`. */
export const sessionStoreChangeLaws: Laws<SessionStore> = {
  'law 22: change applies the given fields, and changes nothing else': async (store) => {
    const other = newSession()
    await store.create(other)
    let session = newSession()
    await store.create(session)
    const all = Object.assign({ name: 'all' }, ...eachField.toReversed()) as Partial<Session>
    for (const changes of [...eachField, all]) {
      same(await changeFrom(store, session, changes), true, `change(${show(changes)})`)
      session = { ...session, ...changes }
      same(await store.find(session.id), session, `the session after change(${show(changes)})`)
    }
    const listed = await store.listByUser('user-1')
    same(
      listed.find(({ id }) => id === session.id),
      session,
      'the session in listByUser()',
    )
    same(await store.find(other.id), other, 'the other session')
  },

  'law 22: change leaves absent and undefined fields alone, and clears null ones': async (store) => {
    const times = { priorConfirmedAt: new Date(1), settlesAt: new Date(2) }
    const session = newSession({ name: 'phone', nextBase: 3, ...times })
    await store.create(session)
    same(await changeFrom(store, session, {}), true, 'change() of nothing')
    const unset = Object.fromEntries(Object.keys(session).map((name) => [name, undefined])) as SessionUpdate
    same(await changeFrom(store, session, unset), true, 'change() with undefined')
    same(await store.find(session.id), session, 'the session after change() with undefined')
    const cleared = {
      ...{ name: null, details: null, methods: [], confirmedAt: null, priorConfirmedAt: null },
      ...{ nextBase: null, settlesAt: null },
    }
    same(await changeFrom(store, session, cleared), true, 'change() with null')
    same(await store.find(session.id), { ...session, ...cleared }, 'the session after change() with null')
  },

  'law 22: a session keeps its id, its kind, its user and its beginning': async (store) => {
    const session = newSession()
    await store.create(session)
    // More than it takes, as JavaScript callers may pass it.
    const more = newSession({ kind: 'token', userId: 'user-2', createdAt: new Date(1) })
    const { id: _, kind: _kind, userId: _user, createdAt: _created, ...changes } = more
    same(await changeFrom(store, session, more), true, 'change()')
    same(await store.find(session.id), { ...session, ...changes }, 'the session')
    same(await store.find(more.id), null, 'find() of the other id')
    same(await store.listByUser('user-2'), [], 'the sessions of the other user')
    same((await store.listByUser('user-1')).length, 1, 'the number of the user’s sessions')
  },

  'law 22: change does nothing to a session in another state, or one that is over': async (store) => {
    const session = newSession({ generation: 4, seenGeneration: 3, confirmation: 2, baseGeneration: 1 })
    await store.create(session)
    const attempts: SessionUpdate[] = [{ name: 'new' }, ...compared.map((field) => ({ [field]: 9 }))]
    for (const field of compared)
      for (const value of [0, session[field] - 1, session[field] + 1])
        for (const changes of attempts) {
          const from = { ...stateOf(session), [field]: value }
          const what = `change(${show(changes)}) from ${show(from)} instead of ${show(stateOf(session))}`
          same(await store.change(session.id, from, changes), false, what)
        }
    same(await store.find(session.id), session, 'the session')
    same(await changeFrom(store, session, { confirmation: 3 }), true, 'change()')
    same(await changeFrom(store, session, { confirmation: 3 }), false, 'change(), once more')

    const expired = newSession({ expiresAt: new Date(Date.now() - 1) })
    await store.create(expired)
    const renewed = { expiresAt: new Date(Date.now() + hour) }
    same(await changeFrom(store, expired, renewed), false, 'change() of one that has expired')
    same(await store.find(expired.id), null, 'find() of one that has expired')
  },

  'law 22: exactly one of 20 simultaneous changes from one state wins': async (store, second) => {
    const turn = inTurns(store, second)
    let session = newSession()
    await store.create(session)
    await rounds(20, 6, async (callers, round) => {
      const from = session
      // As a refresh, a first use and a confirmation at the same time do.
      const moved = (n: number) => compared[(n + round) % 3] ?? 'generation'
      const values = await raced(
        callers.map((n) => async () => {
          const changes = { name: `${round} ${n}`, methods: [`${n}`], [moved(n)]: from[moved(n)] + 1 }
          return (await changeFrom(turn(n), from, changes)) ? changes : null
        }),
      )
      const winners = values.filter((won) => won !== null)
      same(winners.length, 1, 'the number of winners')
      session = { ...from, ...winners[0] }
      for (const each of [store, second]) same(await each.find(session.id), session, 'the session')
    })
  },

  'law 22: change moves the end of a session, also to the past': async (store) => {
    const session = newSession()
    await store.create(session)
    const later = { expiresAt: new Date(Date.now() + 2 * hour) }
    same(await changeFrom(store, session, later), true, 'change()')
    same(await store.find(session.id), { ...session, ...later }, 'the session')
    const past = { expiresAt: new Date(Date.now() - 1) }
    same(await changeFrom(store, session, past), true, 'change() to an end in the past')
    same(await store.find(session.id), null, 'find() of one that has ended')
    same(await store.listByUser('user-1'), [], 'listByUser() of one that has ended')
    same(await store.touch(session.id, newSession()), false, 'touch() of one that has ended')
    same(await changeFrom(store, session, later), false, 'change() of one that has ended')
  },

  'law 23: a deletion stands, whatever changes come then or run at the same time': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(20, 5, async (callers, round) => {
      const session = newSession()
      await store.create(session)
      const changes = callers.map((n) => () => changeFrom(turn(n), session, { generation: 1, name: `${n}` }))
      const deletion = () => (round % 2 ? turn(round).delete(session.id) : turn(round).deleteByUser('user-1'))
      await raced<unknown>(among<() => Promise<unknown>>(changes, deletion, round))
      for (const each of [store, second]) {
        for (const generation of [0, 1])
          same(
            await changeFrom(each, { ...session, generation }, { name: 'x' }),
            false,
            'change() afterwards',
          )
        same(await each.find(session.id), null, 'find()')
        same(await each.listByUser('user-1'), [], 'listByUser()')
      }
    })
  },

  'law 24: of a change and simultaneous touches, none undoes another': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (callers, round) => {
      const session = newSession()
      await store.create(session)
      const seen = { lastSeenAt: new Date(Date.now() + 1234), expiresAt: new Date(Date.now() + 2 * hour) }
      const changes = { generation: 1, name: 'changed', settlesAt: new Date() }
      const touches = callers.map((n) => () => turn(n).touch(session.id, seen))
      const change = () => changeFrom(turn(round), session, changes)
      const values = await raced(among(touches, change, round))
      same(values.indexOf(false), -1, 'the first call that says false')
      same(await second.find(session.id), { ...session, ...seen, ...changes }, 'the session')
    })
  },

  'law 25: of simultaneous changes that leave the state, none undoes another, nor one that moves it': async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (callers, round) => {
      const session = newSession({ generation: 2, methods: ['pwd', 'otp', 'mfa'], nextBase: 2 })
      await store.create(session)
      // Each without knowing of the others.
      const kinds: SessionUpdate[] = [
        { baseGeneration: 2, nextBase: null },
        { confirmedAt: null, methods: ['pwd'] },
        { name: 'changed' },
        { expiresAt: new Date(Date.now() + 2 * hour) },
      ]
      const kindOf = (n: number) => kinds[(n + round) % kinds.length] ?? {}
      const alone = callers.map((n) => async () => {
        return (await changeFrom(turn(n), session, kindOf(n))) ? kindOf(n) : null
      })
      const next = { [compared[round % 3] ?? 'generation']: 3, epoch: 7 }
      const move = async () => ((await changeFrom(turn(round), session, next)) ? next : null)
      // In every other round the state stays, so all have to be applied.
      const isMoved = round % 2 === 1
      const values = await raced(isMoved ? among(alone, move, round) : alone)
      if (!isMoved) same(values.indexOf(null), -1, 'the first call that says false')
      const applied = Object.assign({}, ...values.filter((done) => done !== null)) as Partial<Session>
      for (const each of [store, second])
        same(await each.find(session.id), { ...session, ...applied }, 'the session')
    })
  },
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
  { priorConfirmedAt: new Date('2026-03-29T01:30:00.122Z') },
  { confirmation: 2_000_000_000 },
  { generation: 1_999_999_999 },
  { seenGeneration: 6 },
  { baseGeneration: 5 },
  { nextBase: 0 },
  { nextBase: 1_999_999_998 },
  { settlesAt: new Date('2026-10-25T01:30:00.998Z') },
]
