import type { ColumnDescription, IndexDescription, TableDescription } from '../../index.js'
import type { UsersSurvey } from '../project.js'
import type { Dialect } from './dialect.js'
import type { LiveColumn, LiveTable } from './live.js'
import { literal, types } from './sql.js'

/** Our part of a table that exists: its other columns, and their keys, are the app's. */
export interface TablePart {
  table: TableDescription
  columns: (LiveColumn & { field: string; isPrimary: boolean; appKey: LiveIndex | undefined })[]
  indexes: (IndexDescription & { isConstraint: boolean })[]
  /** What the table lacks of it. */
  missing: Pick<TableDescription, 'columns' | 'indexes'>
}

/** All of our columns: as the table has them, or as the missing ones will be. */
export function partOf(table: TableDescription, live: LiveTable, dialect: Dialect): TablePart {
  const missing = {
    columns: table.columns.filter((column) => !live.columns.some(({ name }) => name === column.name)),
    indexes: table.indexes.filter((index) => !live.indexes.some((there) => doesFor(there, index))),
  }
  const keyOf = (column: string, isMeant: (index: LiveIndex) => boolean) =>
    live.indexes.find((index) => isOn(index, [column]) && isMeant(index))
  // It is said with the column, as apps do.
  const isAppKey = (there: LiveIndex) =>
    there.isUnique && !there.isPrimary && !table.indexes.some((index) => isNamed(there, index))
  return {
    table,
    columns: table.columns.map((column) => ({
      ...(live.columns.find(({ name }) => name === column.name) ?? comingColumn(column, dialect)),
      field: fieldNamed(column),
      isPrimary: keyOf(column.name, ({ isPrimary }) => isPrimary) !== undefined,
      appKey: keyOf(column.name, isAppKey),
    })),
    indexes: table.indexes.flatMap((index) => {
      const there = live.indexes.find((each) => isNamed(each, index))
      const { name, isUnique, isConstraint } = there ?? comingIndex(index, dialect)
      return there === undefined && !missing.indexes.includes(index)
        ? []
        : [{ name, columns: index.columns, isUnique, isConstraint }]
    }),
    missing,
  }
}

type LiveIndex = LiveTable['indexes'][number]

const isOn = (there: LiveIndex, columns: readonly string[]): boolean =>
  there.columns.length === columns.length && startsWith(there, columns)

const startsWith = (there: LiveIndex, columns: readonly string[]): boolean =>
  columns.every((column, at) => there.columns[at] === column)

/** `adopt` names unique ones otherwise: on PostgreSQL, a key of the app's may have that name. */
const isNamed = (there: LiveIndex, { name, columns }: IndexDescription): boolean =>
  [name, `${name}_u`].includes(there.name) && isOn(there, columns)

/** Whether an index of any name does what ours has to. */
const doesFor = (there: LiveIndex, { columns, isUnique }: IndexDescription): boolean =>
  startsWith(there, columns) && (!isUnique || columns.length > 1 || (there.isUnique && isOn(there, columns)))

/** The table once the statements of `adopt` have run. */
export function adoptedTable(
  { engine, times, loosened, missing }: UsersSurvey,
  { columns, indexes }: LiveTable,
): LiveTable {
  const changed = (column: LiveColumn): LiveColumn => {
    const time = times.find(({ name }) => name === column.name)
    const loose = loosened.find(({ name }) => name === column.name)
    // MODIFY says all of a column anew.
    if (engine === 'mysql' && time !== undefined)
      return {
        ...column,
        type: 'datetime(3)',
        default: time.isNullable || !time.isOptional ? null : 'utc_timestamp(3)',
      }
    if (engine === 'mysql' && loose !== undefined) return { ...column, ...loose, default: null }
    const type = time !== undefined && engine === 'postgres' ? types.postgres.timestamp : column.type
    return { ...column, type, ...loose }
  }
  return {
    columns: [...columns.map(changed), ...missing.columns.map((column) => comingColumn(column, engine))],
    indexes: [...indexes, ...missing.indexes.map((index) => comingIndex(index, engine))],
  }
}

/** The collation of a key is neither ORM's to say: the statements do. */
function comingColumn(
  { name, type, isNullable = false, default: value }: ColumnDescription,
  dialect: Dialect,
): LiveColumn {
  const [plain = ''] = types[dialect][type].split(/ (?:collate|character set) /)
  return { name, type: plain, isNullable, default: value === undefined ? null : literal(value) }
}

function comingIndex(index: IndexDescription, dialect: Dialect): LiveIndex {
  return { ...index, isPrimary: false, isConstraint: dialect === 'mysql' && index.isUnique }
}

/** As code calls a column of this name; as ours, if no code can. */
function fieldNamed({ name, field }: ColumnDescription): string {
  const camelCase = name.replace(/[^a-zA-Z0-9]+(.)?/g, (_, letter = '') => letter.toUpperCase())
  return /^[a-zA-Z][a-zA-Z0-9]*$/.test(camelCase) ? camelCase : field
}
