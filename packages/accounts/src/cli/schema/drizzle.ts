import type { ColumnDescription, ColumnType, TableDescription } from '../../index.js'
import type { Dialect } from './dialect.js'
import { fieldOf, splitTable } from './models.js'

interface Words {
  module: string
  table: string
  schema: string
  /** The function of each type, and its second argument. */
  types: Record<ColumnType, [name: string, options?: string]>
}

const number: [string, string] = ['bigint', "{ mode: 'number' }"]

const words: Record<Dialect, Words> = {
  postgres: {
    module: 'pg-core',
    table: 'pgTable',
    schema: 'pgSchema',
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

/** The tables as a module of Drizzle. */
export function toDrizzle(tables: readonly TableDescription[], dialect: Dialect): string[] {
  const { module, table, schema, types } = words[dialect]
  const schemas = [...new Set(tables.flatMap((each) => splitTable(each).schema ?? []))]
  const functions = new Set(tables.flatMap(({ columns }) => columns.map(({ type }) => types[type][0])))
  const isExact = functions.delete('exactText')
  const used = new Set([
    ...functions,
    ...(isExact ? ['customType'] : []),
    ...tables.flatMap(({ indexes }) => indexes.map(({ isUnique }) => (isUnique ? 'unique' : 'index'))),
    ...(schemas.length > 0 ? [schema] : []),
    ...(tables.every((each) => splitTable(each).schema !== undefined) ? [] : [table]),
  ])
  return [
    `import { ${[...used].sort().join(', ')} } from 'drizzle-orm/${module}'`,
    ...(schemas.length === 0 ? [] : ['']),
    ...schemas.map((name) => `const ${schemaName(name)} = ${schema}(${text(name)})`),
    ...(isExact ? exactText : []),
    ...tables.flatMap((each) => ['', ...tableOf(each, tables, dialect)]),
  ]
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
    ...(name === table.primaryKey ? ['primaryKey()'] : isNullable ? [] : ['notNull()']),
    ...(value === undefined ? [] : [`default(${typeof value === 'number' ? value : text(value)})`]),
    ...(isReference
      ? [`references(() => ${constName(users)}.${fieldOf(users, users.primaryKey)}, { onDelete: 'cascade' })`]
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
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
