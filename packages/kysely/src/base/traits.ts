import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from './engine.js'

/** How one engine writes the columns that differ. */
interface Traits {
  /** Whether `UPDATE … RETURNING` returns the row. */
  returning: boolean
  /** Whether an UPDATE that matches no row takes a lock that others wait for. */
  emptyUpdateLocks: boolean
  /** An opaque id, at most `limits.id` bytes, compared byte by byte. */
  id: RawBuilder<unknown>
  /** A canonical key, at most `limits.key` bytes, compared byte by byte. */
  key: RawBuilder<unknown>
  /** A text as typed, at most `limits.text` bytes. */
  text: RawBuilder<unknown>
  /** A text of any length. */
  longText: RawBuilder<unknown>
  /** Whole milliseconds since 1970, rounded down, by the clock of the database, not of the transaction. */
  now: RawBuilder<number>
  /** Whether a text contains another, in any case of ASCII's letters. Some engines ignore that of others as well. */
  containsInAnyCase(text: Expression<unknown>, part: string): RawBuilder<SqlBool>
  /** What follows the closing bracket of CREATE TABLE. */
  tableEnd: Expression<unknown>
}

export const traits: Record<Engine, Traits> = {
  // SQLite compares text byte by byte unless told otherwise.
  sqlite: {
    returning: true,
    emptyUpdateLocks: true,
    id: sql`text`,
    key: sql`text`,
    text: sql`text`,
    longText: sql`text`,
    now: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
    containsInAnyCase: (text, part) => sql`instr(lower(${text}), lower(${part})) > 0`,
    tableEnd: sql``,
  },
  // The C collation orders by bytes too, whatever the locale of the database.
  postgres: {
    returning: true,
    emptyUpdateLocks: false,
    id: sql`text collate "C"`,
    key: sql`text collate "C"`,
    text: sql`text`,
    longText: sql`text`,
    now: sql`floor(extract(epoch from clock_timestamp()) * 1000)`,
    // Without a locale, which could know another small letter for an I.
    containsInAnyCase: (text, part) =>
      sql`strpos(lower(${text} collate "C"), lower(${part} collate "C")) > 0`,
    tableEnd: sql``,
  },
  // Even the `_bin` collations treat 'bob ' as 'bob' (PAD SPACE); VARBINARY does not, on MySQL and MariaDB alike.
  mysql: {
    returning: false,
    emptyUpdateLocks: true,
    id: sql`varbinary(255)`,
    key: sql`varbinary(1024)`,
    text: sql`varchar(1024)`,
    longText: sql`longtext`,
    // UTC: in local time, the hour that repeats in autumn would be ambiguous.
    now: sql`floor(timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) / 1000)`,
    containsInAnyCase: (text, part) => sql`instr(lower(${text}), lower(${part})) > 0`,
    tableEnd: sql`engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin`,
  },
}
