import { type Expression, type RawBuilder, sql } from 'kysely'
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
  /** Milliseconds since 1970 by the clock of the database, not of the transaction. */
  now: RawBuilder<unknown>
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
    now: sql`(julianday('now') - 2440587.5) * 86400000`,
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
    now: sql`extract(epoch from clock_timestamp()) * 1000`,
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
    now: sql`timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) / 1000`,
    tableEnd: sql`engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin`,
  },
}
