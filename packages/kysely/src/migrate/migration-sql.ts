import {
  DummyDriver,
  Kysely,
  MysqlQueryCompiler,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { type Naming, resolveNames } from '../columns/names.js'
import { addsIndexes, concurrently } from './build-indexes.js'
import { steps } from './migrations.js'

const compilers: Record<Engine, new () => QueryCompiler> = {
  sqlite: SqliteQueryCompiler,
  postgres: PostgresQueryCompiler,
  mysql: MysqlQueryCompiler,
}

/**
 * The migrations as SQL, for teams that run their own: a comment names each step, and each statement has its own
 * line. `migrate` may still take over later. Statements that create tables can be run again. Those that add columns,
 * and on MySQL those that add indexes, then fail harmlessly if the engine lacks IF NOT EXISTS there.
 * @throws TypeError if the engine is none of these or an option is wrong
 */
export function migrationSql(engine: Engine, naming: Naming = {}): string {
  if (!Object.hasOwn(compilers, engine)) {
    throw new TypeError(`engine must be one of ${Object.keys(compilers).join(', ')}`)
  }
  const names = resolveNames(naming, engine)
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (on) => new SqliteIntrospector(on),
      createQueryCompiler: () => new compilers[engine](),
    },
  })
  const lines = steps.flatMap((step) => {
    const isOutside = engine === 'postgres' && addsIndexes(step, db, names)
    return [
      `-- ${step.name}${isOutside ? ', outside a transaction' : ''}`,
      ...step.statements(db, names, engine).map((statement) => {
        const { sql } = statement.compile()
        return `${(isOutside ? concurrently(sql) : sql).trimEnd()};`
      }),
    ]
  })
  return lines.map((line) => `${line}\n`).join('')
}
