import type { Kysely, Migration, MigrationResultSet, Migrator } from 'kysely'
import type { Engine } from '../base/engine.js'
import { SchemaError, saysItIsThere } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { type Names, splitName } from '../columns/names.js'
import { appliedSteps } from './applied-steps.js'
import { addsIndexes, buildIndexes, isIndex } from './build-indexes.js'
import { checkColumns } from './check-columns.js'
import { inTurn } from './migration-turn.js'
import { breaking, type Step, steps } from './migrations.js'
import type { Statement } from './statement.js'

/**
 * Runs the steps that have not run yet, while no other process does.
 * @returns their names
 */
export function runMigrations(db: Kysely<Tables>, engine: Engine, names: Names): Promise<string[]> {
  return inTurn(db, engine, names, async (own) => {
    const migrator = await createMigrator(own, engine, names)
    const ran = engine === 'postgres' ? await prepareIndexes(own, migrator, names) : []
    ran.push(...(await namesOf(own, names, await migrator.migrateToLatest())))
    // Those that ran before may have run under other names.
    if (ran.length === 0) await checkColumns(own, names, [])
    return ran
  })
}

/**
 * A transaction for each step, so that each only holds the locks of its own: all of them together would keep readers
 * waiting until the last index is built.
 */
async function createMigrator(db: Kysely<Tables>, engine: Engine, names: Names): Promise<Migrator> {
  const migrations = steps.map((step): [string, Migration] => {
    const run = (on: Kysely<Tables>) => runStep(on, step, engine, names)
    return [
      step.name,
      { up: (on: Kysely<Tables>) => (engine === 'postgres' ? on.transaction().execute(run) : run(on)) },
    ]
  })
  // Where it is told a schema, Kysely begins with CREATE SCHEMA, which SQLite lacks. It takes both as one name as well.
  const { schema, name: table } =
    engine === 'sqlite'
      ? { schema: undefined, name: names.tables.migrations }
      : splitName(names.tables.migrations)
  // Kysely 0.29 exports it there, 0.28 with everything else.
  // @ts-expect-error 0.28, which this is compiled with, doesn't have that entry
  const kysely: typeof import('kysely') = await import('kysely/migration').catch(() => import('kysely'))
  return new kysely.Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
    disableTransactions: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
}

async function runStep(on: Kysely<Tables>, step: Step, engine: Engine, names: Names): Promise<void> {
  const statements = step.statements(on, names, engine)
  await executeAll(statements.filter((statement) => !isIndex(statement)))
  // Before an index or the next step changes them: a table of another kind must stay as it is.
  await checkColumns(on, names, steps.slice(steps.indexOf(step) + 1))
  await executeAll(statements.filter(isIndex))
}

async function executeAll(statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) {
    await statement.execute().catch((error: unknown) => {
      // An earlier run ended before it could record the step, or the SQL was run by hand.
      if (!saysItIsThere(error)) throw error
    })
  }
}

/** Builds the indexes of steps to come, outside a transaction, which then only find them there. */
async function prepareIndexes(db: Kysely<Tables>, migrator: Migrator, names: Names): Promise<string[]> {
  const ran: string[] = []
  const applied = await appliedSteps(db, names)
  for (const [at, step] of steps.entries()) {
    if (applied.includes(step.name) || !addsIndexes(step, db, names)) continue
    const before = steps[at - 1]
    if (before) ran.push(...(await namesOf(db, names, await migrator.migrateTo(before.name))))
    await buildIndexes(db, step, names)
  }
  return ran
}

/** The steps that have run; none if a newer version that this one is compatible with has run before. */
async function namesOf(
  db: Kysely<Tables>,
  names: Names,
  { error, results }: MigrationResultSet,
): Promise<string[]> {
  if (results && !error) return results.map(({ migrationName }) => migrationName)
  if (await isNewer(db, names)) return []
  throw error
}

/**
 * Whether a version with more steps has run that this one is compatible with: what a step adds to a table may be
 * empty, unless its name says otherwise.
 * @throws SchemaError if this one is incompatible, or if other steps have run
 */
async function isNewer(db: Kysely<Tables>, names: Names): Promise<boolean> {
  const applied = await appliedSteps(db, names)
  const unknown = applied.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length === 0) return false
  // A newer version has run every step of this one.
  const missing = steps.find(({ name }) => !applied.includes(name))
  if (missing !== undefined) {
    throw new SchemaError(
      `the table ${names.tables.migrations} lists ${unknown[0]}, but not ${missing.name}: its tables are those of a commit before the first release, and can't be upgraded (create them anew), or tables.migrations names a table of another program`,
    )
  }
  if (!unknown.some((name) => name.endsWith(breaking))) return true
  throw new SchemaError(
    `a newer version of @fastify-accounts/kysely has migrated the tables: this version doesn't know ${unknown.join(', ')}`,
  )
}
