import { type Kysely, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import { failureOf, lacksPrivilege, namesUnknownTable } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { type Names, type Naming, resolveNames } from '../columns/names.js'
import { withRetries } from '../run/calls.js'

/**
 * The note in a database that its app has `alongside`: users created or deleted by a program that doesn't know it would
 * miss the app's own rows, or leave them behind. It is a row of the second table of migrations, which every version has and
 * only keeps the row of its lock in.
 */
const noteId = 'alongside'

const tableOf = ({ tables }: Names) => sql.table(`${tables.migrations}_lock`)

/**
 * Whether the app of this database has `alongside`: only a store with it should create or delete users there then.
 * @param naming the same as for the stores
 * @throws TypeError if an option is wrong; UnavailableError if the database fails
 */
export async function expectsAlongside(db: Database, naming: Naming = {}): Promise<boolean> {
  const names = resolveNames(naming, engineOf(db))
  return withRetries(async () => (await findNote(accountsDb(db), names)) === 'there')
}

/** Notes it, once in a process, before the first change that runs a function of the app. */
export function createNote(db: Kysely<Tables>, names: Names): () => Promise<void> {
  let isDone = false
  return async () => {
    if (isDone) return
    if ((await findNote(db, names)) === 'missing') await addNote(db, names)
    isDone = true
  }
}

/**
 * What is wrong with the note, for `doctor`.
 * @param isApp whether the store has `alongside`
 */
export async function inspectAlongside(host: Database, names: Names, isApp: boolean): Promise<string[]> {
  const note = await findNote(accountsDb(host), names)
  const table = `${names.tables.migrations}_lock`
  if (!isApp && note === 'there')
    return [
      `the app of this database has alongside, and this store hasn't: creating or deleting users needs the store of the app's config; if the app no longer has it: delete from ${table} where id = '${noteId}'`,
    ]
  if (isApp && note === 'impossible')
    return [
      `${table} can't be read, so nothing stops commands without the app's config from creating users without your own rows: run migrate, or grant select and insert on it`,
    ]
  return []
}

/** `'impossible'` without the table, as where the tables were not made by `migrate`, or without a right to it. */
async function findNote(db: Kysely<Tables>, names: Names): Promise<'there' | 'missing' | 'impossible'> {
  try {
    const { rows } = await sql`select id from ${tableOf(names)} where id = ${noteId}`.execute(db)
    return rows.length > 0 ? 'there' : 'missing'
  } catch (error) {
    if (namesUnknownTable(error) || lacksPrivilege(error)) return 'impossible'
    throw error
  }
}

async function addNote(db: Kysely<Tables>, names: Names): Promise<void> {
  try {
    await sql`insert into ${tableOf(names)} (id, is_locked) values (${noteId}, 0)`.execute(db)
  } catch (error) {
    // Another process was faster, or this one may not write there, which `doctor` reports.
    if (failureOf(error) !== 'duplicate' && !lacksPrivilege(error)) throw error
  }
}
