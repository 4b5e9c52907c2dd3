import type { Outbox } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { engineOf } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { traits } from '../base/traits.js'
import type { Names } from '../columns/names.js'
import type { OutboxRow } from '../columns/outbox-row.js'
import { withColumns } from '../columns/renamed-columns.js'
import type { Calls } from '../run/calls.js'
import { createDeadLetters } from './dead-letters.js'
import { createMessageQueue } from './message-queue.js'

/** The outbox, and how others write to it within their transaction. */
export interface OutboxTableAccess {
  outbox: Outbox
  /** Writes the rows, all or none, due since now. */
  insert(rows: readonly OutboxRow[], on?: Kysely<Tables>): Promise<unknown>
}

/** Waiting messages, in a table beside the users. */
export function createOutbox(host: Database, { tables, columns }: Names, calls: Calls): OutboxTableAccess {
  const seen = (on: Kysely<Tables>): Kysely<Tables> => withColumns(on, columns.outbox)
  const db = seen(accountsDb(host))
  // By the clock that claims go by, so messages of a process whose clock is ahead are due as well.
  const { now } = traits[engineOf(host)]
  const insert: OutboxTableAccess['insert'] = (rows, on) =>
    (on === undefined ? db : seen(on))
      .insertInto(tables.outbox)
      .values(rows.map((row) => ({ ...row, posted_at: now, due_at: now })))
      .execute()

  const outbox = {
    ...createMessageQueue(db, seen, tables, calls, insert),
    ...createDeadLetters(db, tables, calls),
  }
  return { outbox, insert }
}
