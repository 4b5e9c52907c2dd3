import type { Session, SessionStore } from '../seams/session-store.js'
import { noErrors } from './calls.js'
import { type ConformanceCase, casesOf, type Handles, inTurns, type Laws, notChecked } from './cases.js'
import {
  check,
  hostileTexts,
  nearlyEqualTexts,
  parallelCalls,
  pause,
  race,
  range,
  refusesKeys,
  rejects,
  rounds,
  same,
  scramble,
  show,
} from './checks.js'
import { sessionStoreWithUsersLaws } from './session-store-with-users.js'
import { newSession } from './sessions.js'

/**
 * The conformance suite of a `SessionStore`, including races. Each case tests one law on a store of its own, which it
 * closes. Takes about four seconds, because it waits for sessions to expire.
 *
 * Not included: 9 and 12 (corrupt rows and outages need tests of your own), 10 (the plugin hashes the ids), 16 (two
 * processes).
 *
 * @param makeStore makes an empty store at each call; or two stores on the same empty data, which then take turns in races
 * and in reading what the other wrote
 */
export function sessionStoreCases(
  makeStore: () => Promise<Handles<SessionStore>> | Handles<SessionStore>,
): ConformanceCase[] {
  return casesOf({ ...laws, ...sessionStoreWithUsersLaws }, makeStore, (store) => store.close?.())
}

const hour = 3_600_000

/** Late enough for a slow store, and soon enough to wait for. */
const soon = (): Date => new Date(Date.now() + 1500)
/** Waits until an end has passed by every clock. */
const isOver = (end: Date): Promise<void> => pause(Number(end) - Date.now() + 300)

const laws: Laws<SessionStore> = {
  'law 1: a session comes back as it was created': async (store) => {
    const session = newSession({
      userId: 'user-é-😀',
      epoch: 2_000_000_000,
      createdAt: new Date('2026-03-29T01:30:00.123Z'),
      lastSeenAt: new Date('2026-10-25T01:30:00.999Z'),
      expiresAt: new Date('2099-12-31T23:59:59.999Z'),
    })
    await store.create(session)
    same(await store.find(session.id), session, 'find()')
    same(await store.listByUser(session.userId), [session], 'listByUser()')
  },

  'law 1: the details of a session come back unchanged, missing ones as null': async (store) => {
    const unknown = { browser: null, system: null, ip: null, isPersistent: false }
    const odd = { browser: 'Browser-é-😀 "\\\'', system: '', ip: '2001:db8::/48', isPersistent: true }
    const sessions = [null, unknown, odd].map((details) => newSession({ details }))
    for (const session of sessions) await store.create(session)
    for (const session of sessions) {
      same(await store.find(session.id), session, 'find()')
      await store.touch(session.id, session)
    }
    const listed = await store.listByUser('user-1')
    for (const session of sessions) {
      same(
        listed.find(({ id }) => id === session.id),
        session,
        'listByUser(), after touch()',
      )
    }
  },

  'law 1: how and when the owner was confirmed comes back unchanged, or null if unknown': async (store) => {
    const confirmedAt = new Date('2026-10-25T01:30:00.999Z')
    const sessions = [
      newSession({ methods: null, confirmedAt: null }),
      newSession({ methods: ['host'], confirmedAt: null }),
      newSession({ methods: ['pwd', 'otp', 'mfa'], confirmedAt }),
    ]
    for (const session of sessions) await store.create(session)
    for (const session of sessions) {
      same(await store.find(session.id), session, 'find()')
      await store.touch(session.id, session)
    }
    const listed = await store.listByUser('user-1')
    for (const session of sessions) {
      const found = listed.find(({ id }) => id === session.id)
      same(found, session, 'listByUser(), after touch()')
    }
  },

  'law 2: changing an argument or a result doesn’t change the store': async (store) => {
    const session = newSession()
    const expected = structuredClone(session)
    await store.create(session)
    spoil(session)
    same(await store.find(expected.id), expected, 'after changing what was handed in')
    spoil(await store.find(expected.id))
    same(await store.find(expected.id), expected, 'after changing what find() returned')
    spoil((await store.listByUser('user-1'))[0])
    same(await store.find(expected.id), expected, 'after changing what listByUser() returned')
    const times = { lastSeenAt: new Date(), expiresAt: new Date(Date.now() + hour) }
    const touched = { ...expected, ...structuredClone(times) }
    await store.touch(expected.id, times)
    spoil(times)
    same(await store.find(expected.id), touched, 'after changing what touch() was given')
  },

  'law 3: a missing session is null, false, empty or 0, not an error': async (store) => {
    for (const id of ['nobody', 'x'.repeat(10_000), ...hostileTexts]) {
      same(await store.find(id), null, `find(${show(id)})`)
      same(await store.touch(id, newSession()), false, `touch(${show(id)})`)
      same(await store.delete(id), false, `delete(${show(id)})`)
      same(await store.listByUser(id), [], `listByUser(${show(id)})`)
      same(await store.deleteByUser(id), 0, `deleteByUser(${show(id)})`)
    }
    same(await store.deleteExpired(new Date()), 0, 'deleteExpired()')
  },

  'law 3: ids and user ids are compared byte for byte': async (store) => {
    const sessions = [...hostileTexts, ...nearlyEqualTexts].map((text) =>
      newSession({ id: text, userId: text }),
    )
    for (const session of sessions) {
      same(await store.find(session.id), null, `find(${show(session.id)}) before it exists`)
      await store.create(session)
    }
    for (const session of sessions) {
      same(await store.find(session.id), session, `find(${show(session.id)})`)
      same(await store.listByUser(session.userId), [session], `listByUser(${show(session.userId)})`)
    }
    for (const [index, session] of sessions.entries()) {
      const went = index % 2 ? await store.delete(session.id) : await store.deleteByUser(session.userId)
      same(Number(went), 1, `the number of sessions deleted for ${show(session.id)}`)
    }
  },

  'law 3: anything but well-formed, non-empty text is rejected as an argument': async (store) => {
    await refusesKeys('find', (id) => store.find(id))
    await refusesKeys('touch', (id) => store.touch(id, newSession()))
    await refusesKeys('delete', (id) => store.delete(id))
    await refusesKeys('listByUser', (userId) => store.listByUser(userId))
    await refusesKeys('deleteByUser', (userId) => store.deleteByUser(userId))
    await refusesKeys('create with the id ', (id) => store.create(newSession({ id })))
    await refusesKeys('create with the userId ', (userId) => store.create(newSession({ userId })))
  },

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

  'law 5: no second session gets an id that is in use': async (store) => {
    const session = newSession()
    await store.create(session)
    const intruder = newSession({ id: session.id, userId: 'user-2' })
    await rejects(Error, () => store.create(intruder), 'create() with an id in use')
    same(await store.find(session.id), session, 'the session')
    same(await store.listByUser('user-2'), [], 'the sessions of the other user')
  },

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
      const { errors } = await race<unknown>([
        ...touches.slice(0, callers.length / 2),
        () => turn(round).delete(session.id),
        ...touches.slice(callers.length / 2),
      ])
      noErrors(errors)
      for (const each of [store, second]) {
        same(await each.find(session.id), null, 'find()')
        same(await each.listByUser('user-1'), [], 'listByUser()')
      }
    })
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
      const { errors } = await race<unknown>([
        ...touches,
        () => turn(round).deleteByUser('user-1'),
        () => turn(round + 1).create(fresh),
        ...touches,
      ])
      noErrors(errors)
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
      const byUser = await race(callers.map((n) => () => turn(n).deleteByUser('user-1')))
      noErrors(byUser.errors)
      const went = byUser.values.reduce((sum, count) => sum + count, 0)
      same(went, sessions.length, 'the number of sessions that went')

      const session = newSession()
      await store.create(session)
      const { values, errors } = await race(callers.map((n) => () => turn(n).delete(session.id)))
      noErrors(errors)
      same(values.filter((gone) => gone).length, 1, 'the number of deletions that say true')
    })
  },

  'law 20: a read sees every acknowledged write': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const [writer, reader] = [turn(round), turn(round + 1)]
      const session = newSession()
      await writer.create(session)
      same(await reader.find(session.id), session, 'find() after create()')
      same(await reader.listByUser('user-1'), [session], 'listByUser() after create()')
      const times = { lastSeenAt: new Date(), expiresAt: new Date(Date.now() + 2 * hour) }
      await writer.touch(session.id, times)
      same(await reader.find(session.id), { ...session, ...times }, 'find() after touch()')
      if (round % 3 === 0) await writer.deleteByUser('user-1')
      else await writer.delete(session.id)
      same(await reader.find(session.id), null, 'find() of one that was deleted')
      same(await reader.listByUser('user-1'), [], 'listByUser() after it was deleted')
    }
  },

  'law 7: touch moves the two times and nothing else': async (store) => {
    const session = newSession({ epoch: 7 })
    const other = newSession()
    for (const one of [session, other]) await store.create(one)
    const times = { lastSeenAt: new Date(Date.now() + 1234), expiresAt: new Date(Date.now() + 2 * hour) }
    // More than the two times, as JavaScript callers may pass it.
    same(
      await store.touch(session.id, { ...newSession({ userId: 'user-2', epoch: 9 }), ...times }),
      true,
      'touch()',
    )
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
      const { values, errors } = await race(touches.map((times, n) => () => turn(n).touch(session.id, times)))
      noErrors(errors)
      same(values.indexOf(false), -1, 'the first touch() that says false')
      const found = await store.find(session.id)
      const between = Number(found?.expiresAt) - Number(found?.lastSeenAt)
      same(between, hour, 'the time between lastSeenAt and expiresAt')
    })
  },

  'law 11: long ids come back whole or are rejected, never truncated': async (store) => {
    const sessions = [
      newSession({ userId: scramble(255) }),
      newSession({ id: scramble(5000), userId: scramble(5000) }),
    ]
    for (const session of sessions) {
      const { values } = await race([() => store.create(session)])
      const kept = values.length > 0 ? session : null
      same(await store.find(session.id), kept, `the session ${show(session.id)}`)
      same(
        await store.find(session.id.slice(0, 255)),
        session.id.length > 255 ? null : kept,
        'find() of a part',
      )
    }
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

  'law 14: a number that create returns is the user’s number of sessions': async (store) => {
    const given = [
      await store.create(newSession({ userId: 'user-2' })),
      await store.create(newSession()),
      await store.create(newSession()),
    ]
    const ended = newSession()
    await store.create(ended)
    await store.delete(ended.id)
    given.push(await store.create(newSession()))
    // Optional: a store may return none.
    if (given.every((count) => count === undefined)) return
    same(
      given,
      [1, 1, 2, 3],
      'what create() gives for another user, for two, and for a third after one ended',
    )
  },

  'law 15: close waits for calls in progress, may be called twice, and later calls reject': async (store) => {
    // Closing is optional: a store may have nothing to free.
    if (store.close === undefined) return notChecked('close')
    let answered = 0
    const underWay = race(
      range(10).map(() => async () => {
        await store.create(newSession()).finally(() => {
          answered += 1
        })
      }),
    )
    await store.close()
    await new Promise((resolve) => setImmediate(resolve))
    same(answered, 10, 'the number of calls that were answered when close() was done')
    noErrors((await underWay).errors)
    await store.close()
    await rejects(Error, () => store.create(newSession()), 'create() after close()')
    await rejects(Error, () => store.find('a'), 'find() after close()')
    await rejects(Error, () => store.touch('a', newSession()), 'touch() after close()')
    await rejects(Error, () => store.delete('a'), 'delete() after close()')
    await rejects(Error, () => store.listByUser('a'), 'listByUser() after close()')
    await rejects(Error, () => store.deleteByUser('a'), 'deleteByUser() after close()')
    await rejects(Error, () => store.deleteExpired(new Date()), 'deleteExpired() after close()')
  },
}

/** Changes everything shared by reference. */
function spoil(record: Partial<Session> | null | undefined): void {
  record?.lastSeenAt?.setTime(0)
  record?.expiresAt?.setTime(0)
  if (record?.details) record.details.browser = 'spoiled'
  if (record) Object.assign(record, { epoch: 99 })
}
