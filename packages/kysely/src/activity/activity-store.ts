import { type ActivityStore, assertText } from 'fastify-accounts'
import { engineOf } from '../base/engine.js'
import { toTime, toWhole } from '../base/values.js'
import { toActivityEntry, toActivityRow } from '../columns/activity-row.js'
import { resolveNames } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { tablesOf } from '../inspect/describe-tables.js'
import { inspectTables } from '../inspect/inspect-tables.js'
import { createCalls } from '../run/calls.js'
import { inPortions } from '../run/in-portions.js'
import type { On } from '../run/statement.js'
import { checkStoreOptions, freeOf, type StoreOptions } from '../run/store-options.js'
import { activityStatements } from './activity-statements.js'

/** Rows that one INSERT adds: SQLite allows 32,766 parameters, the others more. */
const portion = 1000

/**
 * Keeps what has happened to each account in an SQL table, created by `migrate`.
 *
 * It has no foreign key to the users: they may be stored elsewhere, and the plugin removes what is left of a deleted one.
 * @throws TypeError if an option is wrong
 */
export function createKyselyActivity(options: StoreOptions): ActivityStore {
  const { db } = options
  checkStoreOptions(options)
  const names = resolveNames(options, engineOf(db))
  const sql = activityStatements(db, names)
  const calls = createCalls(db, freeOf(options))

  const inTransaction = <T>(change: (on?: On) => Promise<T>): Promise<T> =>
    calls.run((write) => write((on) => change(on && withColumns(on, names.columns.activity)), true))

  return {
    async add(entries, keep) {
      const rows = entries.map(toActivityRow)
      toWhole('keep', keep)
      for (let from = 0; from < rows.length; from += portion) {
        const some = rows.slice(from, from + portion)
        const userIds = new Set(some.map((row) => row.user_id))
        await inTransaction(async (on) => {
          await sql.insert(some, on)
          for (const user_id of userIds) {
            const first = await sql.beyond({ user_id, keep }, on)
            if (first) await sql.removeFrom({ user_id, ...first }, on)
          }
        })
      }
    },

    async list(userId, { limit, after }) {
      assertText('userId', userId)
      if (after) assertText('after.id', after.id)
      const position = after && { happened_at: toTime('after.at', after.at), id: after.id }
      const page = { user_id: userId, limit, ...(position && { after: position }) }
      return (await calls.run(() => sql.page(page))).rows.map(toActivityEntry)
    },

    async removeAll(userId) {
      assertText('userId', userId)
      return inTransaction((on) => sql.removeAll({ user_id: userId }, on))
    },

    async deleteExpired(before) {
      const end = toTime('before', before)
      return inPortions(calls, () => sql.removeExpired(end))
    },

    inspect: () => calls.run(() => inspectTables(db, names, ['activity'])),

    tables: () => tablesOf(names, ['activity']),

    close: calls.close,
  }
}
