import { sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import { lacksPrivilege, namesUnknownColumn, namesUnknownTable } from '../base/errors.js'
import { columnName, type Names } from '../columns/names.js'

type Table = Exclude<keyof Names['tables'], 'migrations'>

/** A column that a statement sets in each table; identities and activity are inserted or deleted, never updated. */
const updated: Record<Table, string | null> = {
  users: 'version',
  identities: null,
  sessions: 'last_seen_at',
  invitations: 'sends',
  activity: null,
  organizations: 'version',
  organizationMembers: 'since',
  outbox: 'due_at',
}

/**
 * The missing privileges on these tables, one line each. Each is tried with a statement that finds no row: the server
 * checks privileges all the same.
 */
export async function inspectPrivileges(
  host: Database,
  names: Names,
  tables: readonly Table[],
): Promise<string[]> {
  // On SQLite, anyone who may write to the file may do everything.
  if (engineOf(host) === 'sqlite') return []
  const db = accountsDb(host)
  const lines: string[] = []
  for (const key of tables) {
    const table = sql.table(names.tables[key])
    const columns = Object.keys(names.columns[key].names).map((name) => sql.id(columnName(names, key, name)))
    const set = updated[key]
    const attempts = {
      select: sql`select ${sql.join(columns)} from ${table} where 1 = 0`,
      insert: sql`insert into ${table} (${sql.join(columns)})
        select ${sql.join(columns.map(() => sql`null`))} from (select 1 as one) as nobody where 1 = 0`,
      ...(set && { update: sql`update ${table} set ${sql.id(columnName(names, key, set))} = 0 where 1 = 0` }),
      delete: sql`delete from ${table} where 1 = 0`,
    }
    for (const [privilege, attempt] of Object.entries(attempts)) {
      const isMissing = await attempt.execute(db).then(
        () => false,
        (error: unknown) => {
          // A table or column that doesn't exist is reported elsewhere.
          const isUnknown = namesUnknownTable(error) || namesUnknownColumn(error)
          if (!lacksPrivilege(error) && !isUnknown) throw error
          return lacksPrivilege(error)
        },
      )
      if (isMissing)
        lines.push(`the database user lacks the privilege ${privilege} on ${names.tables[key]}: grant it`)
    }
  }
  return lines
}
