import { parseEmail, usernameKey } from 'fastify-accounts'
import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { type Engine, engineOf } from '../base/engine.js'
import { failureOf } from '../base/errors.js'
import type { Tables, UsersTable } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { columnName, type Naming, resolveNames } from '../columns/names.js'
import { noName } from '../columns/user-row.js'
import { affected } from '../run/statement.js'
import { rowsOf } from './table-rows.js'

/** The columns of a table that keys are made of; absent: it has none. */
export interface KeyedTable {
  table: string
  id: string
  username: string | undefined
  email: string | undefined
  emailKey: string | undefined
}

interface KeyedRow {
  id: string
  username: string | null
  email: string | null
  email_key: string | Uint8Array | null
}

/** Users who can't get a key, by id. */
interface Conflicts {
  /** Several have one name, or address, for people and for us: `Ada` and `ada`. */
  names: Map<string, string[]>
  addresses: Map<string, string[]>
  /** Their address is none. */
  invalid: string[]
  /** Their address has changed, but not its key. */
  outdated: string[]
}

async function conflictsIn(db: Kysely<Tables>, table: KeyedTable): Promise<Conflicts> {
  const names = new Map<string, string[]>()
  const addresses = new Map<string, string[]>()
  const invalid: string[] = []
  const outdated: string[] = []
  const add = (held: Map<string, string[]>, key: string, id: string) =>
    held.set(key, [...(held.get(key) ?? []), id])
  for await (const rows of keyedRows(db, table)) {
    for (const { id, username, email, email_key } of rows) {
      const { name, address } = keysFor({ username, email })
      if (name !== undefined) add(names, name, id)
      if (address !== undefined) add(addresses, address, id)
      else if (email !== null && email !== '') invalid.push(id)
      if (email_key !== null && fromText(email_key) !== address) outdated.push(id)
    }
  }
  return { names, addresses, invalid, outdated }
}

function keyedRows(db: Kysely<Tables>, { table, id, username, email, emailKey }: KeyedTable) {
  const column = (name: string | undefined) => (name === undefined ? sql`null` : sql.id(name))
  const columns = sql`${column(username)} as username, ${column(email)} as email, ${column(emailKey)} as email_key`
  return rowsOf<Omit<KeyedRow, 'id'>>(db, { table, id, columns })
}

function keysFor({ username, email }: Pick<KeyedRow, 'username' | 'email'>): {
  name: string | undefined
  address: string | undefined
} {
  const address = email === null || email === '' ? undefined : parseEmail(email)?.emailKey
  return { name: username === null || username === '' ? undefined : usernameKey(username), address }
}

/** Users who stand in each other's way, one line each. They are named by id. */
export async function describeConflicts(db: Kysely<Tables>, table: KeyedTable): Promise<string[]> {
  const { names, addresses, invalid, outdated } = await conflictsIn(db, table)
  const lines = (held: ReadonlyMap<string, string[]>, what: string) =>
    [...held.values()]
      .filter((ids) => ids.length > 1)
      .map(
        (ids) => `users ${list(ids)} have the same ${what} but for case and Unicode form: change all but one`,
      )
  return [
    ...lines(names, 'username'),
    ...lines(addresses, 'email address'),
    ...(invalid.length === 0
      ? []
      : [`the addresses of users ${list(invalid)} are no email addresses: correct or clear them`]),
    ...(outdated.length === 0
      ? []
      : [
          `email_key of users ${list(outdated)} is of another address than theirs: set it to NULL, and fill again`,
        ]),
  ]
}

function list(ids: readonly string[]): string {
  return `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ', …' : ''}`
}

/** What `fillKeys` has done. */
export interface FilledKeys {
  /** Users who have their keys now. */
  filled: number
  /** The ids of users without, because somebody else has their name or address, or it is none. */
  left: string[]
}

/**
 * Gives the users of an existing table the keys that they are found by. May run while others change them, be interrupted, and be
 * run again: each user changes only in the version, and with the name and address, that was read.
 * @param naming the same as for the stores
 */
export async function fillKeys(host: Database, naming: Naming): Promise<FilledKeys> {
  const engine = engineOf(host)
  const db = accountsDb(host)
  const names = resolveNames(naming, engine)
  const name = (column: keyof UsersTable) => columnName(names, 'users', column)
  const table: KeyedTable = {
    table: names.tables.users,
    id: name('id'),
    username: name('username'),
    email: name('email'),
    emailKey: name('email_key'),
  }
  const { names: byName, addresses } = await conflictsIn(db, table)
  const columns = sql`${sql.id(name('username'))} as username, ${sql.id(name('email'))} as email,
    ${sql.id(name('version'))} as version, ${sql.id(name('username_key'))} as name_key, ${sql.id(name('email_key'))} as email_key`
  const result: FilledKeys = { filled: 0, left: [] }
  const idForm = names.columns.users.forms.id
  type Row = KeyedRow & { version: unknown; name_key: unknown }
  for await (const rows of rowsOf<Row>(db, { table: table.table, id: table.id, columns })) {
    for (const row of rows) {
      const hasAddress = row.email !== null && row.email !== ''
      if (row.name_key !== null && (row.email_key !== null || !hasAddress)) continue
      const { name: key, address } = keysFor(row)
      const isOwn = (held: ReadonlyMap<string, string[]>, text: string | undefined) =>
        text === undefined || held.get(text)?.length === 1
      const isFree = isOwn(byName, key) && isOwn(addresses, address) && (address !== undefined || !hasAddress)
      // An account has a name or an address.
      if (!isFree || (key === undefined && address === undefined)) {
        result.left.push(row.id)
        continue
      }
      const id = idForm ? idForm.write(sql`${row.id}`) : sql`${row.id}`
      const isUnchanged = (column: 'username' | 'email') => sameAs[engine](sql.id(name(column)), row[column])
      const change = sql`update ${sql.table(table.table)} set ${sql.id(name('username_key'))} = ${key ?? noName + row.id},
        ${sql.id(name('email_key'))} = ${address ?? null}, ${sql.id(name('version'))} = ${sql.id(name('version'))} + 1
        where ${sql.id(table.id)} = ${id} and ${sql.id(name('version'))} = ${Number(row.version)}
        and ${isUnchanged('username')} and ${isUnchanged('email')}`
      // Somebody else was faster: the next run finds it.
      if (await isDone(change.execute(db))) result.filled += 1
      else result.left.push(row.id)
    }
  }
  return result
}

/** Compares byte by byte, and NULL as a value: the old app changes no version. */
const sameAs: Record<Engine, (column: RawBuilder<unknown>, value: string | null) => RawBuilder<unknown>> = {
  postgres: (column, value) => sql`${column}::text is not distinct from ${value}::text`,
  mysql: (column, value) =>
    sql`cast(convert(${column} using utf8mb4) as binary) <=> cast(${value} as binary)`,
  sqlite: (column, value) => sql`${column} is ${value} collate binary`,
}

/** Not if somebody has the key by now, as a new user does, or one whose name or address has changed without its key. */
async function isDone(change: Promise<QueryResult<unknown>>): Promise<boolean> {
  try {
    return affected(await change) === 1
  } catch (error) {
    if (failureOf(error) !== 'duplicate') throw error
    return false
  }
}
