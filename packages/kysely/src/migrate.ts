import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { withRetries } from './calls.js'
import { type Engine, engineOf } from './engine.js'
import { steps } from './migrations.js'
import { accountsDb, splitName, type TableNames, type Tables, tableNames } from './schema.js'

export interface MigrateOptions {
  /** Other names for the tables; the same as the stores are given. */
  tables?: Partial<TableNames> | undefined
}

/**
 * Makes the tables, or brings older ones up to this version of the package without losing data.
 * May run at each start and in several processes at once: one does the work, the others wait for it.
 * @returns the names of the migrations that ran; empty where there was nothing to do
 * @throws Error of one line where a newer version of the package was here; nothing is changed then
 * @throws UnavailableError where the database cannot answer or refuses a statement; its `cause` says why
 */
export async function migrate<DB>(db: Kysely<DB>, options: MigrateOptions = {}): Promise<string[]> {
  const engine = engineOf(db)
  const tables = tableNames(options.tables)
  const { ran, newer } = await withRetries(() =>
    alone(accountsDb(db), engine, (own) => run(own, engine, tables)),
  )
  if (newer.length > 0) {
    throw new Error(
      `the tables were made by a newer version of @fastify-accounts/kysely: it ran ${newer.join(', ')}, which this one does not know`,
    )
  }
  return ran
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
      // SQLite undoes a transaction by itself after some errors; the first error is the one to tell.
      await sql`rollback`.execute(connection).catch(() => undefined)
      throw error
    }
  })
}

async function run(db: Kysely<Tables>, engine: Engine, tables: ReturnType<typeof tableNames>) {
  const known = Object.fromEntries(
    steps.map(({ name, statements }): [string, Migration] => [
      name,
      {
        async up(on) {
          for (const statement of statements(on.schema, tables, engine)) await statement.execute()
        },
      },
    ]),
  )
  const { schema, name: table } = splitName(tables.migrations)
  const { error, results } = await new Migrator({
    db,
    provider: { getMigrations: async () => known },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  }).migrateToLatest()
  if (!error && results) return { ran: results.map((result) => result.migrationName), newer: [] }

  const applied = await db
    .selectFrom(tables.migrations)
    .select('name')
    .execute()
    .catch(() => []) // no such table: then the migrator's own error is the one to tell
  const newer = applied.map(({ name }) => name).filter((name) => !Object.hasOwn(known, name))
  if (newer.length === 0) throw error
  return { ran: [], newer }
}
