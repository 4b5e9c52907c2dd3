/**
 * What a column holds, for a tool that writes it in the words of an engine or an ORM.
 *
 * - `id` and `key`: a text that is compared byte by byte; at most 255 and 1024 bytes
 * - `word`: one of a few words of ours; at most 255 bytes
 * - `text`: at most 1024 bytes, as typed; `longText`: of any length
 * - `flag`: 0 or 1 as a small number; `boolean`: true or false
 * - `whole`: a number up to 2^53
 * - `timestamp`: a moment, to the millisecond; where a number has to do, it is a `whole`
 * - `uuid`: the engine's type, 36 characters on MySQL, a text on SQLite
 */
export type ColumnType =
  | 'id'
  | 'key'
  | 'word'
  | 'text'
  | 'longText'
  | 'flag'
  | 'boolean'
  | 'whole'
  | 'timestamp'
  | 'uuid'

/** A column of a table that a store needs. */
export interface ColumnDescription {
  /** What code calls it, such as `usernameKey`. */
  field: string
  /** Its name in the database. */
  name: string
  type: ColumnType
  /** Default: no. */
  isNullable?: boolean | undefined
  /** Default: none. */
  default?: string | number | undefined
}

/** An index. Its columns are names in the database, in order. */
export interface IndexDescription {
  name: string
  columns: readonly string[]
  isUnique: boolean
}

/** A table that a store needs. */
export interface TableDescription {
  holds:
    | 'users'
    | 'identities'
    | 'sessions'
    | 'invitations'
    | 'activity'
    | 'outbox'
    | 'organizations'
    | 'organizationMembers'
  /** Its name in the database: `table`, or `schema.table`. */
  name: string
  columns: readonly ColumnDescription[]
  /** The names of its columns in the database, in order. */
  primaryKey: readonly string[]
  indexes: readonly IndexDescription[]
  /** The column that names a user of the table of users, which removes the row with that user. Default: none. */
  userReference?: string | undefined
}
