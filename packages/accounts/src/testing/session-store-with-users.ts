import type { PendingMail } from '../seams/outbox.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import { DuplicateError, InvalidArgumentError } from '../seams/store-errors.js'
import type { StoredUser, User, UserChanges } from '../user.js'
import { inTurns, type Laws, notChecked } from './cases.js'
import { noErrors, parallelCalls, race, rejects, rounds, same } from './checks.js'
import { newPendingMail } from './outbox-cases.js'
import { newSession } from './sessions.js'
import { newUser } from './users.js'

/** Laws about `withUsers`, for stores that share a database with the users. */
export const sessionStoreWithUsersLaws: Laws<SessionStore> = {
  'law 17: where users are kept beside, one question gives what two would': async (store) => {
    const { withUsers } = store
    // Optional: only where both are in one database.
    if (withUsers === undefined) return notChecked('withUsers')
    const given = newUser({ fields: { note: 'ÿ😀' }, factors: ['totp'], credentials: [{ kind: 'totp' }] })
    const user = visitor(await withUsers.users.create(given))
    const session = newSession({ userId: user.id })
    const orphan = newSession({ userId: 'nobody' })
    const over = newSession({ userId: user.id, expiresAt: new Date(Date.now() - 1) })
    for (const each of [session, orphan, over]) await store.create(each)
    same(
      await withUsers.find(session.id),
      { session, user },
      'find() of a session with its user, without credentials',
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

  'law 18: a login is kept together with its session, or neither is': async (store) => {
    const { withUsers } = store
    const { users, logIn } = loginsOf(withUsers)
    const user = await users.create(newUser())
    const other = await users.create(newUser())
    const session = newSession({ userId: user.id })
    const changes = { lastLoginAt: new Date('2026-05-06T07:08:09.012Z'), passwordHash: 'new' }
    const mails = users.outbox ? [newPendingMail({ userId: user.id })] : []
    const changed = { ...user, ...changes, version: 2 }
    const login = await logIn(user, changes, session, mails)
    same(login?.user, changed, 'the user that updateAndCreate() returns')
    // Optional, as in create().
    if (login?.count !== undefined) same(login.count, 1, 'the number that updateAndCreate() gives')
    same(await users.findById(user.id), changed, 'the user')
    same(await store.find(session.id), session, 'the session')

    const late = newSession({ userId: user.id })
    same(await logIn(user, changes, late, mails), null, 'updateAndCreate() at a version that has passed')
    const unknown = { ...user, id: 'nobody' }
    same(await logIn(unknown, changes, late, mails), null, 'updateAndCreate() of no user')
    await rejects(
      InvalidArgumentError,
      () => logIn(changed, { passwordHash: 'newer' }, session, mails),
      'updateAndCreate() with the id of a session',
    )
    const key = { usernameKey: other.usernameKey }
    await rejects(
      DuplicateError,
      () => logIn(changed, key, late, mails),
      "updateAndCreate() to another user's name",
    )
    same(await users.findById(user.id), changed, 'the user after four that failed')
    same(await store.listByUser(user.id), [session], 'the sessions after four that failed')
    const kept = await users.outbox?.count()
    if (kept !== undefined) same(kept.waiting, 1, 'the mails after one login, and four that failed')
  },

  'law 18: of logins and a change of password at the same moment one wins': async (store, second) => {
    const [one, other] = [loginsOf(store.withUsers), loginsOf(second.withUsers)]
    await rounds(parallelCalls, 6, async (callers, round) => {
      const user = await one.users.create(newUser())
      const made = callers.map((caller) => newSession({ id: `${user.id}-${caller}`, userId: user.id }))
      const { values, errors } = await race<unknown>(
        made.map((session, caller) => async () => {
          const { users, logIn } = inTurns(one, other)(caller)
          if (caller === 1) return users.update(user.id, { sessionEpoch: 1 }, user.version)
          return (await logIn(user, { lastLoginAt: new Date() }, session, []))?.user ?? null
        }),
      )
      noErrors(errors)
      const winners = values.filter((value) => value !== null)
      same(winners.length, 1, `the number of writes that won, in round ${round + 1}`)
      const there = await one.users.findById(user.id)
      same(there, winners[0], 'the user')
      const sessions = await store.listByUser(user.id)
      same(sessions.length, there?.sessionEpoch === 1 ? 0 : 1, 'the number of sessions, where one write won')
    })
  },
}

/** Where one write keeps a login and its session. */
function loginsOf(withUsers: SessionStore['withUsers']) {
  const updateAndCreate = withUsers?.updateAndCreate
  // Optional: only where both are in one database.
  if (withUsers === undefined || updateAndCreate === undefined) {
    return notChecked('withUsers.updateAndCreate')
  }
  return {
    users: withUsers.users,
    logIn: ({ id, version }: User, changes: UserChanges, session: Session, mails: readonly PendingMail[]) =>
      updateAndCreate.call(withUsers, id, changes, version, mails, session),
  }
}

/** What each request reads of a user. */
function visitor({ credentials, identityKeys, ...user }: StoredUser): User {
  return user
}
