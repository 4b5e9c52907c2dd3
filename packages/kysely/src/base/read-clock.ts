import { sql } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Database } from './database.js'
import { engineOf } from './engine.js'
import { traits } from './traits.js'

/** The time by the clock of the database, in whole milliseconds. */
export async function readClock(host: Database): Promise<Date> {
  const { now } = traits[engineOf(host)]
  const { rows } = await sql<{ now: unknown }>`select ${now} as now`.execute(accountsDb(host))
  return new Date(Number(rows[0]?.now))
}
