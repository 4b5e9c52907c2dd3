import type { SessionChanges, SessionStore, SessionUpdate } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { among, check, parallelCalls, rounds, same } from './checks.js'
import { idsOf, updatesOf } from './session-store-with-users.js'
import { changeFrom, compared, newSession, stateOf } from './sessions.js'
import { newUser } from './users.js'

/** Laws about `withUsers.update` that changes a session. */
export const sessionStoreChangeWithUserLaws: Laws<SessionStore> = {
  'law 18: a user is changed together with a session, and another may begin': async (store) => {
    const { user, old, other, update, change } = await twoSessions(store)
    const changes = { name: 'phone', confirmation: 1 }
    const alone = await update({ change: change(changes) })
    same(alone.said, { user: user(), isChanged: true }, 'update()')
    const create = newSession({ userId: old.userId })
    const from = { ...stateOf(old), confirmation: 1 }
    const both = await update({ create, change: change({ generation: 1 }, from) })
    same(both.said, { user: user(), isChanged: true }, 'update() with a new session')
    // Optional, as in create().
    if (both.count !== undefined) same(both.count, 3, 'the number that update() gives')
    same(await store.find(old.id), { ...old, ...changes, generation: 1 }, 'the session')
    same(await store.find(create.id), create, 'the new session')
    same(await store.find(other.id), other, 'the other session')
  },

  'law 18: a change that fails leaves its session, and all else is done': async (store) => {
    const { user, users, old, other, update } = await twoSessions(store)
    const expired = newSession({ userId: old.userId, expiresAt: new Date(Date.now() - 1) })
    const stranger = newSession({ userId: 'user-2' })
    for (const session of [expired, stranger]) await store.create(session)
    const states = compared.map((field) => [`another ${field}`, old.id, { [field]: 1 }] as const)
    for (const [what, id, state] of [
      ...states,
      ['one that has expired', expired.id, {}],
      ['one of another user', stranger.id, {}],
      ['none', 'nobody', {}],
    ] as const) {
      const create = newSession({ userId: old.userId })
      const change = { id, from: { ...stateOf(old), ...state }, changes: { generation: 2, name: 'x' } }
      const { said } = await update({ create, change })
      same(said, { user: user(), isChanged: false }, `update() with a change of ${what}`)
      same(await users.findById(old.userId), user(), `the user, with a change of ${what}`)
      same(await store.find(create.id), create, `the new session, with a change of ${what}`)
    }
    for (const session of [old, other, stranger])
      same(await store.find(session.id), session, 'a session that was not changed')
  },

  'law 18: where the user isn’t changed, no session is': async (store) => {
    const { user, users, old, other, change } = await twoSessions(store)
    const { update } = updatesOf(store.withUsers)
    const create = newSession({ userId: old.userId })
    const sessions = { create, change: change({ generation: 1 }), deleteOthers: true }
    const late = { ...user(), version: 7 }
    same(await update(late, { isStaff: true }, sessions, []), null, 'update() at another version')
    same(await users.findById(old.userId), user(), 'the user')
    for (const session of [old, other]) same(await store.find(session.id), session, 'a session')
    same(await store.find(create.id), null, 'the new session')
  },

  'law 18: the end of the other sessions spares the new one, and the one to change, changed or not': async (
    store,
  ) => {
    const stranger = newSession({ userId: 'user-2' })
    await store.create(stranger)
    for (const isNew of [false, true])
      for (const isChanged of [true, false]) {
        const { old, update, change } = await twoSessions(store)
        const create = newSession({ userId: old.userId })
        const from = isChanged ? old : { ...old, confirmation: 1 }
        const sessions = { change: change({ epoch: 1 }, stateOf(from)), deleteOthers: true }
        const { said } = await update({ ...(isNew && { create }), ...sessions })
        const what = `with${isNew ? '' : 'out'} a new one, ${isChanged ? '' : 'not '}changed`
        same(said.isChanged, isChanged, `isChanged, ${what}`)
        const left = [old.id, ...(isNew ? [create.id] : [])].toSorted()
        same(await idsOf(store, { id: old.userId }), left, `the sessions left, ${what}`)
        same(await store.find(old.id), { ...old, epoch: isChanged ? 1 : 0 }, `the session, ${what}`)
      }
    same(await store.find(stranger.id), stranger, 'the session of another user')
  },

  'law 18: of a change with the user and simultaneous ones without, one wins': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (callers, round) => {
      const { user, old, update, change } = await twoSessions(turn(round))
      const alone = callers.map(
        (n) => () => changeFrom(turn(n), old, { [compared[n % 3] ?? 'generation']: 1, name: `${n}` }),
      )
      const outcomes: Awaited<ReturnType<typeof update>>['said'][] = []
      const withUser = async () => {
        const { said } = await update({ change: change({ generation: 1, name: 'both' }) })
        outcomes.push(said)
        return said.isChanged
      }
      const values = await raced(among(alone, withUser, round))
      same(values.filter((won) => won).length, 1, 'the number of winners')
      const isChanged = outcomes[0]?.isChanged === true
      same(outcomes, [{ user: user(), isChanged }], 'what update() returns')
      same((await second.find(old.id))?.name === 'both', isChanged, 'whether its change was kept')
    })
  },

  'law 18: a session that is deleted while it changes with its user doesn’t come back': async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    await rounds(parallelCalls, 6, async (_, round) => {
      const { old, other, update, change } = await twoSessions(turn(round))
      const [, went] = await Promise.all([
        update({ change: change({ generation: 1 }) }),
        turn(round + 1).delete(old.id),
      ])
      same(went, true, 'delete()')
      for (const each of [store, second])
        same(await idsOf(each, { id: old.userId }), [other.id], 'the sessions left')
    })
  },
}

/** A user with two sessions, and changes of that user. */
async function twoSessions(store: SessionStore) {
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
    /** A change of the old session. */
    change: (changes: SessionUpdate, from = stateOf(old)) => ({ id: old.id, from, changes }),
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
