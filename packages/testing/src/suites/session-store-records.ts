import { InvalidArgumentError, type Session, type SessionStore } from 'fastify-accounts'
import { inTurns, type Laws } from './cases.js'
import {
  hostileTexts,
  nearlyEqualTexts,
  race,
  range,
  refusesKeys,
  rejects,
  same,
  scramble,
  show,
} from './checks.js'
import { changeFrom, hour, newSession } from './sessions.js'

/** Laws about one session: it comes back as stored, with nothing added. */
export const sessionStoreRecordLaws: Laws<SessionStore> = {
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
    await comeBack(
      store,
      [null, unknown, odd].map((details) => newSession({ details })),
    )
  },

  'law 1: how and when the owner was confirmed comes back unchanged, or null if unknown': async (store) => {
    const [confirmedAt, priorConfirmedAt] = [new Date('2026-10-25T01:30:00.999Z'), new Date(1)]
    await comeBack(store, [
      newSession({ methods: [], confirmedAt: null }),
      newSession({ methods: ['host'], confirmedAt: null, priorConfirmedAt, confirmation: 2_000_000_000 }),
      newSession({ methods: ['pwd', 'otp', 'mfa'], confirmedAt, confirmation: 1 }),
    ])
  },

  'law 1: the kind and name of a session and its generations come back unchanged': async (store) => {
    const generations = { generation: 2_000_000_000, seenGeneration: 1_999_999_999, baseGeneration: 7 }
    const settlesAt = new Date('2026-03-29T01:30:00.123Z')
    await comeBack(store, [
      newSession({ kind: 'token', name: 'Ada’s phone é 😀 "\\\'', ...generations, nextBase: 8, settlesAt }),
      newSession({ kind: 'token', name: '', nextBase: 0 }),
      newSession({ kind: 'cookie', name: 'null', generation: 1 }),
      newSession({ kind: 'cookie' }),
    ])
  },

  'law 2: changing an argument or a result doesn’t change the store': async (store) => {
    const session = newSession({ priorConfirmedAt: new Date(), settlesAt: new Date() })
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
    const changes = { methods: ['otp'], details: newSession().details, settlesAt: new Date() }
    const changed = { ...touched, ...structuredClone(changes) }
    await changeFrom(store, expected, changes)
    spoil(changes)
    same(await store.find(expected.id), changed, 'after changing what change() was given')
  },

  'law 3: a missing session is null, false, empty or 0, not an error': async (store) => {
    for (const id of ['nobody', 'x'.repeat(10_000), ...hostileTexts]) {
      same(await store.find(id), null, `find(${show(id)})`)
      same(await store.touch(id, newSession()), false, `touch(${show(id)})`)
      same(await changeFrom(store, newSession({ id }), { name: 'x' }), false, `change(${show(id)})`)
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
    await refusesKeys('change', (id) => changeFrom(store, newSession({ id }), { name: 'x' }))
    await refusesKeys('delete', (id) => store.delete(id))
    await refusesKeys('listByUser', (userId) => store.listByUser(userId))
    await refusesKeys('deleteByUser', (userId) => store.deleteByUser(userId))
    await refusesKeys('create with the id ', (id) => store.create(newSession({ id })))
    await refusesKeys('create with the userId ', (userId) => store.create(newSession({ userId })))
  },

  'law 5: no second session gets an id that is in use': async (store) => {
    const session = newSession()
    await store.create(session)
    const intruder = newSession({ id: session.id, userId: 'user-2' })
    await rejects(InvalidArgumentError, () => store.create(intruder), 'create() with an id in use')
    same(await store.find(session.id), session, 'the session')
    same(await store.listByUser('user-2'), [], 'the sessions of the other user')
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
      const touched = { ...session, ...times }
      same(await reader.find(session.id), touched, 'find() after touch()')
      const changes = { generation: 1, confirmation: 1 }
      await changeFrom(writer, session, changes)
      same(await reader.find(session.id), { ...touched, ...changes }, 'find() after change()')
      if (round % 3 === 0) await writer.deleteByUser('user-1')
      else await writer.delete(session.id)
      same(await reader.find(session.id), null, 'find() of one that was deleted')
      same(await reader.listByUser('user-1'), [], 'listByUser() after it was deleted')
    }
  },
}

/** Checks that these sessions of one user come back as they were created, and aren't changed by `touch`. */
async function comeBack(store: SessionStore, sessions: readonly Session[]): Promise<void> {
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
}

/** Changes everything shared by reference. */
function spoil(record: Partial<Session> | null | undefined): void {
  for (const value of Object.values(record ?? {})) if (value instanceof Date) value.setTime(0)
  if (record?.details) record.details.browser = 'spoiled'
  if (Array.isArray(record?.methods)) record.methods.push('spoiled')
  if (record) Object.assign(record, { epoch: 99 })
}
