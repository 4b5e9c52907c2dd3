import { type RawBuilder, type Selectable, sql } from 'kysely'
import { columnName, type Names } from '../columns/names.js'

/** A row of a join, whose columns are named after their tables. */
export type JoinedRow = Record<string, unknown>

/** One of the tables in a join. */
interface JoinedTable<Table> {
  /** The table, for FROM and JOIN. */
  from: RawBuilder<unknown>
  /** One of its columns. */
  column(name: keyof Table & string): RawBuilder<unknown>
  /** What SELECT lists. */
  selected: readonly RawBuilder<unknown>[]
  /** The names that its columns have in the rows of the join, in the order of `selected`. */
  names: readonly string[]
  /** What a row of the join has of it, under the columns' own names again. */
  rowOf(row: JoinedRow): Selectable<Table>
}

/**
 * A table in a join. Two tables may have columns of the same name: each column gets one that says which table it is from.
 * @param alias before the names of its columns
 * @param columns those that are selected
 */
export function joinedTable<Table>(
  names: Names,
  table: keyof Names['columns'],
  alias: string,
  columns: readonly (keyof Table & string)[],
): JoinedTable<Table> {
  const { forms } = names.columns[table]
  const column = (name: string): RawBuilder<unknown> => sql.id(alias, columnName(names, table, name))
  const joined = columns.map((name): [string, string] => [name, `${alias}_${name}`])
  return {
    from: sql`${sql.table(names.tables[table])} as ${sql.id(alias)}`,
    column,
    selected: joined.map(
      ([name, as]) => sql`${forms[name]?.read(column(name)) ?? column(name)} as ${sql.id(as)}`,
    ),
    names: joined.map(([, as]) => as),
    rowOf(row) {
      const found: JoinedRow = {}
      for (const [name, as] of joined) found[name] = row[as]
      // The database guarantees that the columns hold these types.
      return found as Selectable<Table>
    },
  }
}
