import { randomUUID } from 'node:crypto'
import {
  assertText,
  InvalidArgumentError,
  type Outbox,
  type OutboxEntry,
  type PendingMail,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import type { Calls } from './calls.js'
import { namesUnknownTable, SchemaError } from './errors.js'
import type { Names } from './names.js'
import { type OutboxRow, toOutboxRow, toReason } from './outbox-row.js'
import { withColumns } from './renamed-columns.js'
import { accountsDb, type Tables } from './schema.js'
import { affected, statement } from './statement.js'
import { fromText, fromTime, toTime, toWhole } from './values.js'

/** The outbox, and how others write into it within their transaction. */
export interface OutboxTableAccess {
  outbox: Outbox
  /** Writes the rows, all or none. */
  insert(rows: readonly OutboxRow[], on?: Kysely<Tables>): Promise<unknown>
}

/** Mails that wait, in a table beside the users. */
export function createOutbox<DB>(
  host: Kysely<DB>,
  { tables, columns }: Names,
  calls: Calls,
): OutboxTableAccess {
  const seen = (on: Kysely<Tables>): Kysely<Tables> => withColumns(on, columns.outbox)
  const db = seen(accountsDb(host))
  const { outbox: table } = tables

  const due = statement(db, (at: { realm: string; now: number; limit: number }) =>
    db
      .selectFrom(table)
      .select('id')
      .where('realm', '=', at.realm)
      .where('due_at', '<=', at.now)
      .orderBy('due_at')
      .orderBy('id')
      .limit(at.limit),
  )
  const remove = statement(db, (at: { id: string; claim: string }) =>
    db.deleteFrom(table).where('id', '=', at.id).where('claim', '=', at.claim),
  )
  const removeDead = statement(db, (at: { id: string }) =>
    db.deleteFrom(table).where('id', '=', at.id).where('due_at', 'is', null),
  )
  const put = statement(
    db,
    (at: { id: string; claim: string; due_at: number | null; tries: number; error: string }) =>
      db
        .updateTable(table)
        .set({ due_at: at.due_at, tries: at.tries, error: at.error, claim: null })
        .where('id', '=', at.id)
        .where('claim', '=', at.claim),
  )
  const extend = statement(db, (at: { id: string; claim: string; until: number }) =>
    db.updateTable(table).set({ due_at: at.until }).where('id', '=', at.id).where('claim', '=', at.claim),
  )
  const revive = statement(db, (at: { id: string; now: number }) =>
    db
      .updateTable(table)
      .set({ due_at: at.now, tries: 0 })
      .where('id', '=', at.id)
      .where('due_at', 'is', null),
  )

  /**
   * Takes as many of these as nobody else was faster with: one statement, which every engine lets only one of two win
   * a row by. Where none is due, nothing was written, nor locked.
   */
  async function take(ids: readonly string[], at: { now: number; until: number; claim: string }) {
    await calls.run(() =>
      db
        .updateTable(table)
        .set((eb) => ({ due_at: at.until, claim: at.claim, tries: eb('tries', '+', 1).$castTo<number>() }))
        .where('id', 'in', ids)
        .where('due_at', '<=', at.now)
        .execute(),
    )
    return calls.run(() =>
      db
        .selectFrom(table)
        .select(['id', 'mail', 'tries'])
        .where('id', 'in', ids)
        .where('claim', '=', at.claim)
        .orderBy('id')
        .execute(),
    )
  }

  const insert: OutboxTableAccess['insert'] = (rows, on) =>
    (on === undefined ? db : seen(on)).insertInto(table).values(rows).execute()

  const isOne = async (change: Promise<Parameters<typeof affected>[0]>): Promise<boolean> =>
    affected(await change) === 1

  const outbox: Outbox = {
    async add(mails) {
      const rows = mails.map((mail) => toOutboxRow(mail))
      if (rows.length > 0) await calls.run((write) => write((on) => insert(rows, on)))
    },

    async claim({ realm, now, until, limit }) {
      assertText('realm', realm)
      const at = { now: toTime('now', now), until: toTime('until', until), claim: randomUUID() }
      if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      const { rows: found } = await calls.run(() => due({ realm, now: at.now, limit }))
      if (found.length === 0) return []
      const taken = await take(
        found.map(({ id }) => fromText(id)),
        at,
      )
      const entries: OutboxEntry[] = []
      for (const row of taken) {
        const entry = { id: fromText(row.id), claim: at.claim, tries: Number(row.tries) }
        const mail = toMail(row.mail)
        if (mail !== null) entries.push({ ...entry, mail })
        else await calls.run(() => put({ ...entry, due_at: null, error: 'the column mail holds no mail' }))
      }
      return entries
    },

    async renew({ id, claim }, until) {
      assertText('id', id)
      assertText('claim', claim)
      const at = toTime('until', until)
      return calls.run(() => isOne(extend({ id, claim, until: at })))
    },

    async postpone({ id, claim }, { dueAt, tries, error }) {
      assertText('id', id)
      assertText('claim', claim)
      const due_at = dueAt === null ? null : toTime('dueAt', dueAt)
      const values = { id, claim, due_at, tries: toWhole('tries', tries), error: toReason(error) }
      return calls.run(() => isOne(put(values)))
    },

    async remove({ id, claim }) {
      assertText('id', id)
      assertText('claim', claim)
      return calls.run(() => isOne(remove({ id, claim })))
    },

    async count() {
      return calls.run(async () => {
        const rows = await db
          .selectFrom(table)
          .select((eb) => [eb.fn.countAll().as('all'), eb.fn.count('due_at').as('waiting')])
          .execute()
          .catch((error: unknown) => {
            if (!namesUnknownTable(error)) throw error
            throw new SchemaError(
              `the table ${table} is not there: run migrate, which makes it, before the service starts`,
              { cause: error },
            )
          })
        const waiting = Number(rows[0]?.waiting)
        return { waiting, dead: Number(rows[0]?.all) - waiting }
      })
    },

    async listDead({ limit, after }) {
      if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      if (after !== undefined) assertText('after', after)
      const select = db
        .selectFrom(table)
        .select(['id', 'mail', 'posted_at', 'tries', 'error'])
        .where('due_at', 'is', null)
        .orderBy('id')
        .limit(limit)
      const rows = await calls.run(() =>
        (after === undefined ? select : select.where('id', '>', after)).execute(),
      )
      return rows.map((row) => ({
        id: fromText(row.id),
        mail: toMail(row.mail),
        postedAt: fromTime(row.posted_at),
        tries: Number(row.tries),
        error: row.error ?? '',
      }))
    },

    async retry(id, now) {
      assertText('id', id)
      const at = toTime('now', now)
      return calls.run(() => isOne(revive({ id, now: at })))
    },

    async discard(id) {
      assertText('id', id)
      return calls.run(() => isOne(removeDead({ id })))
    },
  }
  return { outbox, insert }
}

/** `null` where somebody has written something else into the column. */
function toMail(text: string): PendingMail | null {
  try {
    const mail: unknown = JSON.parse(text)
    return typeof mail === 'object' && mail !== null ? (mail as PendingMail) : null
  } catch {
    return null
  }
}
