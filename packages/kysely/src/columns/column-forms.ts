import type { ColumnType } from 'fastify-accounts'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'

/**
 * What a column of an existing table holds, if it isn't what ours would:
 * `boolean` instead of 0 and 1; `not boolean` for one that says the opposite, such as `blocked` for `is_active`;
 * `timestamptz` for a moment to the millisecond (`timestamptz(3)` on PostgreSQL, `datetime(3)` in UTC on MySQL and MariaDB,
 * `2026-03-29T01:30:00.123Z` as text on SQLite) instead of milliseconds since 1970; `uuid` for the type of that name, or
 * on MySQL for a text column of UUIDs in lower case. SQLite keeps UUIDs as the text they are.
 */
export type ColumnForm = 'boolean' | 'not boolean' | 'timestamptz' | 'uuid'

/** How an engine converts between such a column and what ours would hold. */
export interface Form {
  as: ColumnForm
  /** The type, in a table that `migrate` creates. */
  type: RawBuilder<unknown>
  /** What it holds, as the tables are described. */
  holds: ColumnType
  /** What our column would hold. */
  read(column: Expression<unknown>): RawBuilder<unknown>
  /** What the column holds, NULL for a value that it can't. Of constants, so an index on the column is used. */
  write(value: Expression<unknown>): RawBuilder<unknown>
  /** Like `write`, for an array. @throws (the database) if one can't be held */
  writeArray?(values: Expression<unknown>): RawBuilder<unknown>
}

type Forms = Record<ColumnForm, Omit<Form, 'as'>>

const same = (value: Expression<unknown>): RawBuilder<unknown> => sql`${value}`
const isSet = (value: Expression<unknown>): RawBuilder<unknown> => sql`(${value} <> 0)`
const isZero = (value: Expression<unknown>): RawBuilder<unknown> => sql`(${value} = 0)`

/** The only spelling, so an id is compared byte by byte. */
const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
const pattern = sql.lit(uuidPattern)

const postgres: Forms = {
  boolean: {
    type: sql`boolean`,
    holds: 'boolean',
    read: (column) => sql`(${column})::int`,
    write: (value) => sql`(${value}::int <> 0)`,
  },
  'not boolean': {
    type: sql`boolean`,
    holds: 'boolean',
    read: (column) => sql`(not ${column})::int`,
    write: (value) => sql`(${value}::int = 0)`,
  },
  timestamptz: {
    type: sql`timestamptz(3)`,
    holds: 'timestamp',
    read: (column) => sql`round(extract(epoch from ${column}) * 1000)::bigint`,
    write: (value) => sql`to_timestamp(${value}::float8 / 1000)`,
  },
  uuid: {
    type: sql`uuid`,
    holds: 'uuid',
    read: (column) => sql`(${column})::text`,
    write: (value) => sql`substring(${value}::text from ${pattern})::uuid`,
    writeArray: (values) => sql`${values}::text[]::uuid[]`,
  },
}

const mysql: Forms = {
  // Drivers return a bit as a buffer, and send a number as a text.
  boolean: { type: sql`boolean`, holds: 'boolean', read: isSet, write: isSet },
  'not boolean': { type: sql`boolean`, holds: 'boolean', read: isZero, write: isZero },
  timestamptz: {
    type: sql`datetime(3)`,
    // A `timestamp` changes with the time zone of the session.
    holds: 'timestamp',
    read: (column) => sql`floor(timestampdiff(microsecond, '1970-01-01', ${column}) / 1000)`,
    write: (value) => sql`cast(timestampadd(microsecond, ${value} * 1000, '1970-01-01') as datetime(3))`,
  },
  uuid: {
    type: sql`char(36) character set ascii collate ascii_bin`,
    holds: 'uuid',
    read: same,
    // Of ASCII, which can be compared with a text of any collation by that one's index.
    write: (value) =>
      sql`nullif(regexp_substr(convert(${value} using ascii), concat('(?-i)', ${pattern})), '')`,
  },
}

const sqlite: Forms = {
  boolean: { type: sql`integer`, holds: 'boolean', read: same, write: same },
  'not boolean': {
    type: sql`integer`,
    holds: 'boolean',
    read: isZero,
    write: isZero,
  },
  timestamptz: {
    type: sql`text`,
    holds: 'word',
    read: (column) => sql`cast(round((julianday(${column}) - 2440587.5) * 86400000) as integer)`,
    write: (value) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${value} / 1000.0, 'unixepoch')`,
  },
  uuid: { type: sql`text`, holds: 'uuid', read: same, write: same },
}

const forms: Record<Engine, Forms> = { sqlite, postgres, mysql }

export function formOf(engine: Engine, as: ColumnForm): Form {
  return { as, ...forms[engine][as] }
}

const uuid = new RegExp(uuidPattern)

/** Whether a column of UUIDs can hold the text. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
