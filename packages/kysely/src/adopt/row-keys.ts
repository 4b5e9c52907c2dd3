import { parseEmail, usernameKey } from 'fastify-accounts'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import { rowsOf } from './table-rows.js'

/** The columns of a table that keys are made of; absent: it has none. */
export interface KeyedTable {
  table: string
  id: string
  username: string | undefined
  email: string | undefined
  nameKey: string | undefined
  emailKey: string | undefined
}

/** Why a user gets no key. */
export type KeyFault = 'same name' | 'same address' | 'no address' | 'other form' | 'nothing'

/** The keys of a row, or why it gets none. */
export type RowKeys = { name: string | undefined; address: string | undefined } | { fault: KeyFault }

/** The users of a table who stand in each other's way, or whom no key fits. */
export interface Conflicts {
  /** Several have one name, or address, for people and for us: `Ada` and `ada`. */
  names: Map<string, string[]>
  addresses: Map<string, string[]>
  /** Those without a key of their own. */
  faults: Map<KeyFault, string[]>
  /** Their address has changed, but not its key. */
  outdated: string[]
}

interface KeyedRow {
  username: string | null
  email: string | null
}

export async function conflictsIn(db: Kysely<Tables>, table: KeyedTable): Promise<Conflicts> {
  const found: Conflicts = { names: new Map(), addresses: new Map(), faults: new Map(), outdated: [] }
  const add = <Key>(held: Map<Key, string[]>, key: Key, id: string) => {
    const ids = held.get(key)
    if (ids === undefined) held.set(key, [id])
    else ids.push(id)
  }
  for await (const rows of keyedRows(db, table)) {
    for (const row of rows) {
      const { name, address } = keysOf(row)
      if (name !== undefined) add(found.names, name, row.id)
      if (address !== undefined) add(found.addresses, address, row.id)
      const keys = keysFor(row, null)
      // An account of ours may have neither a name nor an address.
      const isOurs = row.name_key !== null && 'fault' in keys && keys.fault === 'nothing'
      if ('fault' in keys && !isOurs) add(found.faults, keys.fault, row.id)
      if (row.email_key !== null && fromText(row.email_key) !== address) found.outdated.push(row.id)
    }
  }
  for (const [held, fault] of [
    [found.names, 'same name'],
    [found.addresses, 'same address'],
  ] as const)
    for (const ids of held.values()) if (ids.length > 1) for (const id of ids) add(found.faults, fault, id)
  return found
}

function keyedRows(db: Kysely<Tables>, { table, id, username, email, nameKey, emailKey }: KeyedTable) {
  const column = (name: string | undefined) => (name === undefined ? sql`null` : sql.id(name))
  const columns = sql`${column(username)} as username, ${column(email)} as email, ${column(nameKey)} as name_key, ${column(emailKey)} as email_key`
  return rowsOf<KeyedRow & { name_key: unknown; email_key: string | Uint8Array | null }>(db, {
    table,
    id,
    columns,
  })
}

function keysOf({ username, email }: KeyedRow) {
  return {
    name: username === null || username === '' ? undefined : usernameKey(username),
    address: email === null ? undefined : parseEmail(email)?.emailKey,
  }
}

/**
 * The keys that a row gets. An address is stored as emails are sent to it: with a space around, its owner could log in, and
 * would never get one.
 * @param others `null` if only the row itself is looked at
 */
export function keysFor(row: KeyedRow, others: Pick<Conflicts, 'names' | 'addresses'> | null): RowKeys {
  const { name, address } = keysOf(row)
  const isShared = (held: ReadonlyMap<string, string[]> | undefined, key: string | undefined) =>
    key !== undefined && held !== undefined && held.get(key)?.length !== 1
  if (row.email !== null && row.email !== '' && parseEmail(row.email)?.email !== row.email)
    return { fault: address === undefined ? 'no address' : 'other form' }
  if (name === undefined && address === undefined) return { fault: 'nothing' }
  if (isShared(others?.names, name)) return { fault: 'same name' }
  return isShared(others?.addresses, address) ? { fault: 'same address' } : { name, address }
}
