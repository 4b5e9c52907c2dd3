import type { Compilable, Selectable } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import type { ActivityTable } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { type ActivityRow, activityColumns } from '../columns/activity-row.js'
import type { Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { affected, type On, statement } from '../run/statement.js'

type Rows = Promise<{ rows: Selectable<ActivityTable>[] }>
type Position = Pick<ActivityRow, 'happened_at' | 'id'>
type Of = Pick<ActivityRow, 'user_id'>

/** The SQL of the activity store. */
export interface ActivityStatements {
  /** Leaves out rows whose id is in use. */
  insert(rows: readonly ActivityRow[], on?: On): Promise<unknown>
  page(values: Of & { limit: number; after?: Position }): Rows
  /** The newest row of a user that is beyond the newest `keep`. */
  beyond(values: Of & { keep: number }, on?: On): Promise<Position | undefined>
  /** Removes a row of a user, and all older ones. */
  removeFrom(values: Of & Position, on?: On): Promise<unknown>
  removeAll(values: Of, on?: On): Promise<number>
  /** Removes one portion of what is from before `end`; `last` says whether it was the last. */
  removeExpired(end: number): Promise<{ count: number; last: boolean }>
}

/** Rows that one DELETE of expired entries removes: locks for a few milliseconds. */
const portion = 500

export function activityStatements(host: Database, { tables, columns }: Names): ActivityStatements {
  const db = withColumns(accountsDb(host), columns.activity)
  const { activity } = tables
  const isMysql = engineOf(host) === 'mysql'
  const newest = db
    .selectFrom(activity)
    .select(activityColumns)
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
  const remove = db.deleteFrom(activity)

  const firstPage = statement(db, (at: Of & { limit: number }) =>
    newest.where('user_id', '=', at.user_id).limit(at.limit),
  )
  const laterPage = statement(
    db,
    (at: Of & Position & { limit: number }): Compilable<Selectable<ActivityTable>> =>
      newest
        .where('user_id', '=', at.user_id)
        // A range that every engine reads from the index; a row value or an OR alone is a scan on some.
        .where('happened_at', '<=', at.happened_at)
        .where((eb) => eb.or([eb('happened_at', '<', at.happened_at), eb('id', '<', at.id)]))
        .limit(at.limit),
  )
  const beyond = statement(db, (at: Of & { keep: number }) =>
    newest
      .clearSelect()
      .select(['happened_at', 'id'])
      .where('user_id', '=', at.user_id)
      .limit(1)
      .offset(at.keep),
  )
  const removeAll = statement(db, (at: Of) => remove.where('user_id', '=', at.user_id))
  // First find where a portion ends: MySQL allows no LIMIT in a subquery, PostgreSQL none in a DELETE.
  const portionEnd = statement(db, (at: { end: number }) =>
    db
      .selectFrom(activity)
      .select('happened_at')
      .where('happened_at', '<', at.end)
      .orderBy('happened_at')
      .limit(1)
      .offset(portion - 1),
  )
  const removeUntil = statement(db, (at: { end: number }) => remove.where('happened_at', '<=', at.end))

  return {
    insert(rows, on = db) {
      const insert = db.insertInto(activity).values(rows)
      // ON DUPLICATE KEY would take the privilege to update. What else IGNORE ignores, the encoders have refused.
      const query = isMysql
        ? insert.ignore()
        : insert.onConflict((conflict) => conflict.column('id').doNothing())
      return on.executeQuery(query.compile())
    },
    page: ({ after, ...at }) => (after === undefined ? firstPage(at) : laterPage({ ...at, ...after })),
    async beyond(at, on) {
      const [row] = (await beyond(at, on)).rows
      return row && { happened_at: Number(row.happened_at), id: fromText(row.id) }
    },
    removeFrom: statement(db, (at: Of & Position) =>
      remove
        .where('user_id', '=', at.user_id)
        .where('happened_at', '<=', at.happened_at)
        .where((eb) => eb.or([eb('happened_at', '<', at.happened_at), eb('id', '<=', at.id)])),
    ),
    removeAll: async (at, on) => affected(await removeAll(at, on)),
    async removeExpired(end) {
      const [last] = (await portionEnd({ end })).rows
      const count = affected(await removeUntil({ end: last ? Number(last.happened_at) : end - 1 }))
      return { count, last: last === undefined }
    },
  }
}
