import type { CreateTableNode, Kysely, KyselyPlugin } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Engine } from '../../src/base/engine.js'
import type { Tables } from '../../src/base/schema.js'
import { traits } from '../../src/base/traits.js'
import { indexName, type Names, splitName, type TableWithColumns } from '../../src/columns/names.js'
import { withColumns } from '../../src/columns/renamed-columns.js'
import { type Step, steps } from '../../src/migrate/migrations.js'
import type { Statement } from '../../src/migrate/statement.js'

/** Puts other steps in the place of the real ones, until the test has ended. */
export function useSteps(others: readonly Step[]): void {
  const real = steps.splice(0, steps.length, ...others)
  onTestFinished(() => {
    steps.splice(0, steps.length, ...real)
  })
}

/** A step that only adds indexes of users. */
export const indexStep = (name: string, columns: readonly string[]): Step => ({
  name,
  statements: ({ schema }, names, engine) =>
    columns.map((column) => {
      const index = withColumns(schema, names.columns.users).createIndex(
        indexName(names.tables.users, column),
      )
      return (engine === 'mysql' ? index : index.ifNotExists()).on(names.tables.users).column(column)
    }),
})

/** A step that adds columns, each with the default value that it has, or none. */
export const columnStep = (
  name: string,
  table: TableWithColumns,
  columns: Readonly<Record<string, string | number | null>>,
): Step => ({
  name,
  adds: { [table]: Object.keys(columns) },
  statements: ({ schema }, names, engine) =>
    Object.entries(columns).map(([column, value]) =>
      withColumns(schema, names.columns[table])
        .alterTable(names.tables[table])
        .addColumn(column, typeof value === 'number' ? 'bigint' : traits[engine].id, (added) => {
          const there = engine === 'postgres' ? added.ifNotExists() : added
          return value === null ? there : there.notNull().defaultTo(value)
        }),
    ),
})

const [real] = steps as [Step]
const isOf = (table: string, statement: Statement): boolean => {
  const node = statement.toOperationNode()
  return (
    node.kind === 'CreateTableNode' &&
    (node as CreateTableNode).table.table.identifier.name === splitName(table).name
  )
}

const added = [
  columnStep('0002_origin', 'users', { origin: 'self' }),
  columnStep('0003_confirmations', 'sessions', { confirmation: 0, name: null }),
  {
    name: '0004_activity',
    makes: ['activity'],
    statements: (db: Kysely<Tables>, names: Names, engine: Engine) =>
      real.statements(db, names, engine).filter((each) => isOf(names.tables.activity, each)),
  },
  indexStep('0005_times', ['last_login_at', 'email_changed_at']),
  columnStep('0006_roles', 'users', { roles: null }),
] satisfies Step[]

/** The first step makes less than the real one, and later ones add the rest and indexes, as those of later versions would. */
export const history: readonly Step[] = [
  {
    name: real.name,
    statements: (db, names, engine) =>
      real
        .statements(db.withPlugin(withoutAdded(names)), names, engine)
        .filter((each) => !isOf(names.tables.activity, each)),
  },
  ...added,
]

function withoutAdded({ tables }: Names): KyselyPlugin {
  return {
    transformQuery({ node }) {
      if (node.kind !== 'CreateTableNode') return node
      const { name } = node.table.table.identifier
      const later = added.flatMap((step: Step) =>
        Object.entries(step.adds ?? {}).flatMap(([table, columns]) =>
          splitName(tables[table as TableWithColumns]).name === name ? columns : [],
        ),
      )
      return { ...node, columns: node.columns.filter(({ column }) => !later.includes(column.column.name)) }
    },
    transformResult: async ({ result }) => result,
  }
}
