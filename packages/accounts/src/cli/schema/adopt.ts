import type { ColumnDescription, TableDescription } from '../../index.js'
import type { UsersSurvey } from '../project.js'
import type { Dialect } from './dialect.js'
import type { TablePart } from './part.js'
import { createIndex, literal, quoted, tableName, types } from './sql.js'

/** The statements that make an existing table of users ours, each on one line. */
export function adoptingSql({
  engine,
  table,
  missing,
  times,
  loosened,
  nulls,
  dates,
}: UsersSurvey): string[] {
  const id = (name: string) => quoted(name, engine)
  const name = tableName(table, engine)
  return [
    ...missing.columns.map((column) => addColumn(column, table, engine)),
    ...times.flatMap((time) => withMilliseconds(name, time, engine)),
    ...loosened.map(({ name: of, type, isNullable }) =>
      engine === 'mysql'
        ? `alter table ${name} modify ${id(of)} ${type} ${isNullable ? 'null' : 'not null'};`
        : `alter table ${name} alter column ${id(of)} type ${type}${isNullable ? `, alter column ${id(of)} drop not null` : ''};`,
    ),
    ...nulls.map(
      ({ column, name: of, as }) =>
        `update ${name} set ${id(of)} = ${valueFor(column, as, engine)} where ${id(of)} is null;`,
    ),
    ...dates,
    ...missing.indexes.map((index) => createIndex(index, table, engine)),
  ]
}

/** What a table that exists lacks of ours. */
export function partAsSql({ table, missing }: TablePart, engine: Dialect): string[] {
  const statements = [
    ...missing.columns.map((column) => addColumn(column, table, engine)),
    ...missing.indexes.map((index) => createIndex(index, table, engine)),
  ]
  const lack = statements.length === 0 ? 'has all columns and indexes' : 'exists, and lacks'
  return [
    `-- PARTIAL: ${JSON.stringify(table.name)} ${lack}; its other columns are the app's`,
    ...statements,
    '',
  ]
}

function addColumn(column: ColumnDescription, table: TableDescription, engine: Dialect): string {
  const { name, type, default: value, isNullable = false } = column
  // MySQL takes a default of a long text as an expression only.
  const text = value === undefined ? '' : literal(value)
  const definition = [
    quoted(name, engine),
    types[engine][type],
    ...(value === undefined
      ? []
      : [`default ${type === 'longText' && engine === 'mysql' ? `(${text})` : text}`]),
    ...(isNullable ? [] : ['not null']),
  ]
  return `alter table ${tableName(table, engine)} add column ${definition.join(' ')};`
}

function withMilliseconds(
  table: string,
  { name, type, isNullable, isOptional }: UsersSurvey['times'][number],
  engine: Dialect,
): string[] {
  const column = quoted(name, engine)
  switch (engine) {
    case 'postgres': {
      // Without a time zone, it is taken for one in UTC.
      const using = type.includes('without') ? ` using ${column} at time zone 'UTC'` : ''
      return [`alter table ${table} alter column ${column} type timestamptz(3)${using};`]
    }
    case 'mysql': {
      const rest = isNullable ? 'null' : `not null${isOptional ? ' default (utc_timestamp(3))' : ''}`
      return [
        // A `timestamp` is converted to the time zone of the session.
        ...(type.startsWith('timestamp') ? ["set time_zone = '+00:00';"] : []),
        `alter table ${table} modify ${column} datetime(3) ${rest};`,
      ]
    }
    case 'sqlite': {
      const exact = `strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`
      return [`update ${table} set ${column} = ${exact} where ${column} <> ${exact};`]
    }
  }
}

/** What NULL would be taken for: nobody is blocked, active or verified who wasn't. */
function valueFor(column: string, as: string | undefined, engine: Dialect): string {
  if (column === 'password_hash') return "'!'"
  if (as === undefined) return '0'
  if (column !== 'created_at') return engine === 'postgres' ? 'false' : '0'
  return { postgres: 'now()', mysql: 'utc_timestamp(3)', sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ')" }[engine]
}
