import {
  assertText,
  callDeadline,
  InvalidArgumentError,
  type Session,
  type SessionStore,
  type UserStore,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { engineOf } from '../base/engine.js'
import { failureOf } from '../base/errors.js'
import { readClock } from '../base/read-clock.js'
import type { Tables } from '../base/schema.js'
import { traits } from '../base/traits.js'
import { toTime } from '../base/values.js'
import { resolveNames } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { isLive, type SessionRow, toSession, toSessionColumns, toSessionRow } from '../columns/session-row.js'
import { tablesOf } from '../inspect/describe-tables.js'
import { inspectTables } from '../inspect/inspect-tables.js'
import { createCalls } from '../run/calls.js'
import { inPortions } from '../run/in-portions.js'
import { cachedRows } from '../run/row-cache.js'
import { checkStoreOptions, freeOf, type StoreOptions } from '../run/store-options.js'
import { requireOrigin } from '../run/user-origin.js'
import { sessionStatements } from './session-statements.js'
import { sessionsWithUsers } from './sessions-with-users.js'

/** Options of `createKyselySessionStore`. */
export interface SessionStoreOptions extends StoreOptions {
  /**
   * The user store that `createKyselyUserStore` made on the same `db` and that you pass to the plugin. One statement
   * then finds a session and its user, which halves the cost of checking who is logged in, and a login, or a change
   * that ends sessions, is one transaction.
   */
  userStore?: UserStore | undefined
}

/**
 * Keeps sessions in an SQL table, created by `migrate`.
 *
 * It has no foreign key to the users: they may be stored elsewhere, and a session whose user is gone grants nothing,
 * since the plugin looks up the user each time.
 * @throws TypeError if an option is wrong
 */
export function createKyselySessionStore(options: SessionStoreOptions): SessionStore {
  const { db, userStore } = options
  checkStoreOptions(options, 'userStore')
  const names = resolveNames(options, engineOf(db))
  const sql = sessionStatements(db, names)
  const calls = createCalls(db, freeOf(options))
  const rows = cachedRows(db, [names.tables.sessions], sql.live)
  const isTwoStatements = !traits[engineOf(db)].returning
  const onSessions = (on: Kysely<Tables> | undefined) => on && withColumns(on, names.columns.sessions)

  async function insert(row: SessionRow, on: Kysely<Tables> | undefined): Promise<number> {
    try {
      return await sql.insert(row, onSessions(on))
    } catch (error) {
      if (failureOf(error) !== 'duplicate') throw error
      throw new InvalidArgumentError('id is in use', { cause: error })
    }
  }

  function removeOfUser(
    user_id: string,
    exceptId: string | undefined,
    on: Kysely<Tables> | undefined,
  ): Promise<number> {
    return exceptId === undefined
      ? sql.removeOfUser({ user_id }, onSessions(on))
      : sql.removeOthersOfUser({ user_id, id: exceptId }, onSessions(on))
  }

  return {
    async create(session) {
      const row = toSessionRow(session)
      return calls.run((write) => write((on) => insert(row, on), isTwoStatements))
    },

    async find(id) {
      assertText('id', id)
      return calls.run(async () => toLive(await rows(id)))
    },

    async touch(id, { lastSeenAt, expiresAt }) {
      assertText('id', id)
      const seen = {
        id,
        last_seen_at: toTime('lastSeenAt', lastSeenAt),
        expires_at: toTime('expiresAt', expiresAt),
      }
      return calls.run((write) => write((on) => sql.touch({ ...seen, now: Date.now() }, onSessions(on))))
    },

    async change(id, from, changes) {
      assertText('id', id)
      const columns = toSessionColumns(changes)
      return calls.run((write) =>
        write((on) => sql.change({ id, from }, columns, Date.now(), onSessions(on))),
      )
    },

    async delete(id) {
      assertText('id', id)
      return calls.run((write) => write((on) => sql.remove({ id }, onSessions(on))))
    },

    async listByUser(userId) {
      assertText('userId', userId)
      const { rows } = await calls.run(() => sql.liveOfUser({ user_id: userId, now: Date.now() }))
      return rows.map(toSession).filter((session) => session !== null)
    },

    async deleteByUser(userId, exceptId) {
      assertText('userId', userId)
      if (exceptId !== undefined) assertText('exceptId', exceptId)
      return calls.run((write) => write((on) => removeOfUser(userId, exceptId, on)))
    },

    async deleteExpired(now) {
      const end = toTime('now', now)
      return inPortions(calls, () => sql.removeExpired(end))
    },

    now: () => calls.run(() => readClock(db)),

    inspect: () => calls.run(() => inspectTables(db, names, ['sessions'])),

    tables: () => tablesOf(names, ['sessions']),

    ...(userStore && { withUsers: withUsers(userStore) }),

    close: calls.close,
  }

  function withUsers(users: UserStore): SessionStore['withUsers'] {
    const origin = requireOrigin(users, db)
    const findPair = sessionsWithUsers(db, names, origin.names)
    return {
      users,
      async find(id) {
        assertText('id', id)
        return calls.run(async () => (await findPair(id)) ?? null)
      },
      async update(id, changes, expectedVersion, messages, sessions) {
        const { create, change, deleteOthers = false } = sessions
        const row = create && toSessionRow(create)
        if (change) assertText('change.id', change.id)
        const columns = toSessionColumns(change?.changes ?? {})
        const update = { id, changes, expectedVersion, messages, deadline: callDeadline() }
        return calls.run(async (write) => {
          let count: number | undefined
          let isChanged = false
          const user = await origin.update(write, update, async (transaction) => {
            // It may run again, after a rollback.
            count = undefined
            const on = onSessions(transaction)
            isChanged =
              change !== undefined && (await sql.change({ ...change, of: id }, columns, Date.now(), on))
            if (deleteOthers) await removeOfUser(id, change?.id, transaction)
            if (row) count = await insert(row, transaction)
          })
          return user && { user, isChanged, count }
        })
      },
    }
  }
}

function toLive(row: Parameters<typeof toSession>[0] | undefined): Session | null {
  return row && isLive(row) ? toSession(row) : null
}
