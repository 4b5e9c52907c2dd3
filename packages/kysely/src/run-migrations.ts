import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { checkColumns } from './check-columns.js'
import type { Engine } from './engine.js'
import { SchemaError, saysItIsThere } from './errors.js'
import { breaking, steps } from './migrations.js'
import { type Names, splitName } from './names.js'
import type { Tables } from './schema.js'

/**
 * Runs the steps that have not run yet, while no other process does.
 * @returns their names
 */
export function runMigrations(db: Kysely<Tables>, engine: Engine, names: Names): Promise<string[]> {
  return alone(db, engine, (own) => migrateToLatest(own, engine, names))
}

/** Kysely's migrator locks out other processes on PostgreSQL and MySQL; on SQLite this write transaction does. */
async function alone<T>(
  db: Kysely<Tables>,
  engine: Engine,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (engine !== 'sqlite') return work(db)
  return db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection)
    try {
      const result = await work(connection)
      await sql`commit`.execute(connection)
      return result
    } catch (error) {
      // SQLite rolls a transaction back by itself after some errors; the first error is the one to report.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

async function migrateToLatest(db: Kysely<Tables>, engine: Engine, names: Names): Promise<string[]> {
  const known = Object.fromEntries(
    steps.map((step): [string, Migration] => [
      step.name,
      {
        async up(on: Kysely<Tables>) {
          for (const statement of step.statements(on.schema, names, engine)) {
            await statement.execute().catch((error: unknown) => {
              // An earlier run ended before it could record the step, or the SQL was run by hand.
              if (!saysItIsThere(error)) throw error
            })
          }
          // Before the next step changes them: a table of another kind must stay as it is.
          await checkColumns(on, names, steps.slice(steps.indexOf(step) + 1))
        },
      },
    ]),
  )
  const { schema, name: table } = splitName(names.tables.migrations)
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

/**
 * Whether a version with more steps has run that this one is compatible with: what a step adds to a table may be
 * empty, unless its name says otherwise.
 * @throws SchemaError if this one is incompatible
 */
async function isNewer(db: Kysely<Tables>, { tables }: Names, known: object): Promise<boolean> {
  const applied = await db
    .selectFrom(tables.migrations)
    .select('name')
    .execute()
    .catch(() => []) // no such table: the migrator's own error is the one to report
  const names = applied.map(({ name }) => name)
  const newer = names.filter((name) => !Object.hasOwn(known, name))
  if (newer.length === 0) return false
  const isWhole = Object.keys(known).every((name) => names.includes(name))
  if (isWhole && !newer.some((name) => name.endsWith(breaking))) return true
  throw new SchemaError(
    `a newer version of @fastify-accounts/kysely has migrated the tables: this version doesn't know ${newer.join(', ')}`,
  )
}
