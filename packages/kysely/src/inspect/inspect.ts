import { sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'

/**
 * The missing limits of a connection, one line each: without them the server goes on waiting, and holds its locks, after the 503.
 * @param within milliseconds in which the server must have given up
 */
export async function inspectLimits(host: Database, within: number): Promise<string[]> {
  const engine = engineOf(host)
  if (engine === 'sqlite') return []
  const db = accountsDb(host)
  const { rows } =
    engine === 'postgres'
      ? await sql<Setting>`select name, setting as value from pg_settings
          where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
          db,
        )
      : await sql<{ Variable_name: string; Value: string }>`show session variables where Variable_name in
          ('max_statement_time', 'max_execution_time', 'innodb_lock_wait_timeout', 'lock_wait_timeout', 'idle_transaction_timeout')`
          .execute(db)
          .then(({ rows }) => ({ rows: rows.map((row) => ({ name: row.Variable_name, value: row.Value })) }))
  return rows.flatMap(({ name, value }) => {
    const limit = Number(value) * (units[name] ?? 1)
    const most = name.startsWith('idle') ? Number.POSITIVE_INFINITY : within
    if (limit > 0 && limit < most) return []
    const found = limit === 0 ? 'is off' : `is ${limit} ms, not below the ${within} ms of adapterTimeout`
    return [
      `${name} ${found}: the server goes on waiting after the 503; ${engine === 'postgres' ? 'openPostgres' : 'openMysql'} sets it, or ${engine === 'postgres' ? 'ALTER ROLE … SET' : 'the server'} does`,
    ]
  })
}

interface Setting {
  name: string
  value: string
}

/** Milliseconds, for those that are in seconds. */
const units: Partial<Record<string, number>> = {
  max_statement_time: 1000,
  innodb_lock_wait_timeout: 1000,
  lock_wait_timeout: 1000,
  idle_transaction_timeout: 1000,
}
