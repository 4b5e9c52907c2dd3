import type { Engine } from '../base/engine.js'
import type {
  ActivityTable,
  IdentitiesTable,
  InvitationsTable,
  OrganizationMembersTable,
  OrganizationsTable,
  OutboxTable,
  SessionsTable,
  UsersTable,
} from '../base/schema.js'
import { activityColumns } from './activity-row.js'
import type { Form } from './column-forms.js'
import { type FieldColumn, type FieldColumnOption, resolveFieldColumns } from './field-columns.js'
import { invitationColumns } from './invitation-row.js'
import { memberColumns, organizationColumns } from './organization-columns.js'
import { outboxColumns } from './outbox-row.js'
import { sessionColumns } from './session-row.js'
import { type SomeColumns, typedColumn } from './typed-columns.js'
import { userColumns } from './user-row.js'

/**
 * Names of the tables. `schema.table` is a table in another schema of the database, which must exist; on SQLite `main`, or
 * a file that is attached.
 */
export interface TableNames {
  /** @default 'accounts_users' */
  users: string
  /** Maps passkeys and external identities to users. @default 'accounts_identities' */
  identities: string
  /** @default 'accounts_sessions' */
  sessions: string
  /** @default 'accounts_invitations' */
  invitations: string
  /** What has happened to each account. @default 'accounts_activity' */
  activity: string
  /** @default 'accounts_organizations' */
  organizations: string
  /** Who belongs to which organization. @default 'accounts_organization_members' */
  organizationMembers: string
  /** Waiting messages. @default 'accounts_outbox' */
  outbox: string
  /** Which migrations have run; there is also a second table, `<this>_lock`. @default 'accounts_migrations' */
  migrations: string
}

/** Other names for some of them; `undefined` keeps the default. */
type SomeNames<Key extends string> = { [Name in Key]?: string | undefined }

/**
 * Other names for columns, keyed by their default names, and what those of an existing table hold:
 * `{ users: { username: 'login', is_active: { name: 'blocked', as: 'not boolean' } } }`.
 */
export interface ColumnNames {
  users?: SomeColumns<keyof UsersTable, 'users'> | undefined
  identities?: SomeColumns<keyof IdentitiesTable, 'identities'> | undefined
  sessions?: SomeColumns<keyof SessionsTable, 'sessions'> | undefined
  invitations?: SomeColumns<keyof InvitationsTable, 'invitations'> | undefined
  activity?: SomeColumns<keyof ActivityTable, 'activity'> | undefined
  organizations?: SomeColumns<keyof OrganizationsTable, 'organizations'> | undefined
  organizationMembers?: SomeColumns<keyof OrganizationMembersTable, 'organizationMembers'> | undefined
  outbox?: SomeColumns<keyof OutboxTable, 'outbox'> | undefined
  /** Columns of the users table for fields of your own, by their names; all others are JSON in `fields`. */
  fields?: { [field: string]: FieldColumnOption | undefined } | undefined
}

/** The names of the tables and their columns: the same for `migrate`, `migrationSql` and the stores. */
export interface Naming {
  /** Other names for some or all tables; at most 50 bytes each. */
  tables?: SomeNames<keyof TableNames> | undefined
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
    invitations: 'accounts_invitations'
    activity: 'accounts_activity'
    organizations: 'accounts_organizations'
    organizationMembers: 'accounts_organization_members'
    outbox: 'accounts_outbox'
    migrations: 'accounts_migrations'
  }
  columns: Record<TableWithColumns, TableColumns>
  /** The fields with a column of their own. */
  fields: readonly FieldColumn[]
}

/** All tables but that of the migrations. */
export type TableWithColumns = Exclude<keyof ColumnNames, 'fields'>

/** The columns of a table, by their default names. */
export interface TableColumns {
  /** Their names in the database. */
  names: Readonly<Record<string, string>>
  /** How those of another type are read and written. */
  forms: Readonly<Partial<Record<string, Form>>>
}

const defaultTables: Names['tables'] = {
  users: 'accounts_users',
  identities: 'accounts_identities',
  sessions: 'accounts_sessions',
  invitations: 'accounts_invitations',
  activity: 'accounts_activity',
  organizations: 'accounts_organizations',
  organizationMembers: 'accounts_organization_members',
  outbox: 'accounts_outbox',
  migrations: 'accounts_migrations',
}

/** The columns that stores use, without the host's own. */
export const defaultColumns: Record<TableWithColumns, Record<string, string>> = {
  users: Object.fromEntries(userColumns.map((name) => [name, name])),
  identities: { identity_key: 'identity_key', user_id: 'user_id' },
  sessions: Object.fromEntries(sessionColumns.map((name) => [name, name])),
  invitations: Object.fromEntries(invitationColumns.map((name) => [name, name])),
  activity: Object.fromEntries(activityColumns.map((name) => [name, name])),
  organizations: Object.fromEntries(organizationColumns.map((name) => [name, name])),
  organizationMembers: Object.fromEntries(memberColumns.map((name) => [name, name])),
  outbox: Object.fromEntries(outboxColumns.map((name) => [name, name])),
}

/** Bytes. PostgreSQL cuts names at 63, and those of indexes are up to 13 longer than those of tables. */
const longest = 50

/** @throws TypeError of one line that names the option */
export function resolveNames({ tables = {}, columns = {} }: Naming, engine: Engine): Names {
  checkKeys('columns', columns, { ...defaultColumns, fields: true })
  const fields = resolveFieldColumns(columns.fields, engine)
  const of = (table: TableWithColumns) => resolveColumns(table, columns[table], engine)
  return {
    tables: resolve('tables', 'table', defaultTables, tables) as Names['tables'],
    columns: {
      users: withFields(of('users'), fields),
      identities: of('identities'),
      sessions: of('sessions'),
      invitations: of('invitations'),
      activity: of('activity'),
      organizations: of('organizations'),
      organizationMembers: of('organizationMembers'),
      outbox: of('outbox'),
    },
    fields,
  }
}

function resolveColumns(table: TableWithColumns, renames: object | undefined, engine: Engine): TableColumns {
  const option = `columns.${table}`
  const defaults = defaultColumns[table]
  if (renames === undefined) return { names: defaults, forms: {} }
  checkKeys(option, renames, defaults)
  const typed = Object.entries(renames).map(
    ([column, each]) => [column, typedColumn(table, column, each, engine)] as const,
  )
  const named = Object.fromEntries(typed.map(([column, { name }]) => [column, name]))
  const formed = typed.flatMap(([column, { form }]) => (form ? [[column, form] as const] : []))
  return { names: resolve(option, 'column', defaults, named), forms: Object.fromEntries(formed) }
}

/** The columns of the fields are others than ours. */
function withFields({ names, forms }: TableColumns, fields: readonly FieldColumn[]): TableColumns {
  const options = Object.fromEntries([
    ...Object.entries(names).map(([column, name]) => [`users.${column}`, name]),
    ...fields.map(({ field, name }) => [`fields.${field}`, name]),
  ])
  resolve('columns', 'column', options, options)
  const more = fields.flatMap(({ column, form }) => (form ? [[column, form] as const] : []))
  return {
    names: { ...names, ...Object.fromEntries(fields.map(({ column, name }) => [column, name])) },
    forms: { ...forms, ...Object.fromEntries(more) },
  }
}

function resolve(
  option: string,
  kind: 'table' | 'column',
  defaults: Record<string, string>,
  renames: object = {},
): Record<string, string> {
  checkKeys(option, renames, defaults)
  const set = Object.entries(renames).filter(([, name]) => name !== undefined)
  const names: Record<string, string> = { ...defaults, ...Object.fromEntries(set) }
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

function checkKeys(option: string, renames: object, defaults: object): void {
  if (typeof renames !== 'object' || renames === null)
    throw new TypeError(`${option} must be an object of names`)
  for (const key of Object.keys(renames)) {
    if (!Object.hasOwn(defaults, key)) throw new TypeError(`${option}.${key} is not an option`)
  }
}

function isName(name: unknown, kind: 'table' | 'column'): boolean {
  if (typeof name !== 'string' || name.includes('\0') || !name.isWellFormed()) return false
  const parts = kind === 'table' ? name.split('.') : [name]
  return parts.every((part) => part !== '' && Buffer.byteLength(part) <= longest)
}

/** A column's name in the database. */
export function columnName({ columns }: Names, table: TableWithColumns, column: string): string {
  return columns[table].names[column] ?? column
}

/** `schema.table`, or just `table`. */
export function splitName(name: string): { schema: string | undefined; name: string } {
  const dot = name.lastIndexOf('.')
  return { schema: dot === -1 ? undefined : name.slice(0, dot), name: name.slice(dot + 1) }
}

/** The name of an index, after its table and a column, without the schema, which an index is in anyway. */
export function indexName(table: string, column: string): string {
  return `${splitName(table).name}_${column}`
}
