import type { Session, User } from 'fastify-accounts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import type { SessionsTable, UsersTable } from '../base/schema.js'
import type { Form } from '../columns/column-forms.js'
import type { FieldColumn } from '../columns/field-columns.js'
import { columnName, type Names } from '../columns/names.js'
import { isLive, sessionColumns, toSession } from '../columns/session-row.js'
import { requestColumnsOf, toUser } from '../columns/user-row.js'
import { type FindRow, keyedStatement } from '../run/keyed-statement.js'
import { cachedRows } from '../run/row-cache.js'

type Row = Record<string, unknown>
type SessionWithUser = { session: Session; user: User | null }
type RowPair = { session: Selectable<SessionsTable>; user: Selectable<UsersTable> | null }

/** Finds an unexpired session and its user, if there is one. Uses the row cache on SQLite. */
export function sessionsWithUsers(
  host: Database,
  sessionNames: Names,
  userNames: Names,
): FindRow<SessionWithUser> {
  const db = accountsDb(host)
  const ofSession = (column: string) => sql.id('s', columnName(sessionNames, 'sessions', column))
  const ofUser = (column: string) => sql.id('u', columnName(userNames, 'users', column))
  const [sessionForms, userForms] = [sessionNames.columns.sessions.forms, userNames.columns.users.forms]
  const read = (column: RawBuilder<unknown>, form: Form | undefined) => form?.read(column) ?? column
  const userColumns = requestColumnsOf(userNames.fields)
  // Both tables have an id: each column gets a name that says which table it is from.
  const names = [
    ...sessionColumns.map((column) => `s_${column}`),
    ...userColumns.map((column) => `u_${column}`),
  ]
  const columns = sql.join([
    ...sessionColumns.map(
      (column) => sql`${read(ofSession(column), sessionForms[column])} as ${sql.id(`s_${column}`)}`,
    ),
    ...userColumns.map(
      (column) => sql`${read(ofUser(column), userForms[column])} as ${sql.id(`u_${column}`)}`,
    ),
  ])
  // Of the type of the users' ids, so their index is used.
  const owner = userForms.id?.write(ofSession('user_id')) ?? ofSession('user_id')
  const from = sql.table(sessionNames.tables.sessions)
  const joined = sql.table(userNames.tables.users)
  const ask = keyedStatement<Row, { now: number }>(
    db,
    { columns: names, key: 's_id', values: () => ({ now: Date.now() }) },
    (id, at) => ({
      compile: () =>
        sql<Row>`select ${columns} from ${from} as s
          left join ${joined} as u on ${ofUser('id')} = ${owner}
          where ${ofSession('id')} = ${id} and ${ofSession('expires_at')} > ${at.now}`.compile(db),
    }),
  )

  const userOf = part<Selectable<UsersTable>>('u_', userColumns)
  const tables = [sessionNames.tables.sessions, userNames.tables.users]
  const rows = cachedRows<RowPair>(db, tables, async (id) => {
    const row = await ask(id)
    return row && { session: sessionOf(row), user: row.u_id === null ? null : userOf(row) }
  })
  return async (id) => toPair(await rows(id), userNames.fields)
}

function toPair(rows: RowPair | undefined, own: readonly FieldColumn[]): SessionWithUser | undefined {
  const session = rows && isLive(rows.session) ? toSession(rows.session) : null
  return rows && session ? { session, user: rows.user && toUser(rows.user, own) } : undefined
}

const sessionOf = part<Selectable<SessionsTable>>('s_', sessionColumns)

/** One table's columns, under their own names again; the database guarantees that they hold these types. */
function part<Table>(prefix: string, columns: readonly (keyof Table & string)[]): (row: Row) => Table {
  const names = columns.map((column): [string, string] => [column, prefix + column])
  return (row) => {
    const found: Row = {}
    for (const [column, name] of names) found[column] = row[name]
    return found as Table
  }
}
