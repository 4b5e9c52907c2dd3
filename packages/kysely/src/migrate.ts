import { type Kysely, type Migration, sql } from 'kysely'
import { withRetries } from './calls.js'
import { checkColumns } from './check-columns.js'
import { type Engine, engineOf } from './engine.js'
import { SchemaError, saysItIsThere } from './errors.js'
import { withMigrationLimits } from './migration-limits.js'
import { breaking, steps } from './migrations.js'
import { loadMigrator } from './migrator.js'
import { type Names, type Naming, resolveNames, splitName } from './names.js'
import { accountsDb, type Tables } from './schema.js'

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
export async function migrate<DB>(db: Kysely<DB>, naming: Naming = {}): Promise<string[]> {
  const engine = engineOf(db)
  const names = resolveNames(naming)
  return withRetries(() => alone(accountsDb(db), engine, (own) => run(own, engine, names)))
}

/** Kysely's migrator locks out other processes on PostgreSQL and MySQL; on SQLite this write transaction does. */
async function alone<T>(
  db: Kysely<Tables>,
  engine: Engine,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (engine !== 'sqlite') return withMigrationLimits(db, engine, work)
  return db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection)
    try {
      const result = await work(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // SQLite undoes a transaction by itself after some errors; the first error is the one to tell.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

async function run(db: Kysely<Tables>, engine: Engine, names: Names): Promise<string[]> {
  if (engine === 'mysql') await checkMode(db)
  const known = Object.fromEntries(
    steps.map((step): [string, Migration] => [
      step.name,
      {
        async up(on: Kysely<Tables>) {
          for (const statement of step.statements(on.schema, names, engine)) {
            await statement.execute().catch((error: unknown) => {
              // An earlier run ended before it could note the step, or the SQL was run by hand.
              if (!saysItIsThere(error)) throw error
            })
          }
          // Before the next step touches them: a table of another kind must stay as it is.
          await checkColumns(on, names, steps.slice(steps.indexOf(step) + 1))
        },
      },
    ]),
  )
  const { schema, name: table } = splitName(names.tables.migrations)
  const Migrator = await loadMigrator()
  const { error, results } = await new Migrator({
    db,
    provider: { getMigrations: async () => known },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  }).migrateToLatest()
  if (error || !results) {
    if (!(await isNewer(db, names, known))) throw error
    await checkColumns(db, names, [])
    return []
  }
  // Those that ran before may have run under other names.
  if (results.length === 0) await checkColumns(db, names, [])
  return results.map(({ migrationName }) => migrationName)
}

/** @throws SchemaError where what mysql2 escapes would not be: a value could then speak SQL */
async function checkMode(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ mode: string }>`select @@session.sql_mode as mode`.execute(db)
  if (rows[0]?.mode.includes('NO_BACKSLASH_ESCAPES')) {
    throw new SchemaError(
      'the SQL mode NO_BACKSLASH_ESCAPES is on, in which mysql2 escapes nothing: take it off, or use mysqlDialect, which does',
    )
  }
}

/**
 * Whether a version that knows more steps was here, beside which this one can go on: what a step adds to a table may be
 * empty, unless its name says otherwise.
 * @throws SchemaError where this one cannot
 */
async function isNewer(db: Kysely<Tables>, { tables }: Names, known: object): Promise<boolean> {
  const applied = await db
    .selectFrom(tables.migrations)
    .select('name')
    .execute()
    .catch(() => []) // no such table: then the migrator's own error is the one to tell
  const names = applied.map(({ name }) => name)
  const newer = names.filter((name) => !Object.hasOwn(known, name))
  if (newer.length === 0) return false
  const isWhole = Object.keys(known).every((name) => names.includes(name))
  if (isWhole && !newer.some((name) => name.endsWith(breaking))) return true
  throw new SchemaError(
    `the tables were made by a newer version of @fastify-accounts/kysely: it ran ${newer.join(', ')}, which this one does not know`,
  )
}
