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

type TouchValues = Pick<SessionRow, 'id' | 'last_seen_at' | 'expires_at'> &
  Partial<Pick<SessionRow, 'seen_generation'>> & { now: number }
type ChangedSession = { id: string; from: number; of?: string }
type ChangeValues = SessionRow & Required<ChangedSession> & { now: number }

/** The SQL of the session store, each query compiled once. `now` is the process's clock, in milliseconds. */
export interface SessionStatements {
  /** Resolves to how many its user has then. On engines without `RETURNING`, these are two statements. */
  insert(row: SessionRow, on?: On): Promise<number>
  live: FindRow<Selectable<SessionsTable>>
  liveOfUser(values: { user_id: string; now: number }): Rows
  /** Doesn't lower `seen_generation`, which may be absent. */
  touch(values: TouchValues, on?: On): Promise<boolean>
  /** Writes the columns if the session is live, has the generation and, if it is given, the user. */
  change(which: ChangedSession, columns: Partial<SessionRow>, now: number, on?: On): Promise<boolean>
  remove(values: { id: string }, on?: On): Promise<boolean>
  /** Only if it is this user's. */
  removeOwn(values: { id: string; user_id: string }, on?: On): Promise<boolean>
  /** Only if it has this generation. */
  removeOf(values: { id: string; generation: number }, on?: On): Promise<boolean>
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
  const touchTimes = statement(db, (at: TouchValues) =>
    updateLive(at).set({ last_seen_at: at.last_seen_at, expires_at: at.expires_at }),
  )
  const touchWithGeneration = statement(db, (at: Required<TouchValues>) =>
    updateLive(at).set((eb) => ({
      last_seen_at: at.last_seen_at,
      expires_at: at.expires_at,
      seen_generation: eb
        .case()
        .when('seen_generation', '<', at.seen_generation)
        .then(at.seen_generation)
        .else(eb.ref('seen_generation').$castTo<number>())
        .end(),
    })),
  )
  async function touch({ seen_generation, ...times }: TouchValues, on?: On): Promise<boolean> {
    return isOne(
      seen_generation === undefined
        ? touchTimes(times, on)
        : touchWithGeneration({ ...times, seen_generation }, on),
    )
  }
  // The code, not the client, decides which columns change together: there are few such sets.
  const changeOf = memo(({ columns, hasUser }: { columns: Partial<SessionRow>; hasUser: boolean }) => {
    const changed = Object.keys(columns) as (keyof SessionRow)[]
    const build = (at: ChangeValues) => {
      const change = updateLive(at).set(pick(at, changed)).where('generation', '=', at.from)
      return hasUser ? change.where('user_id', '=', at.of) : change
    }
    return [`${hasUser} ${changed.join()}`, () => statement(db, build)] as const
  })
  const removeOne = statement(db, (at: { id: string }) => remove.where('id', '=', at.id))
  const removeOneOwn = statement(db, (at: { id: string; user_id: string }) =>
    remove.where('id', '=', at.id).where('user_id', '=', at.user_id),
  )
  const removeOneOf = statement(db, (at: { id: string; generation: number }) =>
    remove.where('id', '=', at.id).where('generation', '=', at.generation),
  )
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
    touch,
    async change(which, changes, now, on) {
      if (!Number.isSafeInteger(which.from)) return false // no session has such a generation
      // Without any, it still says whether the session has this generation.
      const columns = { generation: which.from, ...changes }
      const change = changeOf({ columns, hasUser: which.of !== undefined })
      return isOne(change({ ...columns, ...which, now } as ChangeValues, on))
    },
    remove: (values, on) => isOne(removeOne(values, on)),
    removeOwn: (values, on) => isOne(removeOneOwn(values, on)),
    removeOf: (values, on) => isOne(removeOneOf(values, on)),
    removeOfUser: async (values, on) => affected(await removeAll(values, on)),
    removeOthersOfUser: async (values, on) => affected(await removeOthers(values, on)),
    async removeExpired(now) {
      const [end] = (await portionEnd({ now })).rows
      const count = affected(await removeUntil({ end: end ? Number(end.expires_at) : now }))
      return { count, last: end === undefined }
    },
  }
}
