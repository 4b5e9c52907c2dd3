import type { ColumnDescription, ColumnType, TableDescription } from '../../index.js'
import type { Dialect } from './dialect.js'
import { defaultOf, wordsFor } from './live-words.js'
import { aligned, fieldOf, isPrimary, modelNames, splitTable } from './models.js'
import type { TablePart } from './part.js'
import { byteOrder } from './sql.js'

const texts = { id: 'String', key: 'String', word: 'String', text: 'String', longText: 'String' }
const numbers = { flag: 'Int', boolean: 'Boolean', whole: 'BigInt' }

/** The type, and the one of the database if the default isn't right. */
const types: Record<Dialect, Record<ColumnType, string>> = {
  postgres: {
    ...texts,
    ...numbers,
    flag: 'Int @db.SmallInt',
    timestamp: 'DateTime @db.Timestamptz(3)',
    uuid: 'String @db.Uuid',
  },
  // No collation of both MySQL and MariaDB compares byte by byte: bytes do.
  mysql: {
    id: 'Bytes @db.VarBinary(255)',
    key: 'Bytes @db.VarBinary(1024)',
    word: 'String @db.VarChar(255)',
    text: 'String @db.VarChar(1024)',
    longText: 'String @db.LongText',
    ...numbers,
    flag: 'Int @db.SmallInt',
    timestamp: 'DateTime @db.DateTime(3)',
    uuid: 'String @db.Char(36)',
  },
  sqlite: { ...texts, ...numbers, timestamp: 'DateTime', uuid: 'String' },
}

/** The tables as models of Prisma. @param parts ours of tables that exist */
export function toPrisma(
  tables: readonly TableDescription[],
  dialect: Dialect,
  parts: readonly TablePart[] = [],
): string[] {
  return [
    ...parts.flatMap((part) => ['', ...partAsPrisma(part, dialect)]),
    ...tables.flatMap((table) => ['', ...model(table, tables, dialect)]),
    ...collations(tables, dialect),
  ]
}

function model(table: TableDescription, tables: readonly TableDescription[], dialect: Dialect): string[] {
  const { schema, table: name } = splitTable(table)
  const users = tables.find(({ holds }) => holds === 'users')
  const fields = (columns: readonly string[]) => columns.map((column) => fieldOf(table, column)).join(', ')
  const rows = table.columns.map((column) => field(column, table, dialect))
  if (table.userReference !== undefined && users !== undefined) {
    const reference = `@relation(fields: [${fields([table.userReference])}], references: [${users.primaryKey.map((name) => fieldOf(users, name))}], onDelete: Cascade)`
    rows.push(['user', modelNames.users, reference])
  }
  if (table.holds === 'users') {
    for (const { holds, userReference } of tables)
      if (userReference !== undefined) rows.push([holds, `${modelNames[holds]}[]`])
  }
  return [
    `model ${modelNames[table.holds]} {`,
    ...aligned(rows).map((line) => `  ${line}`),
    ...(table.holds === 'users' ? relation(table, dialect) : []),
    '',
    ...(table.primaryKey.length > 1 ? [`  @@id([${fields(table.primaryKey)}])`] : []),
    ...table.indexes.map(
      ({ name, columns, isUnique }) =>
        `  @@${isUnique ? 'unique' : 'index'}([${fields(columns)}], map: ${JSON.stringify(name)})`,
    ),
    `  @@map(${JSON.stringify(name)})`,
    ...(schema === undefined ? [] : [`  @@schema(${JSON.stringify(schema)})`]),
    '}',
  ]
}

function field(column: ColumnDescription, table: TableDescription, dialect: Dialect): string[] {
  const [type = '', native] = types[dialect][column.type].split(' ')
  const value = column.default
  return [
    column.field,
    column.isNullable ? `${type}?` : type,
    ...(isPrimary(table, column.name) ? ['@id'] : []),
    ...(value === undefined ? [] : [`@default(${literal(value, type)})`]),
    ...(column.name === column.field ? [] : [`@map(${JSON.stringify(column.name)})`]),
    ...(native === undefined ? [] : [native]),
  ]
}

/** Lines to merge into a model. Outside one Prisma refuses them, so nobody takes them for the whole. */
function partAsPrisma({ table, columns, indexes }: TablePart, dialect: Dialect): string[] {
  const fields = (names: readonly string[]) =>
    names.map((each) => columns.find(({ name }) => name === each)?.field).join(', ')
  return [
    `// PARTIAL: ${JSON.stringify(table.name)} exists. Merge these lines into your own model, and drop only its lines for the same columns.`,
    ...aligned(columns.map((column) => liveField(column, dialect))).map((line) => `  ${line}`),
    '',
    ...indexes.map(
      ({ name, columns, isUnique }) =>
        `  @@${isUnique ? 'unique' : 'index'}([${fields(columns)}], map: ${JSON.stringify(name)})`,
    ),
  ]
}

function liveField(column: TablePart['columns'][number], dialect: Dialect): string[] {
  const { field, name, isPrimary, isNullable, appKey } = column
  const { prisma } = wordsFor(column.type, dialect)
  const [, type = '', native] = /^(\S+)(?: (.*))?$/.exec(prisma) ?? []
  const value = defaultOf(column)
  return [
    field,
    isNullable ? `${type}?` : type,
    ...(isPrimary ? ['@id'] : []),
    ...(appKey === undefined
      ? []
      : [appKey.name.startsWith('sqlite_') ? '@unique' : `@unique(map: ${JSON.stringify(appKey.name)})`]),
    ...(value === undefined ? [] : [`@default(${defaultAsPrisma(value, type)})`]),
    ...(name === field ? [] : [`@map(${JSON.stringify(name)})`]),
    ...(native === undefined ? [] : [native]),
  ]
}

function defaultAsPrisma(value: NonNullable<ReturnType<typeof defaultOf>>, type: string): string {
  if ('expression' in value) {
    const isNow = type === 'DateTime' && /^(?:now\(\)|current_timestamp(?:\(\d?\))?)$/i.test(value.expression)
    return isNow ? 'now()' : `dbgenerated(${JSON.stringify(value.expression)})`
  }
  return typeof value.value === 'boolean' ? String(value.value) : literal(value.value, type)
}

function literal(value: string | number, type: string): string {
  if (typeof value === 'number') return String(value)
  return JSON.stringify(type === 'Bytes' ? Buffer.from(value).toString('base64') : value)
}

/** How a model of the app relates to its user. */
function relation(users: TableDescription, dialect: Dialect): string[] {
  const id = users.columns.find(({ name }) => isPrimary(users, name))
  const [type = '', native = ''] = types[dialect][id?.type ?? 'id'].split(' ')
  return [
    '',
    '  // A model of yours that belongs to a user, say Post, has a line here and two of its own:',
    '  //   posts Post[]',
    '  //',
    `  //   userId ${type} ${native}`.trimEnd(),
    `  //   user   ${modelNames.users} @relation(fields: [userId], references: [${id?.field}], onDelete: Cascade)`,
  ]
}

/** What Prisma can't say, as SQL. */
function collations(tables: readonly TableDescription[], dialect: Dialect): string[] {
  const statements = byteOrder(tables, dialect)
  if (statements.length === 0) return []
  return [
    '',
    "// Keys are compared byte by byte, which Prisma can't say: append this to the migration that creates the tables",
    '// (npx prisma migrate dev --create-only).',
    ...statements.map((statement) => `//   ${statement}`),
  ]
}
