import type { ColumnDescription, ColumnType, TableDescription } from '../../index.js'
import type { Dialect } from './dialect.js'
import { defaultOf, wordsFor } from './live-words.js'
import { fieldOf, isPrimary, splitTable } from './models.js'
import type { TablePart } from './part.js'

interface Words {
  module: string
  table: string
  schema: string
  /** The type of a column. */
  column: string
  /** The function of each type, and its second argument. */
  types: Record<ColumnType, [name: string, options?: string]>
}

const number: [string, string] = ['bigint', "{ mode: 'number' }"]

const words: Record<Dialect, Words> = {
  postgres: {
    module: 'pg-core',
    table: 'pgTable',
    schema: 'pgSchema',
    column: 'ExtraConfigColumn',
    types: {
      id: ['exactText'],
      key: ['exactText'],
      word: ['text'],
      text: ['text'],
      longText: ['text'],
      flag: ['smallint'],
      boolean: ['boolean'],
      whole: number,
      timestamp: ['timestamp', '{ precision: 3, withTimezone: true }'],
      uuid: ['uuid'],
    },
  },
  mysql: {
    module: 'mysql-core',
    table: 'mysqlTable',
    schema: 'mysqlSchema',
    column: 'MySqlColumn',
    types: {
      id: ['varbinary', '{ length: 255 }'],
      key: ['varbinary', '{ length: 1024 }'],
      word: ['varchar', '{ length: 255 }'],
      text: ['varchar', '{ length: 1024 }'],
      longText: ['longtext'],
      flag: ['smallint'],
      boolean: ['boolean'],
      whole: number,
      timestamp: ['datetime', '{ fsp: 3 }'],
      uuid: ['char', '{ length: 36 }'],
    },
  },
  sqlite: {
    module: 'sqlite-core',
    table: 'sqliteTable',
    schema: 'sqliteSchema',
    column: 'SQLiteColumn',
    types: {
      id: ['text'],
      key: ['text'],
      word: ['text'],
      text: ['text'],
      longText: ['text'],
      flag: ['integer'],
      boolean: ['integer', "{ mode: 'boolean' }"],
      whole: ['integer'],
      timestamp: ['integer', "{ mode: 'timestamp_ms' }"],
      uuid: ['text'],
    },
  },
}

/** Drizzle has no function for it. */
const exactText = [
  '',
  '/** A text that is compared byte by byte. */',
  `const exactText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })`,
]

/** The tables as a module of Drizzle. @param parts ours of tables that exist */
export function toDrizzle(
  tables: readonly TableDescription[],
  dialect: Dialect,
  parts: readonly TablePart[] = [],
): string[] {
  const { module, table, schema, column, types } = words[dialect]
  const schemas = [...new Set(tables.flatMap((each) => splitTable(each).schema ?? []))]
  const functions = new Set(tables.flatMap(({ columns }) => columns.map(({ type }) => types[type][0])))
  const isExact = functions.delete('exactText')
  const body = [
    ...parts.flatMap((part) => ['', ...partAsDrizzle(part, dialect)]),
    ...tables.flatMap((each) => ['', ...tableOf(each, tables, dialect)]),
  ]
  const isUsed = (name: string) => body.some((line) => new RegExp(`^ +${name}\\(`).test(line))
  const partFunctions = parts.flatMap(({ columns }) =>
    columns.map(({ type }) => wordsFor(type, dialect).builder || 'customType'),
  )
  const used = new Set([
    ...functions,
    ...partFunctions,
    ...(isExact ? ['customType'] : []),
    ...['index', 'primaryKey', 'unique', 'uniqueIndex'].filter(isUsed),
    ...(parts.length > 0 ? [`type ${column}`] : []),
    ...(schemas.length > 0 ? [schema] : []),
    ...(tables.every((each) => splitTable(each).schema !== undefined) ? [] : [table]),
  ])
  return [
    ...(body.some((line) => line.includes('sql`')) ? ["import { sql } from 'drizzle-orm'"] : []),
    `import { ${[...used].sort().join(', ')} } from 'drizzle-orm/${module}'`,
    ...(schemas.length === 0 ? [] : ['']),
    ...schemas.map((name) => `const ${schemaName(name)} = ${schema}(${text(name)})`),
    ...(isExact ? exactText : []),
    ...body,
  ]
}

/** Ours of a table that exists, to be spread into the app's own. */
function partAsDrizzle({ table, columns, indexes }: TablePart, dialect: Dialect): string[] {
  const name = constName(table)
  const on = (names: readonly string[]) =>
    names.map((each) => `table.${columns.find(({ name }) => name === each)?.field}`).join(', ')
  return [
    `// PARTIAL: ${JSON.stringify(table.name)} exists. Merge this into your own table, and drop only its lines for the same columns:`,
    `//   { …yours, ...${name}Columns }, (table) => [ …yours, ...${name}Indexes(table) ]`,
    `export const ${name}Columns = {`,
    ...columns.map((column) => `  ${column.field}: ${liveColumnOf(column, dialect)},`),
    '}',
    '',
    `export const ${name}Indexes = (table: Record<keyof typeof ${name}Columns, ${words[dialect].column}>) => [`,
    ...indexes.map(({ name, columns, isUnique, isConstraint }) => {
      const kind = isConstraint ? 'unique' : isUnique ? 'uniqueIndex' : 'index'
      return `  ${kind}(${text(name)}).on(${on(columns)}),`
    }),
    ']',
  ]
}

function liveColumnOf(column: TablePart['columns'][number], dialect: Dialect): string {
  const { name, type, isNullable, isPrimary, appKey } = column
  const { builder, options } = wordsFor(type, dialect)
  const call = builder || `customType<{ data: unknown }>({ dataType: () => ${text(type)} })`
  const value = defaultOf(column)
  return [
    `${call}(${text(name)}${options === '' ? '' : `, ${options}`})`,
    ...(isPrimary ? ['primaryKey()'] : isNullable ? [] : ['notNull()']),
    ...(value === undefined
      ? []
      : 'value' in value
        ? [`default(${typeof value.value === 'string' ? text(value.value) : value.value})`]
        : [`default(sql\`${expressionOf(value.expression, dialect)}\`)`]),
    // SQLite names the index of a constraint itself, and drizzle-kit leaves it alone.
    ...(appKey !== undefined && appKey.isConstraint === (dialect !== 'sqlite')
      ? [`unique(${text(appKey.name)})`]
      : []),
  ].join('.')
}

/** As drizzle-kit reads it. */
function expressionOf(expression: string, dialect: Dialect): string {
  const escaped = expression.replaceAll(/[\\`$]/g, '\\$&')
  return dialect === 'postgres' ? escaped : `(${escaped})`
}

function tableOf(table: TableDescription, tables: readonly TableDescription[], dialect: Dialect): string[] {
  const { schema, table: name } = splitTable(table)
  const make = schema === undefined ? words[dialect].table : `${schemaName(schema)}.table`
  const fields = (columns: readonly string[]) => columns.map((column) => `table.${fieldOf(table, column)}`)
  return [
    `export const ${constName(table)} = ${make}(`,
    `  ${text(name)},`,
    '  {',
    ...table.columns.map((column) => `    ${column.field}: ${columnOf(column, table, tables, dialect)},`),
    '  },',
    '  (table) => [',
    ...(table.primaryKey.length > 1
      ? [`    primaryKey({ columns: [${fields(table.primaryKey).join(', ')}] }),`]
      : []),
    ...table.indexes.map(
      ({ name, columns, isUnique }) =>
        `    ${isUnique ? 'unique' : 'index'}(${text(name)}).on(${fields(columns).join(', ')}),`,
    ),
    '  ],',
    ')',
  ]
}

function columnOf(
  { name, type, isNullable = false, default: value }: ColumnDescription,
  table: TableDescription,
  tables: readonly TableDescription[],
  dialect: Dialect,
): string {
  const [builder, options] = words[dialect].types[type]
  const users = tables.find(({ holds }) => holds === 'users')
  const isReference = name === table.userReference && users !== undefined
  return [
    `${builder}(${text(name)}${options === undefined ? '' : `, ${options}`})`,
    ...(isPrimary(table, name) ? ['primaryKey()'] : isNullable ? [] : ['notNull()']),
    ...(value === undefined ? [] : [`default(${typeof value === 'number' ? value : text(value)})`]),
    ...(isReference
      ? [
          `references(() => ${constName(users)}.${users.primaryKey.map((each) => fieldOf(users, each))}, { onDelete: 'cascade' })`,
        ]
      : []),
  ].join('.')
}

function constName({ holds }: TableDescription): string {
  return `accounts${holds[0]?.toUpperCase()}${holds.slice(1)}`
}

function schemaName(name: string): string {
  return `${name.replace(/\W+/g, '_')}Schema`
}

function text(value: string): string {
  const escapes: Record<string, string> = {
    '\n': '\\n',
    '\r': '\\r',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  }
  return `'${value.replace(/[\\'\n\r\u2028\u2029]/g, (letter) => escapes[letter] ?? `\\${letter}`)}'`
}
