import type { ColumnType, Kysely } from 'kysely'

/** Names of the tables. `schema.table` is a table in another schema of the database, which must be there. */
export interface TableNames {
  /** @default 'accounts_users' */
  users: string
  /** @default 'accounts_sessions' */
  sessions: string
  /** Which migrations have run; a second table, `<this>_lock`, stands beside it. @default 'accounts_migrations' */
  migrations: string
}

/** A text that is compared byte by byte. MySQL keeps it as VARBINARY, whose values come back as bytes. */
type Key = ColumnType<string | Uint8Array, string, string>
/** A whole number up to 2^53. PostgreSQL drivers hand 64-bit columns back as strings. */
type Whole = ColumnType<number | string | bigint, number, number>
/** 0 or 1: the only boolean that every engine and driver takes and gives back alike. */
type Flag = Whole
/** Milliseconds since 1970 in UTC: no session time zone and no column precision can bend them. */
type Time = Whole

export interface UsersTable {
  id: Key
  username: string
  username_key: Key
  email: string | null
  email_key: Key | null
  password_hash: string
  is_verified: Flag
  is_staff: Flag
  is_active: Flag
  created_at: Time
  last_login_at: Time | null
  session_epoch: Whole
  reset_epoch: Whole
  verify_epoch: Whole
  version: Whole
  /** JSON as text: JSON columns reorder keys, and PostgreSQL's refuses some characters. */
  fields: string
}

export interface SessionsTable {
  id: Key
  user_id: Key
  epoch: Whole
  created_at: Time
  last_seen_at: Time
  expires_at: Time
}

/** The tables under their default names. */
export interface Tables {
  accounts_users: UsersTable
  accounts_sessions: SessionsTable
  accounts_migrations: { name: string }
}

const defaultNames = {
  users: 'accounts_users',
  sessions: 'accounts_sessions',
  migrations: 'accounts_migrations',
} as const

/** The integrator's names, typed as the defaults so that queries on them are checked against `Tables`. */
export function tableNames(names: Partial<TableNames> = {}): typeof defaultNames {
  for (const [key, name] of Object.entries(names)) {
    if (!Object.hasOwn(defaultNames, key)) throw new TypeError(`tables.${key} is not an option`)
    if (typeof name !== 'string' || name === '')
      throw new TypeError(`tables.${key} must be the name of a table`)
  }
  return { ...defaultNames, ...names } as typeof defaultNames
}

/** The host's Kysely, seen as one with our tables, and without plugins that would rename columns. */
export function accountsDb<DB>(db: Kysely<DB>): Kysely<Tables> {
  return db.withoutPlugins() as unknown as Kysely<Tables>
}

/** `schema.table`, or just `table`. */
export function splitName(name: string): { schema: string | undefined; name: string } {
  const dot = name.lastIndexOf('.')
  return { schema: dot === -1 ? undefined : name.slice(0, dot), name: name.slice(dot + 1) }
}
