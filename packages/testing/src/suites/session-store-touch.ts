import type { SessionStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { among, check, parallelCalls, rounds, same } from './checks.js'
import { hour, isOver, newSession, soon } from './sessions.js'

/** Laws about `touch`. */
export const sessionStoreTouchLaws: Laws<SessionStore> = {
  'law 5: touch doesn’t revive a deleted session': async (store) => {
    const session = newSession()
    await store.create(session)
    same(await store.delete(session.id), true, 'the first delete()')
    same(await store.delete(session.id), false, 'the second delete()')
    same(await store.touch(session.id, newSession()), false, 'touch()')
    same(await store.find(session.id), null, 'find()')
    same(await store.listByUser('user-1'), [], 'listByUser()')
  },

  'law 5: a deletion stands, whatever touches run at the same time': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(20, 5, async (callers, round) => {
      const session = newSession()
      await store.create(session)
      const touches = callers.map((n) => () => turn(n).touch(session.id, newSession()))
      const deletion = () => turn(round).delete(session.id)
      await raced(among(touches, deletion, round))
      for (const each of [store, second]) {
        same(await each.find(session.id), null, 'find()')
        same(await each.listByUser('user-1'), [], 'listByUser()')
      }
    })
  },

  'law 7: touch moves the two times and nothing else': async (store) => {
    const session = newSession({ epoch: 7, generation: 4, seenGeneration: 3, baseGeneration: 2 })
    const other = newSession()
    for (const one of [session, other]) await store.create(one)
    const times = { lastSeenAt: new Date(Date.now() + 1234), expiresAt: new Date(Date.now() + 2 * hour) }
    // More than it takes, as JavaScript callers may pass it.
    const more = newSession({
      ...{ kind: 'token', name: 'another', userId: 'user-2', epoch: 9, details: null, methods: [] },
      ...{ confirmedAt: null, priorConfirmedAt: new Date(), confirmation: 9, generation: 9 },
      ...{ seenGeneration: 9, baseGeneration: 9, nextBase: 9, settlesAt: new Date() },
    })
    same(await store.touch(session.id, { ...more, ...times }), true, 'touch()')
    same(await store.find(session.id), { ...session, ...times }, 'the session')
    same(await store.find(other.id), other, 'the other session')
  },

  'law 7: touch moves the end of a session in both directions, and revives none that has expired': async (
    store,
  ) => {
    const expired = newSession({ expiresAt: new Date(Date.now() - 1) })
    await store.create(expired)
    same(await store.touch(expired.id, newSession()), false, 'touch() of one that has expired')
    same(await store.find(expired.id), null, 'find() of one that has expired')
    const session = newSession({ expiresAt: soon() })
    await store.create(session)
    same(await store.touch(session.id, newSession()), true, 'touch() of one that expires soon')
    await isOver(session.expiresAt)
    check(
      (await store.find(session.id)) !== null,
      'a session whose end was moved away is gone at its old end',
    )
    await store.touch(session.id, { lastSeenAt: new Date(), expiresAt: new Date(Date.now() - 1) })
    same(await store.find(session.id), null, 'find() of one whose end was moved to the past')
  },

  'law 8: of simultaneous touches, one wins as a whole': async (store, second) => {
    const turn = inTurns(store, second)
    const session = newSession()
    await store.create(session)
    await rounds(parallelCalls, 5, async (callers) => {
      const start = Date.now()
      const touches = callers.map((n) => ({
        lastSeenAt: new Date(start + n),
        expiresAt: new Date(start + hour + n),
      }))
      const values = await raced(touches.map((times, n) => () => turn(n).touch(session.id, times)))
      same(values.indexOf(false), -1, 'the first touch() that says false')
      const found = await store.find(session.id)
      const between = Number(found?.expiresAt) - Number(found?.lastSeenAt)
      same(between, hour, 'the time between lastSeenAt and expiresAt')
    })
  },
}
