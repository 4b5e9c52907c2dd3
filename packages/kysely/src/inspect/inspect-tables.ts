import type { ColumnDescription, ColumnType, IndexDescription, TableDescription } from 'fastify-accounts'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { type Engine, engineOf } from '../base/engine.js'
import type { Names } from '../columns/names.js'
import { tablesOf } from './describe-tables.js'
import { type LiveColumn, type LiveTable, liveTable } from './live-tables.js'
import { expectedTypes, fits } from './live-types.js'
import { inspectPrivileges } from './privileges.js'

type Table = TableDescription['holds']

/** The differences of a store's tables; if there are none, the missing privileges. One line each. */
export async function inspectTables(
  host: Database,
  names: Names,
  tables: readonly Table[],
): Promise<string[]> {
  const found = await findDifferences(host, names, tables)
  // Privileges are tried with statements that name every column.
  return found.length > 0 ? found : inspectPrivileges(host, names, tables)
}

/**
 * How the tables in the database differ from those that the stores need, one line each: for tables that other
 * migrations own. Columns and indexes of the app's own are none of our business, unless a row can't be inserted.
 */
async function findDifferences(host: Database, names: Names, tables: readonly Table[]): Promise<string[]> {
  const engine = engineOf(host)
  const db = accountsDb(host)
  const lines: string[] = []
  for (const table of tablesOf(names, tables)) {
    const fields = table.holds === 'users' ? names.fields.map(({ name }) => name) : []
    const live = await liveTable(db, engine, table.name)
    lines.push(
      ...(live === null
        ? [`the table ${table.name} does not exist`]
        : differences(engine, table, fields, live)),
    )
  }
  return lines
}

/** @param fields the columns of own fields, which the store fills and check-types.ts compares */
function differences(
  engine: Engine,
  table: TableDescription,
  fields: readonly string[],
  live: LiveTable,
): string[] {
  const found = new Map(live.columns.map((column) => [column.name, column]))
  const describedNames = new Set([...table.columns.map(({ name }) => name), ...fields])
  const required = live.columns.filter(({ name, isOptional }) => !describedNames.has(name) && !isOptional)
  return [
    ...table.columns.flatMap((column) => {
      const name = `${table.name}.${column.name}`
      const there = found.get(column.name)
      if (there === undefined) return [`the column ${name} is missing`]
      return columnFaults(engine, column, there).map((fault) => `the column ${name} ${fault}`)
    }),
    ...indexFaults(table, live),
    ...required.map(
      ({ name }) =>
        `the column ${table.name}.${name}, which isn't ours, must be nullable or have a default: no row can be inserted`,
    ),
  ]
}

/** What is wrong with a column, without its name. */
export function columnFaults(engine: Engine, column: ColumnDescription, live: LiveColumn): string[] {
  const { type, isNullable = false } = column
  const faults: string[] = []
  if (!fits[engine][type](live.type))
    faults.push(`is ${live.type || 'untyped'}, not ${expectedTypes[engine][type]}`)
  else if (!isComparedWell(engine, type, live))
    faults.push(
      engine === 'postgres'
        ? `is compared as ${live.collation} says, not byte by byte: alter its type to text collate "C"`
        : `has the collation ${live.collation}, which can't hold every character: use one of utf8mb4`,
    )
  if (isNullable && !live.isNullable) faults.push('must be nullable')
  return faults
}

/** PostgreSQL's names for an order by bytes. */
const byBytes = /^(?:C|POSIX|ucs_basic|(?:pg_)?c[._]utf-?8)$/i

function isComparedWell(engine: Engine, type: ColumnType, { collation }: LiveColumn): boolean {
  if (collation === null || engine === 'sqlite') return true
  if (engine === 'postgres') return (type !== 'id' && type !== 'key') || byBytes.test(collation)
  // UUIDs are ASCII.
  return type === 'uuid' || collation.startsWith('utf8mb4')
}

function indexFaults({ name, primaryKey, indexes }: TableDescription, live: LiveTable): string[] {
  const isRule = ruleOf(primaryKey)
  const keys = [primaryKey, ...indexes.filter(isRule).map(({ columns }) => columns)]
  return [
    ...keys
      .filter((columns) => !isUnique(live, columns))
      .map(
        (columns) => `no unique index on ${name} (${columns.join(', ')}) alone: two rows could have the same`,
      ),
    ...indexes
      .filter((index) => !isRule(index) && !hasIndex(live, index))
      .map(({ columns }) => `no index on ${name} (${columns.join(', ')}): queries read the whole table`),
  ]
}

/** Whether no two rows have the same in this column. */
export function isKey(live: LiveTable, column: string): boolean {
  return isUnique(live, [column])
}

/** Whether no two rows have the same in all of these columns. */
function isUnique({ indexes }: LiveTable, columns: readonly string[]): boolean {
  return indexes.some(
    (there) =>
      there.isUnique &&
      there.columns.length > 0 &&
      there.columns.every((column) => column !== null && columns.includes(column)),
  )
}

/** Whether a table has this index, or one that does the same. */
export function hasIndex(live: LiveTable, { columns, isUnique: isRule }: IndexDescription): boolean {
  if (isRule && columns.length === 1) return isUnique(live, columns)
  return live.indexes.some((there) => columns.every((column, at) => there.columns[at] === column))
}

/** Whether an index says what can't be twice; those that have the primary key are for speed. */
function ruleOf(primaryKey: readonly string[]): (index: IndexDescription) => boolean {
  return ({ columns, isUnique }) => isUnique && !primaryKey.every((column) => columns.includes(column))
}
