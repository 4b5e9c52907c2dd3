import type { Kysely } from 'kysely'
import { namesUnknownColumn, namesUnknownTable, SchemaError } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { defaultColumns, type Names, type TableWithColumns } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import type { Step } from './migrations.js'

const all = Object.keys(defaultColumns) as TableWithColumns[]

/**
 * Checks that the tables have our columns: CREATE TABLE IF NOT EXISTS accepts any table of that name.
 * @param toCome steps whose columns are not there yet
 * @throws SchemaError if a table lacks one
 */
export async function checkColumns(
  db: Kysely<Tables>,
  { tables, columns }: Names,
  toCome: readonly Pick<Step, 'adds' | 'makes'>[],
): Promise<void> {
  for (const key of all.filter((table) => !toCome.some(({ makes }) => makes?.includes(table)))) {
    const later = toCome.flatMap(({ adds }) => adds?.[key] ?? [])
    const expected = Object.keys(defaultColumns[key]).filter((column) => !later.includes(column))
    try {
      await withColumns(db, columns[key])
        .selectFrom(tables[key])
        .select(expected as never)
        .limit(0)
        .execute()
    } catch (error) {
      if (!namesUnknownColumn(error) && !namesUnknownTable(error)) throw error
      throw new SchemaError(
        `the table ${tables[key]} lacks columns, or does not exist: tables.${key} names another kind of table, columns.${key} differ from those it was created with, or tables.migrations belongs to tables with other names`,
        { cause: error },
      )
    }
  }
}
