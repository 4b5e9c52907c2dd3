import { type Kysely, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { type Engine, engineOf } from '../base/engine.js'
import { SchemaError } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { type Names, type Naming, resolveNames, splitName } from '../columns/names.js'
import { checkTypes } from '../inspect/check-types.js'
import { withRetries } from '../run/calls.js'
import { appliedSteps } from './applied-steps.js'
import { checkColumns } from './check-columns.js'
import { withMigrationLimits } from './migration-limits.js'
import { steps } from './migrations.js'

/**
 * Creates the tables, or upgrades older ones to this version of the package without losing data.
 * May run at each start and in several processes at once: one does the work, the others wait for it. If a newer
 * version has already run and this one is compatible with it, it changes nothing. It waits several times, for some
 * seconds each, for a table that is locked; in between, others get their turn.
 * @param naming the same as for the stores
 * @returns the names of the migrations that ran; empty if there was nothing to do
 * @throws TypeError if an option is wrong
 * @throws Error of one line if a newer, incompatible version of the package has run, or a commit before the first
 *   release, or if a table of that name exists but lacks our columns; nothing is recorded as done then
 * @throws UnavailableError if the database fails or refuses a statement; its `cause` says why
 */
export async function migrate(db: Database, naming: Naming = {}): Promise<string[]> {
  const engine = engineOf(db)
  const names = resolveNames(naming, engine)
  const own = accountsDb(db)
  return withRetries(() =>
    engine === 'sqlite'
      ? run(own, engine, names)
      : withMigrationLimits(own, engine, (connection) => run(connection, engine, names)),
  )
}

async function run(db: Kysely<Tables>, engine: Engine, names: Names): Promise<string[]> {
  if (engine === 'mysql') await checkMode(db)
  if (engine === 'sqlite') await checkSchemas(db, names)
  // Most starts have nothing to do: then no lock is taken, and the migrator isn't loaded.
  if (await areAllDone(db, names)) return []
  // The columns of fields are the host's own, which may be about to add them to a new table.
  await checkTypes(db, names, false)
  const { runMigrations } = await import('./run-migrations.js')
  return runMigrations(db, engine, names)
}

/**
 * Whether the tables are those of this version.
 * @throws SchemaError if they should be and lack columns
 */
async function areAllDone(db: Kysely<Tables>, names: Names): Promise<boolean> {
  const applied = await appliedSteps(db, names)
  if (applied.length !== steps.length || !steps.every(({ name }) => applied.includes(name))) return false
  await checkTypes(db, names, true)
  // They may have run under other names.
  await checkColumns(db, names, [])
  return true
}

/** @throws SchemaError if a table is to be in a schema that isn't there: on SQLite, a file that isn't attached */
async function checkSchemas(db: Kysely<Tables>, { tables }: Names): Promise<void> {
  const schemas = Object.entries(tables).map(([key, table]) => [key, splitName(table).schema] as const)
  if (schemas.every(([, schema]) => schema === undefined)) return
  const { rows } = await sql<{ name: string }>`select lower(name) as name from pragma_database_list`.execute(
    db,
  )
  for (const [key, schema] of schemas) {
    if (schema !== undefined && !rows.some(({ name }) => name === schema.toLowerCase()))
      throw new SchemaError(
        `tables.${key} names the schema ${schema}, but no file is attached as ${schema}: on SQLite, the schema is main or an attached file`,
      )
  }
}

/** @throws SchemaError if mysql2's escaping would not work: a value could then inject SQL */
async function checkMode(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`select @@session.sql_mode as mode`.execute(db)
  if (rows[0]?.mode.includes('NO_BACKSLASH_ESCAPES')) {
    throw new SchemaError(
      'the SQL mode NO_BACKSLASH_ESCAPES is on, in which mysql2 escapes nothing: take it off, or use openMysql, which does',
    )
  }
}
