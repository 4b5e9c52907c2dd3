import type { SessionChanges, SessionStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { among, check, parallelCalls, rounds, same } from './checks.js'
import { idsOf, updatesOf } from './session-store-with-users.js'
import { type ChangingStore, changing, newSession } from './sessions.js'
import { newUser } from './users.js'

/** Laws about `withUsers.update` that changes a session, for stores with both. */
export const sessionStoreChangeWithUserLaws: Laws<SessionStore> = {
  'law 18: a user is changed together with a session, which may go on as a new one': changing(
    async (store) => {
      const { user, old, other, update } = await twoSessions(store)
      const alone = { generation: 1, name: 'phone', confirmedGeneration: 1 }
      const { said } = await update({ change: { id: old.id, fromGeneration: 0, changes: alone } })
      same(said, { user: user(), isChanged: true, isCreated: false }, 'update()')
      same(await store.find(old.id), { ...old, ...alone }, 'the session')

      const create = newSession({ userId: old.userId })
      const change = { id: old.id, fromGeneration: 1, changes: { generation: 2, retiredBy: create.id } }
      const both = await update({ create, change })
      same(both.said, { user: user(), isChanged: true, isCreated: true }, 'update() with a new session')
      // Optional, as in create().
      if (both.count !== undefined) same(both.count, 3, 'the number that update() gives')
      same(await store.find(old.id), { ...old, ...alone, ...change.changes }, 'the session that goes on')
      same(await store.find(create.id), create, 'the new session')
      same(await store.find(other.id), other, 'the other session')
    },
  ),

  'law 18: a change that fails creates no session, and the user is changed': changing(async (store) => {
    const { user, users, old, other, update } = await twoSessions(store)
    const expired = newSession({ userId: old.userId, expiresAt: new Date(Date.now() - 1) })
    const stranger = newSession({ userId: 'user-2' })
    for (const session of [expired, stranger]) await store.create(session)
    for (const [what, id, fromGeneration] of [
      ['a session of another generation', old.id, 1],
      ['a session that has expired', expired.id, 0],
      ['a session of another user', stranger.id, 0],
      ['no session', 'nobody', 0],
    ] as const) {
      const create = newSession({ userId: old.userId })
      const change = { id, fromGeneration, changes: { generation: 2, retiredBy: create.id } }
      const { said } = await update({ create, change })
      const expected = { user: user(), isChanged: false, isCreated: false }
      same(said, expected, `update() with a change of ${what}`)
      same(await users.findById(old.userId), user(), `the user, with a change of ${what}`)
      same(await store.find(create.id), null, `the new session, with a change of ${what}`)
    }
    for (const session of [old, other, stranger])
      same(await store.find(session.id), session, 'a session that was not changed')
  }),

  'law 18: where the user isn’t changed, no session is': changing(async (store) => {
    const { user, users, old, other } = await twoSessions(store)
    const { update } = updatesOf(store.withUsers)
    const create = newSession({ userId: old.userId })
    const change = { id: old.id, fromGeneration: 0, changes: { generation: 1, retiredBy: create.id } }
    const sessions = { create, change, deleteOthers: true }
    const late = { ...user(), version: 7 }
    same(await update(late, { isStaff: true }, sessions, []), null, 'update() at another version')
    same(await users.findById(old.userId), user(), 'the user')
    for (const session of [old, other]) same(await store.find(session.id), session, 'a session')
    same(await store.find(create.id), null, 'the new session')
  }),

  'law 18: the end of the other sessions spares the new one and the changed one': changing(async (store) => {
    const stranger = newSession({ userId: 'user-2' })
    await store.create(stranger)
    for (const [what, goesOn, fromGeneration, isSpared] of [
      ['a session', false, 0, true],
      ['a session that goes on as a new one', true, 0, true],
      ['a session of another generation', true, 1, false],
    ] as const) {
      const { old, update } = await twoSessions(store)
      const create = newSession({ userId: old.userId })
      const change = { id: old.id, fromGeneration, changes: { generation: 1 } }
      const { said } = await update({ ...(goesOn && { create }), change, deleteOthers: true })
      same(said.isChanged, isSpared, `isChanged, with a change of ${what}`)
      const left = isSpared ? [old.id, ...(goesOn ? [create.id] : [])].toSorted() : []
      same(await idsOf(store, { id: old.userId }), left, `the sessions left after a change of ${what}`)
    }
    same(await store.find(stranger.id), stranger, 'the session of another user')
  }),

  'law 18: of a change with the user and simultaneous ones without, one wins': changing(
    async (store, second) => {
      const turn = inTurns(store, second)
      await rounds(parallelCalls, 6, async (callers, round) => {
        const { user, old, update } = await twoSessions(turn(round))
        const create = newSession({ userId: old.userId })
        const change = { id: old.id, fromGeneration: 0, changes: { generation: 1, retiredBy: create.id } }
        const alone = callers.map(
          (n) => () => turn(n).change(old.id, 0, { generation: 1, retiredBy: `${n}` }),
        )
        const outcomes: Awaited<ReturnType<typeof update>>['said'][] = []
        const withUser = async () => {
          const { said } = await update({ create, change })
          outcomes.push(said)
          return said.isChanged
        }
        const values = await raced(among(alone, withUser, round))
        same(values.filter((won) => won).length, 1, 'the number of winners')
        const won = outcomes[0]?.isChanged === true
        same(outcomes, [{ user: user(), isChanged: won, isCreated: won }], 'what update() returns')
        same((await store.find(old.id))?.retiredBy === create.id, won, 'whether its change was kept')
        same(await second.find(create.id), won ? create : null, 'the new session')
      })
    },
  ),

  'law 18: a session that is deleted while it goes on as a new one doesn’t come back': changing(
    async (store, second) => {
      const turn = inTurns(store, second)
      await rounds(parallelCalls, 6, async (_, round) => {
        const { old, other, update } = await twoSessions(turn(round))
        const create = newSession({ userId: old.userId })
        const change = { id: old.id, fromGeneration: 0, changes: { generation: 1, retiredBy: create.id } }
        const [{ said }, went] = await Promise.all([
          update({ create, change }),
          turn(round + 1).delete(old.id),
        ])
        same(went, true, 'delete()')
        same(said.isCreated, said.isChanged, 'isCreated, as isChanged')
        for (const each of [store, second]) {
          const left = said.isChanged ? [create.id, other.id] : [other.id]
          same(await idsOf(each, { id: old.userId }), left.toSorted(), 'the sessions left')
        }
      })
    },
  ),
}

/** A user with two sessions, and changes of that user. */
async function twoSessions(store: ChangingStore) {
  const { users, update } = updatesOf(store.withUsers)
  let user = await users.create(newUser())
  const [old, other] = [newSession({ userId: user.id }), newSession({ userId: user.id })]
  for (const session of [old, other]) await store.create(session)
  return {
    users,
    old,
    other,
    /** After the last change. */
    user: () => user,
    async update(sessions: SessionChanges) {
      const before = user
      const sessionEpoch = user.sessionEpoch + 1
      user = { ...user, sessionEpoch, version: user.version + 1 }
      const written = await update(before, { sessionEpoch }, sessions, [])
      check(written !== null, 'the user was not changed')
      const { count, ...said } = written
      return { said, count }
    },
  }
}
