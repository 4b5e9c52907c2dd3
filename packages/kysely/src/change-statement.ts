import type { PendingMail, SessionChanges } from 'fastify-accounts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'
import { engineOf } from './engine.js'
import { refusesStatement } from './errors.js'
import { jsonColumn, jsonStatement, rowOf } from './json-rows.js'
import { columnName, type Names } from './names.js'
import { outboxColumns, toOutboxRow } from './outbox-row.js'
import type { UsersTable } from './schema.js'
import { type SessionRow, sessionColumns } from './session-row.js'
import { memo, type On } from './statement.js'
import { type UserRow, userColumns } from './user-row.js'

/** A user as the table stores them. */
type FoundUser = Selectable<UsersTable>

/** Changes to a user and, if given, to their sessions. */
export interface UserAndSessionChange {
  id: string
  columns: Partial<UserRow>
  expected: number
  mails: readonly PendingMail[]
  create?: SessionRow | undefined
  sessions?: Pick<SessionChanges, 'replaces' | 'deleteOthers'>
}

/** The changed user, whether the session was created, and how many sessions the user has then. */
export interface Changed {
  user: FoundUser
  isCreated: boolean
  count: number | undefined
}

/** Resolves to `undefined` if the user has no such version. */
export type ChangeStatement = (change: UserAndSessionChange, on?: On) => Promise<Changed | undefined>

/**
 * Changes a user, their sessions and the mails about it in one statement, so in one round trip. Only PostgreSQL can do
 * that: parts of a statement may write there, depending on what others wrote. A change without sessions doesn't touch
 * their table, which may not exist in this database.
 *
 * All parts see the tables as they were when the statement began. So a session that another process saves while this one
 * waits for the user's row is not deleted; but it has the epoch that this change ends.
 */
export function changeStatement(
  host: Database,
  userNames: Names,
  sessionNames: Names,
): ChangeStatement | undefined {
  if (engineOf(host) !== 'postgres') return undefined
  const db = accountsDb(host)
  const users = sql.table(userNames.tables.users)
  const sessions = sql.table(sessionNames.tables.sessions)
  const outbox = sql.table(userNames.tables.outbox)
  const userColumn = (name: string) => sql.id(columnName(userNames, 'users', name))
  const sessionName = (name: string) => columnName(sessionNames, 'sessions', name)
  const sessionColumn = (name: string) => sql.id(sessionName(name))
  const mailName = (name: string) => columnName(userNames, 'outbox', name)
  const ofSession = (name: string) => sql`${sessions}.${sessionColumn(name)}`
  const list = (parts: RawBuilder<unknown>[]) => sql.join(parts)

  /** @param changed the columns of the user that it sets */
  function build(changed: readonly string[], { creates, replaces, deletes, tells }: Record<Part, boolean>) {
    return jsonStatement<Values, Found>(db, (at) => ({
      compile() {
        const set = changed.map((name) => sql`${userColumn(name)} = ${at[`set ${name}`]}`)
        const columns = list(sessionColumns.map(sessionColumn))
        const mailColumns = list(outboxColumns.map((name) => sql.id(mailName(name))))
        const ofOthers = sql`${ofSession('user_id')} = ${at.id} and ${ofSession('id')} <> ${at.replaces}`
        const parts = [
          sql`${cte.changed} as (update ${users} set ${list(set)}
            where ${userColumn('id')} = ${at.id} and ${userColumn('version')} = ${at.expected}
            returning ${list(userColumns.map(userColumn))})`,
          replaces &&
            sql`${cte.replaced} as (delete from ${sessions} using ${cte.changed} where ${ofSession('id')} = ${at.replaces} returning 1)`,
          deletes && sql`${cte.deleted} as (delete from ${sessions} using ${cte.changed} where ${ofOthers})`,
          // The types of a row are the table's own.
          creates &&
            sql`${cte.created} as (insert into ${sessions} (${columns})
              select ${columns} from json_populate_record(null::${sessions}, ${at.session}::json)
              where exists (select from ${replaces ? cte.replaced : cte.changed}) returning 1)`,
          tells &&
            sql`${cte.told} as (insert into ${outbox} (${mailColumns})
              select ${mailColumns} from json_populate_recordset(null::${outbox}, ${at.mails}::json)
              where exists (select from ${cte.changed}))`,
        ]
        const counts = sql`(select count(*) from ${cte.created}),
          (select count(*) from ${sessions} where ${ofOthers} and ${ofSession('id')} <> ${at.sessionId})`
        return sql`with ${list(parts.filter((part) => part !== false))}
          select json_build_array(json_build_array(${list(userColumns.map(userColumn))}),
            ${creates ? counts : sql`0, 0`})::text as ${sql.id(jsonColumn)} from ${cte.changed}`.compile(db)
      },
    }))
  }

  const changeOf = memo((shape: { changed: string[]; parts: Record<Part, boolean> }) => {
    return [JSON.stringify(shape), () => build(shape.changed, shape.parts)] as const
  })

  return async ({ id, columns, expected, mails, create, sessions = {} }, on) => {
    const { replaces, deleteOthers = false } = sessions
    const changes = { ...columns, version: expected + 1 }
    const parts = {
      ...{ creates: create !== undefined, replaces: replaces !== undefined },
      ...{ deletes: deleteOthers, tells: mails.length > 0 },
    }
    const change = changeOf({ changed: Object.keys(changes), parts })
    const session = renamed({ ...create }, sessionName)
    const told = mails.map((mail) => renamed(toOutboxRow(mail), mailName))
    const found = await change(
      {
        ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [`set ${name}`, value])),
        ...{ id, expected, replaces: replaces ?? '', sessionId: create?.id ?? '' },
        ...{ session: JSON.stringify(session), mails: JSON.stringify(told) },
      },
      on,
    )
    if (found === undefined) return undefined
    const [user, created, others] = found
    return {
      user: rowOf<FoundUser>(userColumns, user),
      isCreated: created > 0,
      count: created === 0 ? undefined : deleteOthers ? 1 : others + 1,
    }
  }
}

/**
 * Makes the change in one statement, or in a transaction if the server refuses that. The transaction finds out what is in
 * use, and works with triggers, rules and types of the app that one statement doesn't allow.
 */
export async function orInTransaction<T>(
  inOneStatement: () => Promise<T>,
  inTransaction: () => Promise<T>,
): Promise<T> {
  try {
    return await inOneStatement()
  } catch (error) {
    if (!refusesStatement(error)) throw error
    return inTransaction()
  }
}

/** The parts of the statement. No table has these names. */
const cte = {
  changed: sql.id('cte:changed'),
  replaced: sql.id('cte:replaced'),
  deleted: sql.id('cte:deleted'),
  created: sql.id('cte:created'),
  told: sql.id('cte:told'),
}

type Part = 'creates' | 'replaces' | 'deletes' | 'tells'
type Values = Record<string, string | number | null>
type Found = [user: unknown[], created: number, others: number]

function renamed(row: object, nameOf: (name: string) => string): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]))
}
