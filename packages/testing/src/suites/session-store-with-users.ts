import {
  DuplicateError,
  InvalidArgumentError,
  type PendingMessage,
  type Session,
  type SessionChanges,
  type SessionStore,
  type StoredUser,
  type User,
  type UserChanges,
} from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws, notChecked } from './cases.js'
import { parallelCalls, rejects, rounds, same } from './checks.js'
import { newPendingMail } from './messages.js'
import { newSession } from './sessions.js'
import { newUser } from './users.js'

/** Laws about `withUsers`, for stores that share a database with the users. */
export const sessionStoreWithUsersLaws: Laws<SessionStore> = {
  'law 17: with users in the same database, one query returns what two would': async (store) => {
    const { withUsers } = store
    // Optional: only if both are in one database.
    if (withUsers === undefined) return notChecked('withUsers')
    const newcomer = newUser({
      kind: 'service',
      origin: 'staff',
      roles: ['zoo keeper 😀', 'admin'],
      fields: { note: 'ÿ😀' },
      factors: ['totp'],
      credentials: [{ kind: 'totp' }],
      notes: { text: 'ÿ😀' },
    })
    const user = visitor(await withUsers.users.create(newcomer))
    const session = newSession({
      userId: user.id,
      kind: 'token',
      name: 'phone 😀',
      generation: 3,
      ...{ seenGeneration: 2, baseGeneration: 1, nextBase: 2, confirmation: 4 },
      ...{ priorConfirmedAt: new Date(1), settlesAt: new Date(2) },
    })
    const orphan = newSession({ userId: 'nobody' })
    const over = newSession({ userId: user.id, expiresAt: new Date(Date.now() - 1) })
    for (const each of [session, orphan, over]) await store.create(each)
    same(
      await withUsers.find(session.id),
      { session, user },
      'find() of a session with its user, without credentials and notes',
    )
    same(await withUsers.find(orphan.id), { session: orphan, user: null }, 'find() of one without')
    same(await withUsers.find(over.id), null, 'find() of one that has expired')
    same(await withUsers.find('unknown'), null, 'find() of none')
    const update = await withUsers.users.update(user.id, { isActive: false, sessionEpoch: 1 }, user.version)
    const changed = update && visitor(update)
    same(await withUsers.find(session.id), { session, user: changed }, 'find() after the user was changed')
    await store.delete(session.id)
    same(await withUsers.find(session.id), null, 'find() after the session was deleted')
  },

  'law 18: a user is changed together with a new session, or neither is': async (store) => {
    const { users } = updatesOf(store.withUsers)
    await changedTogether(store, [])
    // Without messages, a store may write differently.
    if (users.outbox) await changedTogether(store, [newPendingMail()])
  },

  'law 18: a user is changed together with the end of sessions': async (store) => {
    const { users, update } = updatesOf(store.withUsers)
    let user = await users.create(newUser())
    const makeSession = () => newSession({ userId: user.id })
    const [mine, own, next, last] = [makeSession(), makeSession(), makeSession(), makeSession()]
    const other = newSession({ userId: 'user-2' })
    for (const session of [mine, own, other]) await store.create(session)
    /** Which sessions are left. */
    const after = async (sessions: SessionChanges, left: Session[], what: string) => {
      const changes = { sessionEpoch: user.sessionEpoch + 1 }
      const written = await update(user, changes, sessions, [])
      user = { ...user, ...changes, version: user.version + 1 }
      same([written?.user, written?.isChanged], [user, false], `the user, changed ${what}`)
      same(await idsOf(store, user), left.map(({ id }) => id).toSorted(), `the sessions, changed ${what}`)
      same(await store.find(other.id), other, `the session of another user, changed ${what}`)
    }
    await after({}, [mine, own], 'with nothing')
    await after({ create: next }, [mine, own, next], 'with a new one')
    await after({ create: last, deleteOthers: true }, [last], 'with a new one and the end of the others')
    await after({ deleteOthers: true }, [], 'with the end of all')
  },

  'law 18: one of several simultaneous logins and a password change wins': async (store, second) => {
    const [one, other] = [updatesOf(store.withUsers), updatesOf(second.withUsers)]
    await rounds(parallelCalls, 6, async (callers, round) => {
      const user = await one.users.create(newUser())
      const old = newSession({ id: `${user.id}-old`, userId: user.id })
      await store.create(old)
      const sessions = callers.map((caller) => newSession({ id: `${user.id}-${caller}`, userId: user.id }))
      const values = await raced(
        sessions.map((create, caller) => async () => {
          const { update } = inTurns(one, other)(caller)
          const written = await (caller === 1
            ? update(user, { sessionEpoch: 1 }, { create, deleteOthers: true }, [])
            : update(user, { lastLoginAt: new Date() }, { create }, []))
          return written && { user: written.user, create }
        }),
      )
      const [winner, ...more] = values.filter((value) => value !== null)
      same([winner === undefined, more.length], [false, 0], `whether one write won, in round ${round + 1}`)
      same(await one.users.findById(user.id), winner?.user, 'the user')
      const begun = [winner?.create.id]
      const left = winner?.user.sessionEpoch === 1 ? begun : [...begun, old.id].toSorted()
      same(await idsOf(store, user), left, 'the sessions, where one write won')
    })
  },
}

/** @param told the messages that go with it */
async function changedTogether(store: SessionStore, told: readonly PendingMessage[]): Promise<void> {
  const { users, update } = updatesOf(store.withUsers)
  const user = await users.create(newUser())
  const other = await users.create(newUser())
  const session = newSession({ userId: user.id })
  const changes = { lastLoginAt: new Date('2026-05-06T07:08:09.012Z'), passwordHash: 'new' }
  const messages = told.map((message) => ({ ...message, userId: user.id }))
  const changed = { ...user, ...changes, version: 2 }
  const written = await update(user, changes, { create: session }, messages)
  same(written?.user, changed, 'the user that update() returns')
  same(written?.isChanged, false, 'isChanged')
  // Optional, as in create().
  if (written?.count !== undefined) same(written.count, 1, 'the number that update() gives')
  same(await users.findById(user.id), changed, 'the user')
  same(await store.find(session.id), session, 'the session')

  const late = newSession({ userId: user.id })
  // None of these may have any effect.
  const all = { create: late, deleteOthers: true }
  same(await update(user, changes, all, messages), null, 'update() at a version that has passed')
  same(await update({ ...user, id: 'nobody' }, changes, all, messages), null, 'update() of no user')
  await rejects(
    InvalidArgumentError,
    () => update(changed, { passwordHash: 'newer' }, { create: session }, messages),
    'update() with the id of a session',
  )
  const strange = newSession({ userId: other.id })
  await store.create(strange)
  await rejects(
    InvalidArgumentError,
    () => update(changed, {}, { create: { ...late, id: strange.id }, deleteOthers: true }, messages),
    "update() with the id of another user's session",
  )
  const key = { usernameKey: other.usernameKey }
  await rejects(DuplicateError, () => update(changed, key, all, messages), "update() to another user's name")
  same(await users.findById(user.id), changed, 'the user after five that failed')
  same(await store.listByUser(user.id), [session], 'the sessions after five that failed')
  const kept = await users.outbox?.count('accounts')
  if (kept !== undefined)
    same(kept.waiting, messages.length, 'the messages after one change, and five that failed')
}

/** The ids of a user's sessions, sorted. */
export async function idsOf(store: SessionStore, { id }: Pick<User, 'id'>): Promise<string[]> {
  return (await store.listByUser(id)).map((session) => session.id).toSorted()
}

/** The methods for changing a user and their sessions in one write. */
export function updatesOf(withUsers: SessionStore['withUsers']) {
  const update = withUsers?.update
  // Optional: only if both are in one database.
  if (withUsers === undefined || update === undefined) return notChecked('withUsers.update')
  return {
    users: withUsers.users,
    update: (
      { id, version }: Pick<User, 'id' | 'version'>,
      changes: UserChanges,
      sessions: SessionChanges,
      messages: readonly PendingMessage[],
    ) => update.call(withUsers, id, changes, version, messages, sessions),
  }
}

/** The part of a user that each request reads. */
function visitor({ credentials, identityKeys, notes, ...user }: StoredUser): User {
  return user
}
