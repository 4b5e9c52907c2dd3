import type { SessionState } from 'fastify-accounts'
import type { Selectable } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import type { SessionsTable } from '../base/schema.js'
import { traits } from '../base/traits.js'
import type { Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { type SessionRow, sessionColumns } from '../columns/session-row.js'
import { type FindRow, keyedStatement } from '../run/keyed-statement.js'
import { affected, isOne, memo, type On, pick, type SelectFrom, statement } from '../run/statement.js'

/** Rows that one DELETE of expired sessions removes: locks for a few milliseconds. */
export const portion = 500

type Rows = Promise<{ rows: Selectable<SessionsTable>[] }>

type TouchValues = Pick<SessionRow, 'id' | 'last_seen_at' | 'expires_at'> & { now: number }
type ChangedSession = { id: string; from: SessionState; of?: string }
type OldValues = { old_generation: number; old_seen_generation: number; old_confirmation: number }
type ChangeValues = SessionRow & OldValues & { of: string; now: number }

/** The SQL of the session store, each query compiled once. `now` is the process's clock, in milliseconds. */
export interface SessionStatements {
  /** Resolves to how many its user has then. On engines without `RETURNING`, these are two statements. */
  insert(row: SessionRow, on?: On): Promise<number>
  live: FindRow<Selectable<SessionsTable>>
  liveOfUser(values: { user_id: string; now: number }): Rows
  touch(values: TouchValues, on?: On): Promise<boolean>
  /** Writes the columns if the session is live, as `from` says and, if `of` is given, this user's. */
  change(which: ChangedSession, columns: Partial<SessionRow>, now: number, on?: On): Promise<boolean>
  remove(values: { id: string }, on?: On): Promise<boolean>
  removeOfUser(values: { user_id: string }, on?: On): Promise<number>
  /** All but the one with this id. */
  removeOthersOfUser(values: { user_id: string; id: string }, on?: On): Promise<number>
  /** Removes one portion of what had expired at `now`; `last` says whether it was the last. */
  removeExpired(now: number): Promise<{ count: number; last: boolean }>
}

export function sessionStatements(host: Database, { tables, columns }: Names): SessionStatements {
  const db = withColumns(accountsDb(host), columns.sessions)
  const { sessions } = tables
  const select = db.selectFrom(sessions).select(sessionColumns)
  const remove = db.deleteFrom(sessions)

  const insertOne = (at: SessionRow) => db.insertInto(sessions).values(pick(at, sessionColumns))
  // Excludes the row itself, which one engine sees in what its INSERT returns and another does not.
  const others = (from: SelectFrom, at: Pick<SessionRow, 'id' | 'user_id'>) =>
    from
      .selectFrom(sessions)
      .select((eb) => eb.fn.count<number | string>('id').as('others'))
      .where('user_id', '=', at.user_id)
      .where('id', '!=', at.id)
  const insertReturning = statement(db, (at: SessionRow) =>
    insertOne(at).returning((eb) => others(eb as SelectFrom, at).as('others')),
  )
  const insertOnly = statement(db, insertOne)
  const countOthers = statement(db, (at: SessionRow) => others(db, at))
  async function insertThenCount(row: SessionRow, on?: On) {
    await insertOnly(row, on)
    return countOthers(row, on)
  }
  const insert = traits[engineOf(host)].returning ? insertReturning : insertThenCount

  const updateLive = (at: { id: string; now: number }) =>
    db.updateTable(sessions).where('id', '=', at.id).where('expires_at', '>', at.now)
  const touch = statement(db, (at: TouchValues) =>
    updateLive(at).set({ last_seen_at: at.last_seen_at, expires_at: at.expires_at }),
  )
  // The code, not the client, decides which columns change together: there are few such sets.
  const changeOf = memo(({ columns, hasUser }: { columns: Partial<SessionRow>; hasUser: boolean }) => {
    const changed = Object.keys(columns) as (keyof SessionRow)[]
    const build = (at: ChangeValues) => {
      const change = updateLive(at)
        .set(pick(at, changed))
        .where('generation', '=', at.old_generation)
        .where('seen_generation', '=', at.old_seen_generation)
        .where('confirmation', '=', at.old_confirmation)
      return hasUser ? change.where('user_id', '=', at.of) : change
    }
    return [`${hasUser} ${changed.join()}`, () => statement(db, build)] as const
  })
  const removeOne = statement(db, (at: { id: string }) => remove.where('id', '=', at.id))
  const removeAll = statement(db, (at: { user_id: string }) => remove.where('user_id', '=', at.user_id))
  const removeOthers = statement(db, (at: { user_id: string; id: string }) =>
    remove.where('user_id', '=', at.user_id).where('id', '!=', at.id),
  )
  // First find where a portion ends: MySQL allows no LIMIT in a subquery, PostgreSQL none in a DELETE.
  const portionEnd = statement(db, (at: { now: number }) =>
    db
      .selectFrom(sessions)
      .select('expires_at')
      .where('expires_at', '<=', at.now)
      .orderBy('expires_at')
      .limit(1)
      .offset(portion - 1),
  )
  const removeUntil = statement(db, (at: { end: number }) => remove.where('expires_at', '<=', at.end))

  return {
    insert: async (row, on) => Number((await insert(row, on)).rows[0]?.others) + 1,
    live: keyedStatement(
      db,
      { columns: sessionColumns, key: 'id', values: () => ({ now: Date.now() }) },
      (id, at) => select.where('id', '=', id).where('expires_at', '>', at.now),
    ),
    liveOfUser: statement(db, (at: { user_id: string; now: number }) =>
      select
        .where('user_id', '=', at.user_id)
        .where('expires_at', '>', at.now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc'),
    ),
    touch: (values, on) => isOne(touch(values, on)),
    async change({ id, from, of }, changes, now, on) {
      const old: OldValues = {
        old_generation: from.generation,
        old_seen_generation: from.seenGeneration,
        old_confirmation: from.confirmation,
      }
      if (!Object.values(old).every(Number.isSafeInteger)) return false // no session has such a number
      // Without any, it still says whether the session is as `from` says.
      const columns = { generation: from.generation, ...changes }
      const change = changeOf({ columns, hasUser: of !== undefined })
      return isOne(change({ ...columns, ...old, id, of, now } as ChangeValues, on))
    },
    remove: (values, on) => isOne(removeOne(values, on)),
    removeOfUser: async (values, on) => affected(await removeAll(values, on)),
    removeOthersOfUser: async (values, on) => affected(await removeOthers(values, on)),
    async removeExpired(now) {
      const [end] = (await portionEnd({ now })).rows
      const count = affected(await removeUntil({ end: end ? Number(end.expires_at) : now }))
      return { count, last: end === undefined }
    },
  }
}
