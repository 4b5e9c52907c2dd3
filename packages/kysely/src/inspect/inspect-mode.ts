import { sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'

/**
 * Whether MySQL cuts what a column has no room for, one line: for columns that the host has made. Our own have room for
 * everything.
 */
export async function inspectMode(host: Database): Promise<string[]> {
  if (engineOf(host) !== 'mysql') return []
  const query = sql<{ mode: string }>`select @@session.sql_mode as mode`
  const { rows } = await query.execute(accountsDb(host))
  if (/STRICT_(?:TRANS|ALL)_TABLES|TRADITIONAL/.test(rows[0]?.mode ?? '')) return []
  return [
    "the SQL mode isn't strict: values that a column has no room for are cut or changed; add STRICT_TRANS_TABLES to sql_mode",
  ]
}
