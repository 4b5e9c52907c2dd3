import type { Dialect } from './dialect.js'
import type { LiveColumn } from './live.js'

type Row = [type: RegExp, builder: string, options: string, prisma: string]

const varchar = '(?:character varying|varchar)'

/** Types of columns that can be ours, as Drizzle's function with its options, and as Prisma's type. */
const rows: Record<Dialect, Row[]> = {
  postgres: [
    [/^uuid$/, 'uuid', '', 'String @db.Uuid'],
    [/^text$/, 'text', '', 'String'],
    [new RegExp(`^${varchar}$`), 'varchar', '', 'String @db.VarChar'],
    [new RegExp(`^${varchar}\\((\\d+)\\)$`), 'varchar', '{ length: $1 }', 'String @db.VarChar($1)'],
    [/^character\((\d+)\)$/, 'char', '{ length: $1 }', 'String @db.Char($1)'],
    [/^citext$/, '', '', 'String @db.Citext'],
    [/^boolean$/, 'boolean', '', 'Boolean'],
    [/^smallint$/, 'smallint', '', 'Int @db.SmallInt'],
    [/^integer$/, 'integer', '', 'Int'],
    [/^bigint$/, 'bigint', "{ mode: 'number' }", 'BigInt'],
    [
      /^timestamp(?:tz\((\d)\)|\((\d)\) with time zone)$/,
      'timestamp',
      '{ precision: $1$2, withTimezone: true }',
      'DateTime @db.Timestamptz($1$2)',
    ],
    [/^timestamp with time zone$/, 'timestamp', '{ withTimezone: true }', 'DateTime @db.Timestamptz'],
    [/^timestamp\((\d)\) without time zone$/, 'timestamp', '{ precision: $1 }', 'DateTime @db.Timestamp($1)'],
    [/^timestamp without time zone$/, 'timestamp', '', 'DateTime @db.Timestamp'],
  ],
  mysql: [
    [/^uuid$/, '', '', 'Unsupported("uuid")'],
    [/^char\((\d+)\)$/, 'char', '{ length: $1 }', 'String @db.Char($1)'],
    [/^varchar\((\d+)\)$/, 'varchar', '{ length: $1 }', 'String @db.VarChar($1)'],
    [/^varbinary\((\d+)\)$/, 'varbinary', '{ length: $1 }', 'Bytes @db.VarBinary($1)'],
    [/^text$/, 'text', '', 'String @db.Text'],
    [/^mediumtext$/, 'mediumtext', '', 'String @db.MediumText'],
    [/^longtext$/, 'longtext', '', 'String @db.LongText'],
    [/^(?:boolean|tinyint\(1\))$/, 'boolean', '', 'Boolean'],
    [/^bit\(1\)$/, '', '', 'Boolean @db.Bit(1)'],
    [/^tinyint(?:\(\d+\))?$/, 'tinyint', '', 'Int @db.TinyInt'],
    [/^smallint(?:\(\d+\))?$/, 'smallint', '', 'Int @db.SmallInt'],
    [/^int(?:\(\d+\))?$/, 'int', '', 'Int'],
    [/^bigint(?:\(\d+\))?$/, 'bigint', "{ mode: 'number' }", 'BigInt'],
    [/^datetime$/, 'datetime', '', 'DateTime @db.DateTime(0)'],
    [/^datetime\((\d)\)$/, 'datetime', '{ fsp: $1 }', 'DateTime @db.DateTime($1)'],
    [/^timestamp$/, 'timestamp', '', 'DateTime @db.Timestamp(0)'],
    [/^timestamp\((\d)\)$/, 'timestamp', '{ fsp: $1 }', 'DateTime @db.Timestamp($1)'],
  ],
  sqlite: [
    // As drizzle-kit reads them.
    [/^bigint/, 'integer', '', 'BigInt'],
    [/int/, 'integer', '', 'Int'],
    [/^(?:text|n?varchar|character)\((\d+)\)$/, 'text', '{ length: $1 }', 'String'],
    [/char|clob|text/, 'text', '', 'String'],
    [/bool/, 'numeric', '', 'Boolean'],
    [/date|time/, 'numeric', '', 'DateTime'],
  ],
}

/** The words of both ORMs for the type of a column. */
export function wordsFor(
  type: string,
  dialect: Dialect,
): { builder: string; options: string; prisma: string } {
  const row = rows[dialect].find(([pattern]) => pattern.test(type))
  const [pattern = /^/, builder = '', options = '', prisma = `Unsupported(${JSON.stringify(type)})`] =
    row ?? []
  const filled = (words: string) => (words.includes('$') ? type.replace(pattern, words) : words)
  return { builder: filled(builder), options: filled(options), prisma: filled(prisma) }
}

/** A default: a value, or an expression of the engine. */
export type Default = { value: string | number | boolean } | { expression: string }

/** `undefined` if there is none. */
export function defaultOf({ default: text, type }: LiveColumn): Default | undefined {
  if (text === null) return undefined
  const [, quoted] = /^'((?:[^']|'')*)'(?:::[\w "()]+)?$/.exec(text) ?? []
  const plain = quoted?.replaceAll("''", "'") ?? text
  const isFlag = /bool|^tinyint\(1\)/.test(type)
  if (isFlag && /^(?:true|false|[01])$/i.test(plain)) return { value: /^(?:true|1)$/i.test(plain) }
  if (/int|numeric|real|double/.test(type) && /^-?\d+$/.test(plain)) return { value: Number(plain) }
  return quoted === undefined ? { expression: text } : { value: plain }
}
