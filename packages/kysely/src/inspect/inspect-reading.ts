import { sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import { fromText } from '../base/values.js'

/** Letters of two, three and four bytes. */
const sample = 'ä€😀'

/**
 * Whether the driver changes texts that are stored as bytes, as a `typeCast` of mysql2 does that takes each VARBINARY for a
 * text: its own conversion reads them as Latin-1, so users with other letters in their names are not found again.
 */
export async function inspectReading(host: Database): Promise<string[]> {
  if (engineOf(host) !== 'mysql') return []
  const query = sql<{
    username_key: unknown
  }>`select unhex(${Buffer.from(sample).toString('hex')}) as username_key`
  const [row] = (await query.execute(accountsDb(host))).rows
  const value = row?.username_key
  const isRead = (typeof value === 'string' || value instanceof Uint8Array) && fromText(value) === sample
  if (isRead) return []
  return [
    'the driver changes the bytes of VARBINARY columns: have typeCast of mysql2 call next() for them, or return field.buffer()',
  ]
}
