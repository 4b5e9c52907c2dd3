import type { Kysely } from 'kysely'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'

/** The names of the steps that have run; empty if their table can't be read, which the next statement will report. */
export async function appliedSteps(db: Kysely<Tables>, { tables }: Names): Promise<string[]> {
  const rows = await db
    .selectFrom(tables.migrations)
    .select('name')
    .execute()
    .catch(() => [])
  return rows.map(({ name }) => name)
}
