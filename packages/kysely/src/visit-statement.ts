import type { Session, User } from 'fastify-accounts'
import { type Compilable, type Kysely, type Selectable, sql } from 'kysely'
import type { Names } from './names.js'
import { remembered } from './remembered.js'
import { accountsDb, type SessionsTable, type UsersTable } from './schema.js'
import { isLive, sessionColumns, toSessions } from './session-row.js'
import { statement } from './statement.js'
import { requestColumns, toUser } from './user-row.js'

type Row = Record<string, unknown>

/** A session that has not expired, and its user, where there is one; the query is compiled once. */
export function visitStatement<DB>(
  host: Kysely<DB>,
  sessionNames: Names,
  userNames: Names,
): (id: string) => Promise<{ session: Session; user: User | null } | null> {
  const db = accountsDb(host)
  const ofSession = (column: string) => sql.id('s', sessionNames.columns.sessions[column] ?? column)
  const ofUser = (column: string) => sql.id('u', userNames.columns.users[column] ?? column)
  // Both tables have an id: each column goes by a name that tells whose it is.
  const columns = sql.join([
    ...sessionColumns.map((column) => sql`${ofSession(column)} as ${sql.id(`s_${column}`)}`),
    ...requestColumns.map((column) => sql`${ofUser(column)} as ${sql.id(`u_${column}`)}`),
  ])
  const from = sql.table(sessionNames.tables.sessions)
  const joined = sql.table(userNames.tables.users)
  const ask = statement(
    db,
    (at: { id: string; now: number }): Compilable<Row> => ({
      compile: () =>
        sql<Row>`select ${columns} from ${from} as s left join ${joined} as u on ${ofUser('id')} = ${ofSession('user_id')}
          where ${ofSession('id')} = ${at.id} and ${ofSession('expires_at')} > ${at.now} limit 1`.compile(db),
    }),
  )

  const tables = [sessionNames.tables.sessions, userNames.tables.users]
  const rowOf = remembered(db, tables, async (id) => (await ask({ id, now: Date.now() })).rows[0])

  return async (id) => {
    const row = await rowOf(id)
    if (row === undefined) return null
    const sessionRow = sessionOf(row)
    const [session] = isLive(sessionRow) ? toSessions([sessionRow]) : []
    if (session === undefined) return null
    if (row.u_id === null) return { session, user: null }
    return { session, user: toUser(userOf(row)) }
  }
}

const sessionOf = part<Selectable<SessionsTable>>('s_', sessionColumns)
const userOf = part<Selectable<UsersTable>>('u_', requestColumns)

/** The columns of one table, by their own names again; that they hold what it says, is the database's word. */
function part<Table>(prefix: string, columns: readonly (keyof Table & string)[]): (row: Row) => Table {
  const names = columns.map((column): [string, string] => [column, prefix + column])
  return (row) => {
    const found: Row = {}
    for (const [column, name] of names) found[column] = row[name]
    return found as Table
  }
}
