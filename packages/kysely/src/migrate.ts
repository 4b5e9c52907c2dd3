import { type Kysely, sql } from 'kysely'
import { accountsDb } from './accounts-db.js'
import { withRetries } from './calls.js'
import { checkColumns } from './check-columns.js'
import type { Database } from './database.js'
import { type Engine, engineOf } from './engine.js'
import { SchemaError } from './errors.js'
import { withMigrationLimits } from './migration-limits.js'
import { steps } from './migrations.js'
import { type Names, type Naming, resolveNames } from './names.js'
import type { Tables } from './schema.js'

/**
 * Makes the tables, or brings older ones up to this version of the package without losing data.
 * May run at each start and in several processes at once: one does the work, the others wait for it. Where a newer
 * version was here already, and this one can go on beside it, it changes nothing. A table that somebody else has locked
 * is waited for some seconds, several times; in between, others get their turn.
 * @param naming the same as the stores are given
 * @returns the names of the migrations that ran; empty where there was nothing to do
 * @throws TypeError where an option is wrong
 * @throws Error of one line where a newer version of the package was here that this one cannot go on beside, or where
 *   a table of that name is there but lacks our columns; nothing is recorded as done then
 * @throws UnavailableError where the database cannot answer or refuses a statement; its `cause` says why
 */
export async function migrate(db: Database, naming: Naming = {}): Promise<string[]> {
  const engine = engineOf(db)
  const names = resolveNames(naming)
  const own = accountsDb(db)
  return withRetries(() =>
    engine === 'sqlite'
      ? run(own, engine, names)
      : withMigrationLimits(own, engine, (connection) => run(connection, engine, names)),
  )
}

async function run(db: Kysely<Tables>, engine: Engine, names: Names): Promise<string[]> {
  if (engine === 'mysql') await checkMode(db)
  // At most starts nothing is to be done: then no lock is taken, and the migrator isn't loaded.
  if (await areAllDone(db, names)) return []
  const { runMigrations } = await import('./run-migrations.js')
  return runMigrations(db, engine, names)
}

/**
 * Whether the tables are those of this version.
 * @throws SchemaError where they should be and lack columns
 */
async function areAllDone(db: Kysely<Tables>, names: Names): Promise<boolean> {
  const done = await db
    .selectFrom(names.tables.migrations)
    .select('name')
    .execute()
    .catch(() => []) // no such table; or what the next statement will tell
  if (done.length !== steps.length) return false
  if (!steps.every((step) => done.some(({ name }) => name === step.name))) return false
  // They may have run under other names.
  await checkColumns(db, names, [])
  return true
}

/** @throws SchemaError where what mysql2 escapes would not be: a value could then speak SQL */
async function checkMode(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`select @@session.sql_mode as mode`.execute(db)
  if (rows[0]?.mode.includes('NO_BACKSLASH_ESCAPES')) {
    throw new SchemaError(
      'the SQL mode NO_BACKSLASH_ESCAPES is on, in which mysql2 escapes nothing: take it off, or use openMysql, which does',
    )
  }
}
