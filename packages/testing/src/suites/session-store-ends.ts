import type { SessionStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { check, range, rounds, same, show } from './checks.js'
import { closesWell } from './closing.js'
import { callsOn, isOver, newSession, soon } from './sessions.js'

/** Laws about the end of sessions, and about which of a user are left. */
export const sessionStoreEndLaws: Laws<SessionStore> = {
  'law 4: an expired session is not returned': async (store) => {
    const past = newSession({ expiresAt: new Date(Date.now() - 1) })
    const long = newSession()
    for (const session of [past, long]) await store.create(session)
    same(await store.find(past.id), null, 'find() of one that has expired')
    const short = newSession({ expiresAt: soon() })
    await store.create(short)
    same(await store.find(short.id), short, 'find() of one that expires soon')
    await isOver(short.expiresAt)
    same(await store.find(short.id), null, 'find() of one that expired meanwhile')
    same(await store.listByUser('user-1'), [long], 'listByUser()')
  },

  'law 6: deleteByUser ends the sessions of that user, and says how many': async (store) => {
    const mine = range(5).map(() => newSession())
    const other = newSession({ userId: 'user-10' })
    for (const session of [...mine, other]) await store.create(session)
    same(await store.deleteByUser('user-1'), 5, 'deleteByUser()')
    same(await store.deleteByUser('user-1'), 0, 'a second deleteByUser()')
    for (const { id } of mine) same(await store.find(id), null, 'find()')
    same(await store.listByUser('user-1'), [], 'listByUser()')
    same(await store.find(other.id), other, 'the session of the other user')
  },

  'law 6: deleteByUser spares the session it is given, if it is the same user’s': async (store) => {
    const [kept, ended, other] = [newSession(), newSession(), newSession({ userId: 'user-2' })]
    for (const session of [kept, ended, other]) await store.create(session)
    same(await store.deleteByUser('user-1', kept.id), 1, 'deleteByUser() but for one')
    same(await store.listByUser('user-1'), [kept], 'the sessions left')
    same(await store.deleteByUser('user-1', other.id), 1, 'deleteByUser() but for one of another user')
    same(await store.find(kept.id), null, 'find()')
    same(await store.find(other.id), other, 'the session of the other user')
  },

  'law 6: simultaneous calls don’t revive a session that deleteByUser ended': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(5, 3, async (callers, round) => {
      const old = callers.map(() => newSession())
      for (const session of old) await store.create(session)
      const fresh = newSession()
      const touches = old.map(
        ({ id }, n) =>
          () =>
            turn(n).touch(id, newSession()),
      )
      await raced<unknown>([
        ...touches,
        () => turn(round).deleteByUser('user-1'),
        () => turn(round + 1).create(fresh),
        ...touches,
      ])
      for (const { id } of old) same(await store.find(id), null, 'find() of one that was there before')
      const others = (await second.listByUser('user-1')).filter(({ id }) => id !== fresh.id)
      same(others, [], 'sessions that nobody created')
      await store.deleteByUser('user-1')
    })
  },

  'law 6: simultaneous deletions delete each session once': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(10, 4, async (callers) => {
      const sessions = callers.map(() => newSession())
      for (const session of sessions) await store.create(session)
      const byUser = await raced(callers.map((n) => () => turn(n).deleteByUser('user-1')))
      const went = byUser.reduce((sum, count) => sum + count, 0)
      same(went, sessions.length, 'the number of sessions that went')

      const session = newSession()
      await store.create(session)
      const values = await raced(callers.map((n) => () => turn(n).delete(session.id)))
      same(values.filter((gone) => gone).length, 1, 'the number of deletions that say true')
    })
  },

  'law 13: deleteExpired removes expired sessions and nothing else': async (store) => {
    const live = [newSession(), newSession({ userId: 'user-2' })]
    const expired = range(25).map(() => newSession({ expiresAt: new Date(Date.now() - 1000) }))
    for (const session of [...live, ...expired]) await store.create(session)
    // A store whose rows expire by themselves has fewer to remove.
    const removed = await store.deleteExpired(new Date())
    check(removed >= 0 && removed <= 25, `deleteExpired() says that ${show(removed)} of 25 sessions went`)
    same(await store.deleteExpired(new Date()), 0, 'a second deleteExpired()')
    for (const session of live) same(await store.find(session.id), session, 'a live session')
    for (const { id } of expired) same(await store.delete(id), false, 'delete() of one that was removed')
  },

  'law 14: listByUser returns the live sessions of that user, newest first': async (store) => {
    const now = Date.now()
    const ages = [3, 1, 4, 0, 2]
    const sessions = ages.map((age) => newSession({ createdAt: new Date(now - age * 1000) }))
    const expired = newSession({ expiresAt: new Date(now - 1) })
    for (const session of [...sessions, expired, newSession({ userId: 'user-2' })])
      await store.create(session)
    const listed = await store.listByUser('user-1')
    same(
      listed.map((session) => Number(session.createdAt)),
      range(5).map((age) => now - age * 1000),
      'createdAt',
    )
  },

  'law 14: a hundred sessions of one user, and one more, are counted, listed and ended': async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    const now = Date.now()
    // Newest first, as they are listed.
    const sessions = range(101).map((age) => newSession({ createdAt: new Date(now - age * 1000) }))
    let count: number | undefined
    for (const [place, session] of sessions.toReversed().entries()) count = await turn(place).create(session)
    if (count !== undefined) same(count, 101, 'the number that create() gives for the last')
    const listed = await store.listByUser('user-1')
    same(listed.length, 101, 'the number of sessions listed')
    same(listed, sessions, 'the sessions listed')
    same(await store.deleteByUser('user-1', sessions[50]?.id), 100, 'deleteByUser() but for one')
    same(await second.listByUser('user-1'), [sessions[50]], 'the sessions left')
  },

  'law 14: a number that create returns is the user’s number of sessions': async (store) => {
    const sessions = [
      await store.create(newSession({ userId: 'user-2' })),
      await store.create(newSession()),
      await store.create(newSession()),
    ]
    const ended = newSession()
    await store.create(ended)
    await store.delete(ended.id)
    sessions.push(await store.create(newSession()))
    // Optional: a store may return none.
    if (sessions.every((count) => count === undefined)) return
    same(
      sessions,
      [1, 1, 2, 3],
      'what create() gives for another user, for two, and for a third after one ended',
    )
  },

  'law 15: close waits for calls in progress, may be called twice, and later calls reject': async (store) => {
    const session = newSession()
    await store.create(session)
    const { writes, reads } = callsOn(store, session)
    const calls = { ...writes, ...reads, 'deleteExpired()': () => store.deleteExpired(new Date()) }
    await closesWell(store, () => store.create(newSession()), calls)
  },
}
