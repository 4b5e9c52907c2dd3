import type { Outbox } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Calls } from './calls.js'
import type { Database } from './database.js'
import { createDeadLetters } from './dead-letters.js'
import { engineOf } from './engine.js'
import { createMessageQueue } from './message-queue.js'
import type { Names } from './names.js'
import type { OutboxRow } from './outbox-row.js'
import { withColumns } from './renamed-columns.js'
import type { Tables } from './schema.js'
import { traits } from './traits.js'

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
