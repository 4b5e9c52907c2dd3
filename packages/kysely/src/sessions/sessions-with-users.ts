import type { Session, User } from 'fastify-accounts'
import { type Selectable, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import type { SessionsTable, UsersTable } from '../base/schema.js'
import type { FieldColumn } from '../columns/field-columns.js'
import type { Names } from '../columns/names.js'
import { isLive, sessionColumns, toSession } from '../columns/session-row.js'
import { requestColumnsOf, toUser } from '../columns/user-row.js'
import { type JoinedRow, joinedTable } from '../run/joined-table.js'
import { type FindRow, keyedStatement } from '../run/keyed-statement.js'
import { cachedRows } from '../run/row-cache.js'

type SessionWithUser = { session: Session; user: User | null }
type RowPair = { session: Selectable<SessionsTable>; user: Selectable<UsersTable> | null }

/** Finds an unexpired session and its user, if there is one. Uses the row cache on SQLite. */
export function sessionsWithUsers(
  host: Database,
  sessionNames: Names,
  userNames: Names,
): FindRow<SessionWithUser> {
  const db = accountsDb(host)
  const sessions = joinedTable<SessionsTable>(sessionNames, 'sessions', 's', sessionColumns)
  const users = joinedTable<UsersTable>(userNames, 'users', 'u', requestColumnsOf(userNames.fields))
  // Of the type of the users' ids, so their index is used.
  const ownerId = sessions.column('user_id')
  const owner = userNames.columns.users.forms.id?.write(ownerId) ?? ownerId
  const ask = keyedStatement<JoinedRow, { now: number }>(
    db,
    { columns: [...sessions.names, ...users.names], key: 's_id', values: () => ({ now: Date.now() }) },
    (id, at) => ({
      compile: () =>
        sql<JoinedRow>`select ${sql.join([...sessions.selected, ...users.selected])} from ${sessions.from}
          left join ${users.from} on ${users.column('id')} = ${owner}
          where ${sessions.column('id')} = ${id} and ${sessions.column('expires_at')} > ${at.now}`.compile(
          db,
        ),
    }),
  )

  const tables = [sessionNames.tables.sessions, userNames.tables.users]
  const rows = cachedRows<RowPair>(db, tables, async (id) => {
    const row = await ask(id)
    return row && { session: sessions.rowOf(row), user: row.u_id === null ? null : users.rowOf(row) }
  })
  return async (id) => toPair(await rows(id), userNames.fields)
}

function toPair(rows: RowPair | undefined, own: readonly FieldColumn[]): SessionWithUser | undefined {
  const session = rows && isLive(rows.session) ? toSession(rows.session) : null
  return rows && session ? { session, user: rows.user && toUser(rows.user, own) } : undefined
}
