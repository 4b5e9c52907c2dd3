import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import type { DatedFlag } from './adopted-columns.js'
import { countOf, type Rows } from './table-rows.js'

/** The name of a column of ours, and whether the table has it yet. */
type LiveNames = (column: keyof UsersTable) => { name: string; isThere: boolean }

/**
 * Added to the version of a user who gets keys, so one change by that is told from changes by the plugin: an account that it
 * creates begins with keys and version 1, and never gets this far.
 */
export const filledBy = 1_000_000

/**
 * The statements that set flags by times, each for the rows that differ from the default. Until the old app has stopped, it goes
 * on writing the times, so they can be repeated: nobody is verified or unverified whom the plugin has created or changed.
 */
export async function datedFlagStatements(
  { db, table }: Pick<Rows, 'db' | 'table'>,
  dates: readonly DatedFlag[],
  engine: Engine,
  liveName: LiveNames,
): Promise<string[]> {
  const statements: string[] = []
  for (const date of dates) {
    const flag = liveName(date.column)
    const version = liveName('version')
    const key = liveName('username_key')
    const value = changedTo(date)
    const isUntouched = sql`(${sql.id(key.name)} is null or ${sql.id(version.name)} = ${sql.lit(1 + filledBy)})`
    const isDue = sql`${sql.id(flag.name)} <> ${sql.lit(value)}${value === 1 ? sql` and ${isUntouched}` : sql``}`
    const differs = differsFrom(date, engine)
    const isPossible = flag.isThere && version.isThere && key.isThere
    const update = (to: 0 | 1, where: RawBuilder<unknown>) =>
      statements.push(
        sql`update ${sql.table(table)} set ${sql.id(flag.name)} = ${sql.lit(to)} where ${where};`.compile(db)
          .sql,
      )
    if ((await countOf(db, table, isPossible ? sql`${differs} and ${isDue}` : differs)) > 0)
      update(value, sql`${differs} and ${isDue}`)
    if (value === 0 || !isPossible) continue
    // The old app has taken the time away, as with an address that it changes.
    const isOver = sql`not (${differs}) and ${sql.id(flag.name)} <> 0 and ${isUntouched}`
    if ((await countOf(db, table, isOver)) > 0) update(0, isOver)
  }
  return statements
}

/** What rows get that differ from the default, by which nobody is verified or staff, and everybody active. */
function changedTo({ column }: DatedFlag): 0 | 1 {
  return column === 'is_active' ? 0 : 1
}

/** Whether a row's time says otherwise than the default. MySQL has a zero date. On SQLite only a time gives a right, and any text takes it. */
export function differsFrom(date: DatedFlag, engine: Engine): RawBuilder<unknown> {
  const column = sql.id(date.name)
  const time = sql.lit('[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*')
  const isSet = {
    postgres: sql`${column} is not null`,
    mysql: sql`coalesce(${column} > '1000-01-01', false)`,
    sqlite: date.isOpposite ? sql`coalesce(${column}, '') <> ''` : sql`coalesce(${column} glob ${time}, 0)`,
  }[engine]
  return (changedTo(date) === 1) === date.isOpposite ? sql`not (${isSet})` : isSet
}
