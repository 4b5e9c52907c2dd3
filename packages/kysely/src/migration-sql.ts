import {
  MysqlQueryCompiler,
  NoopQueryExecutor,
  PostgresQueryCompiler,
  type QueryCompiler,
  SchemaModule,
  SqliteQueryCompiler,
} from 'kysely'
import type { Engine } from './engine.js'
import type { MigrateOptions } from './migrate.js'
import { steps } from './migrations.js'
import { tableNames } from './schema.js'

const compilers: Record<Engine, new () => QueryCompiler> = {
  sqlite: SqliteQueryCompiler,
  postgres: PostgresQueryCompiler,
  mysql: MysqlQueryCompiler,
}

/**
 * The migrations as SQL, for teams that run their own: each step after a comment with its name, each statement on
 * a line of its own. Every statement may be run again, so that `migrate` may still take over later.
 * @throws TypeError where the engine is none of these or an option is wrong
 */
export function migrationSql(engine: Engine, options: MigrateOptions = {}): string {
  if (!Object.hasOwn(compilers, engine)) {
    throw new TypeError(`engine must be one of ${Object.keys(compilers).join(', ')}`)
  }
  const tables = tableNames(options.tables)
  const compiler = new compilers[engine]()
  const builder = new SchemaModule(new NoopQueryExecutor())
  const lines = steps.flatMap(({ name, statements }) => [
    `-- ${name}`,
    ...statements(builder, tables, engine).map((statement) => {
      const { sql } = compiler.compileQuery(statement.toOperationNode(), { queryId: name })
      return `${sql.trimEnd()};`
    }),
  ])
  return lines.map((line) => `${line}\n`).join('')
}
