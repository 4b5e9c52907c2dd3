import type { ColumnType, IndexDescription, TableDescription } from '../../index.js'
import type { Dialect } from './dialect.js'
import { splitTable } from './models.js'

const texts = { id: 'text', key: 'text', word: 'text', text: 'text', longText: 'text' }

export const types: Record<Dialect, Record<ColumnType, string>> = {
  postgres: {
    ...texts,
    id: 'text collate "C"',
    key: 'text collate "C"',
    flag: 'smallint',
    boolean: 'boolean',
    whole: 'bigint',
    timestamp: 'timestamptz(3)',
    uuid: 'uuid',
  },
  mysql: {
    id: 'varbinary(255)',
    key: 'varbinary(1024)',
    word: 'varchar(255)',
    text: 'varchar(1024)',
    longText: 'longtext',
    flag: 'smallint',
    boolean: 'boolean',
    whole: 'bigint',
    timestamp: 'datetime(3)',
    uuid: 'char(36) character set ascii collate ascii_bin',
  },
  sqlite: {
    ...texts,
    flag: 'smallint',
    boolean: 'integer',
    whole: 'bigint',
    timestamp: 'integer',
    uuid: 'text',
  },
}

/** The tables as SQL; each statement ends a line. */
export function toSql(tables: readonly TableDescription[], dialect: Dialect): string[] {
  const id = (name: string) => quoted(name, dialect)
  const list = (names: readonly string[]) => names.map(id).join(', ')
  const users = tables.find(({ holds }) => holds === 'users')
  return tables.flatMap((table, at) => {
    const name = tableName(table, dialect)
    const lines = [
      ...table.columns.map(({ name, type, isNullable = false, default: value }) =>
        [
          id(name),
          types[dialect][type],
          ...(value === undefined ? [] : [`default ${literal(value)}`]),
          ...(isNullable ? [] : ['not null']),
        ].join(' '),
      ),
      `primary key (${list(table.primaryKey)})`,
      ...table.indexes
        .filter(({ isUnique }) => isUnique)
        .map(({ name, columns }) => `constraint ${id(name)} unique (${list(columns)})`),
      ...(table.userReference === undefined || users === undefined
        ? []
        : [
            `foreign key (${id(table.userReference)}) references ${tableName(users, dialect)} (${list(users.primaryKey)}) on delete cascade`,
          ]),
    ]
    const end = dialect === 'mysql' ? ' engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin' : ''
    return [
      ...(at === 0 ? [] : ['']),
      `create table ${name} (`,
      ...lines.map((line, number) => `  ${line}${number === lines.length - 1 ? '' : ','}`),
      `)${end};`,
      ...table.indexes.filter(({ isUnique }) => !isUnique).map((index) => createIndex(index, table, dialect)),
    ]
  })
}

/** Statements that make columns compare byte by byte, where an ORM can't say so. */
export function byteOrder(tables: readonly TableDescription[], dialect: Dialect): string[] {
  if (dialect !== 'postgres') return []
  return tables.map((table) => {
    const changes = table.columns
      .filter(({ type }) => type === 'id' || type === 'key')
      .map(({ name }) => `alter column ${quoted(name, dialect)} type ${types.postgres.key}`)
    return `alter table ${tableName(table, dialect)} ${changes.join(', ')};`
  })
}

/** On SQLite, the schema stands before the name of the index, and not before the table. */
export function createIndex(
  { name, columns, isUnique }: IndexDescription,
  table: Pick<TableDescription, 'name'>,
  dialect: Dialect,
): string {
  const list = columns.map((column) => quoted(column, dialect)).join(', ')
  const index = quoted(name, dialect)
  const create = `create ${isUnique ? 'unique ' : ''}index`
  if (dialect !== 'sqlite') return `${create} ${index} on ${tableName(table, dialect)} (${list});`
  const { schema, table: its } = splitTable(table)
  const prefix = schema === undefined ? '' : `${quoted(schema, dialect)}.`
  return `${create} ${prefix}${index} on ${quoted(its, dialect)} (${list});`
}

/** The table, with its schema if it has one, as SQL. */
export function tableName({ name }: Pick<TableDescription, 'name'>, dialect: Dialect): string {
  return name
    .split('.')
    .map((part) => quoted(part, dialect))
    .join('.')
}

/** A name as SQL. */
export function quoted(name: string, dialect: Dialect): string {
  const mark = dialect === 'mysql' ? '`' : '"'
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}

export function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value}'`
}
