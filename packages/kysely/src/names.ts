import { outboxColumns } from './outbox-row.js'
import type { IdentitiesTable, OutboxTable, SessionsTable, UsersTable } from './schema.js'
import { sessionColumns } from './session-row.js'
import { userColumns } from './user-row.js'

/** Names of the tables. `schema.table` is a table in another schema of the database, which must exist. */
export interface TableNames {
  /** @default 'accounts_users' */
  users: string
  /** Maps passkeys and external identities to users. @default 'accounts_identities' */
  identities: string
  /** @default 'accounts_sessions' */
  sessions: string
  /** Waiting messages. @default 'accounts_outbox' */
  outbox: string
  /** Which migrations have run; there is also a second table, `<this>_lock`. @default 'accounts_migrations' */
  migrations: string
}

/** Other names for columns, keyed by their default names: `{ users: { username: 'login' } }`. */
export interface ColumnNames {
  users?: Partial<Record<keyof UsersTable, string>> | undefined
  identities?: Partial<Record<keyof IdentitiesTable, string>> | undefined
  sessions?: Partial<Record<keyof SessionsTable, string>> | undefined
  outbox?: Partial<Record<keyof OutboxTable, string>> | undefined
}

/** The names of the tables and their columns: the same for `migrate`, `migrationSql` and both stores. */
export interface Naming {
  /** Other names for some or all tables; at most 50 bytes each. */
  tables?: Partial<TableNames> | undefined
  /** Other names for some or all columns; at most 50 bytes each. */
  columns?: ColumnNames | undefined
}

/** Every name, checked. */
export interface Names {
  /** Typed as the defaults, so queries on them are checked against `Tables`. */
  tables: {
    users: 'accounts_users'
    identities: 'accounts_identities'
    sessions: 'accounts_sessions'
    outbox: 'accounts_outbox'
    migrations: 'accounts_migrations'
  }
  /** From the default name of each column to its name in the database. */
  columns: Record<keyof ColumnNames, Readonly<Record<string, string>>>
}

const defaultTables: Names['tables'] = {
  users: 'accounts_users',
  identities: 'accounts_identities',
  sessions: 'accounts_sessions',
  outbox: 'accounts_outbox',
  migrations: 'accounts_migrations',
}

const defaultColumns = {
  users: Object.fromEntries(userColumns.map((name) => [name, name])),
  identities: { identity_key: 'identity_key', user_id: 'user_id' },
  sessions: Object.fromEntries(sessionColumns.map((name) => [name, name])),
  outbox: Object.fromEntries(outboxColumns.map((name) => [name, name])),
}

/** Bytes. PostgreSQL cuts names at 63, and those of indexes are up to 13 longer than those of tables. */
const longest = 50

/** @throws TypeError of one line that names the option */
export function resolveNames({ tables = {}, columns = {} }: Naming): Names {
  checkKeys('columns', columns, defaultColumns)
  return {
    tables: resolve('tables', 'table', defaultTables, tables) as Names['tables'],
    columns: {
      users: resolve('columns.users', 'column', defaultColumns.users, columns.users),
      identities: resolve('columns.identities', 'column', defaultColumns.identities, columns.identities),
      sessions: resolve('columns.sessions', 'column', defaultColumns.sessions, columns.sessions),
      outbox: resolve('columns.outbox', 'column', defaultColumns.outbox, columns.outbox),
    },
  }
}

function resolve(
  option: string,
  kind: 'table' | 'column',
  defaults: Record<string, string>,
  given: object = {},
): Record<string, string> {
  checkKeys(option, given, defaults)
  const names: Record<string, string> = { ...defaults, ...given }
  const holders = new Map<string, string>()
  for (const [key, name] of Object.entries(names)) {
    if (!isName(name, kind)) {
      throw new TypeError(`${option}.${key} must be the name of a ${kind}, at most ${longest} bytes long`)
    }
    // SQLite and MySQL ignore case in names.
    const holder = holders.get(name.toLowerCase())
    if (holder) throw new TypeError(`${option}.${holder} and ${option}.${key} must not have the same name`)
    holders.set(name.toLowerCase(), key)
  }
  return names
}

function checkKeys(option: string, given: object, known: object): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${option} must be an object of names`)
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(known, key)) throw new TypeError(`${option}.${key} is not an option`)
  }
}

function isName(name: unknown, kind: 'table' | 'column'): boolean {
  if (typeof name !== 'string' || name.includes('\0') || !name.isWellFormed()) return false
  const parts = kind === 'table' ? name.split('.') : [name]
  return parts.every((part) => part !== '' && Buffer.byteLength(part) <= longest)
}

/** A column's name in the database. */
export function columnName({ columns }: Names, table: keyof ColumnNames, column: string): string {
  return columns[table][column] ?? column
}

/** `schema.table`, or just `table`. */
export function splitName(name: string): { schema: string | undefined; name: string } {
  const dot = name.lastIndexOf('.')
  return { schema: dot === -1 ? undefined : name.slice(0, dot), name: name.slice(dot + 1) }
}
