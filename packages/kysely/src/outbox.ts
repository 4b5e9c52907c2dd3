import type { Outbox } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { accountsDb } from './accounts-db.js'
import type { Calls } from './calls.js'
import type { Database } from './database.js'
import { createDeadLetters } from './dead-letters.js'
import { createMailQueue } from './mail-queue.js'
import type { Names } from './names.js'
import type { OutboxRow } from './outbox-row.js'
import { withColumns } from './renamed-columns.js'
import type { Tables } from './schema.js'

/** The outbox, and how others write to it within their transaction. */
export interface OutboxTableAccess {
  outbox: Outbox
  /** Writes the rows, all or none. */
  insert(rows: readonly OutboxRow[], on?: Kysely<Tables>): Promise<unknown>
}

/** Waiting mails, in a table beside the users. */
export function createOutbox(host: Database, { tables, columns }: Names, calls: Calls): OutboxTableAccess {
  const seen = (on: Kysely<Tables>): Kysely<Tables> => withColumns(on, columns.outbox)
  const db = seen(accountsDb(host))
  const insert: OutboxTableAccess['insert'] = (rows, on) =>
    (on === undefined ? db : seen(on)).insertInto(tables.outbox).values(rows).execute()

  const outbox = {
    ...createMailQueue(db, seen, tables, calls, insert),
    ...createDeadLetters(db, tables, calls),
  }
  return { outbox, insert }
}
