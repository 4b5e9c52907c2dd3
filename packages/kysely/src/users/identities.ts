import type { Kysely } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import type { Tables } from '../base/schema.js'
import { fromText } from '../base/values.js'
import type { Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { statement } from '../run/statement.js'

/** Maps identities to users. Its rows change in the transaction that changes the user, whose row is locked by then. */
export interface Identities {
  /** The id of the user who has this one. */
  holder(identityKey: string): Promise<string | null>
  /** Sets the user's identities to exactly these. */
  set(userId: string, keys: readonly string[], transaction: Kysely<Tables>): Promise<void>
  /** Adds the identities of new users. */
  add(users: readonly { id: string; keys: readonly string[] }[], transaction: Kysely<Tables>): Promise<void>
}

export function createIdentities(host: Database, { tables, columns }: Names): Identities {
  const named = (on: Kysely<Tables>) => withColumns(on, columns.identities)
  const { identities } = tables
  const holderOf = statement(named(accountsDb(host)), (at: { identity_key: string }) =>
    named(accountsDb(host))
      .selectFrom(identities)
      .select('user_id')
      .where('identity_key', '=', at.identity_key),
  )

  const add: Identities['add'] = async (users, transaction) => {
    const rows = users.flatMap(({ id, keys }) => keys.map((key) => ({ identity_key: key, user_id: id })))
    for (let from = 0; from < rows.length; from += portion) {
      await named(transaction)
        .insertInto(identities)
        .values(rows.slice(from, from + portion))
        .execute()
    }
  }

  return {
    async holder(identityKey) {
      const [row] = (await holderOf({ identity_key: identityKey })).rows
      return row ? fromText(row.user_id) : null
    },
    async set(userId, keys, transaction) {
      const on = named(transaction)
      const found = await on
        .selectFrom(identities)
        .select('identity_key')
        .where('user_id', '=', userId)
        .execute()
      const held = new Set(found.map((row) => fromText(row.identity_key)))
      const gone = [...held].filter((key) => !keys.includes(key))
      if (gone.length > 0) {
        await on
          .deleteFrom(identities)
          .where('user_id', '=', userId)
          .where('identity_key', 'in', gone)
          .execute()
      }
      await add([{ id: userId, keys: keys.filter((key) => !held.has(key)) }], transaction)
    },
    add,
  }
}

/** Rows per statement. */
const portion = 1000
