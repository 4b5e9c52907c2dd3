import { type RawBuilder, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { type Engine, engineOf } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import { columnName, type Naming, resolveNames } from '../columns/names.js'
import { noName } from '../columns/user-row.js'
import { applying, type Change } from './apply-changes.js'
import { filledBy } from './dated-flags.js'
import { conflictsIn, type KeyedTable, keysFor } from './row-keys.js'
import { rowsOf } from './table-rows.js'

/** What `fillKeys` has done. */
export interface FilledKeys {
  /** Users who have their keys now. */
  filled: number
  /** The ids of users without, because somebody else has their name or address, it is none, or it has changed meanwhile. */
  left: string[]
  /** Those of users whose rows somebody else had locked, even for the ten seconds that they were waited for at the end. */
  locked: string[]
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
    nameKey: name('username_key'),
    emailKey: name('email_key'),
  }
  const conflicts = await conflictsIn(db, table)
  const columns = sql`${sql.id(name('username'))} as username, ${sql.id(name('email'))} as email,
    ${sql.id(name('version'))} as version, ${sql.id(name('username_key'))} as name_key, ${sql.id(name('email_key'))} as email_key`
  const faulty: string[] = []
  const idForm = names.columns.users.forms.id
  const version = sql.id(name('version'))
  // A column of the app's says what the app means of the new address.
  const isOurs =
    /^(?:account_)?is_verified$/.test(name('is_verified')) && !names.columns.users.forms.is_verified
  const isVerified = isOurs ? name('is_verified') : null
  const { apply, finish } = applying(db, {
    engine,
    table: table.table,
    id: sql.id(table.id),
    idOf: (id) => (idForm ? idForm.write(sql`${id}`) : sql`${id}`),
    always: sql`${version} = ${version} + ${sql.lit(filledBy)}${isVerified === null ? sql`` : unverified(isVerified, name('username_key'))}`,
  })
  for await (const rows of rowsOf<Row>(db, { table: table.table, id: table.id, columns })) {
    const changes: Change[] = []
    for (const row of rows) {
      const hasAddress = row.email !== null && row.email !== ''
      if (row.name_key !== null && (row.email_key !== null || !hasAddress)) continue
      const keys = keysFor(row, conflicts)
      if ('fault' in keys) {
        faulty.push(row.id)
        continue
      }
      const isUnchanged = (column: 'username' | 'email') => sameAs[engine](sql.id(name(column)), row[column])
      const nameKey = keys.name ?? noName + row.id
      changes.push({
        id: row.id,
        values: { [name('username_key')]: nameKey, [name('email_key')]: keys.address ?? null },
        isUnchanged: sql`${version} = ${Number(row.version)} and ${isUnchanged('username')} and ${isUnchanged('email')}`,
        isDone: sql`${version} = ${Number(row.version) + filledBy} and ${sql.id(name('username_key'))} = ${nameKey}`,
      })
    }
    await apply(changes)
  }
  const { done, refused, locked } = await finish()
  return { filled: done, left: [...faulty, ...refused].sort(), locked: locked.map(({ id }) => id).sort() }
}

/** A row with a key of its name has been filled before: its address is another one, which nobody has confirmed. */
function unverified(isVerified: string, nameKey: string): RawBuilder<unknown> {
  const flag = sql.id(isVerified)
  return sql`, ${flag} = case when ${sql.id(nameKey)} is null then ${flag} else 0 end`
}

interface Row {
  username: string | null
  email: string | null
  email_key: string | Uint8Array | null
  version: unknown
  name_key: unknown
}

/** Compares byte by byte, and NULL as a value: the old app changes no version. */
const sameAs: Record<Engine, (column: RawBuilder<unknown>, value: string | null) => RawBuilder<unknown>> = {
  postgres: (column, value) => sql`${column}::text is not distinct from ${value}::text`,
  mysql: (column, value) =>
    sql`cast(convert(${column} using utf8mb4) as binary) <=> cast(${value} as binary)`,
  sqlite: (column, value) => sql`${column} is ${value} collate binary`,
}
