import { assertText, InvalidArgumentError, type Outbox } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import type { Tables } from '../base/schema.js'
import { fromText, fromTime, toTime, toWhole } from '../base/values.js'
import type { Names } from '../columns/names.js'
import { toMessage } from '../columns/outbox-row.js'
import type { Calls } from '../run/calls.js'
import { isOne, statement } from '../run/statement.js'

/** The part of an outbox for messages that could not be delivered. */
export type DeadLetters = Pick<Outbox, 'listDead' | 'retry' | 'discard'>

export function createDeadLetters(
  db: Kysely<Tables>,
  { outbox: table }: Names['tables'],
  calls: Calls,
): DeadLetters {
  const revive = statement(db, (at: { id: string; now: number }) =>
    db
      .updateTable(table)
      .set({ due_at: at.now, attempts: 0 })
      .where('id', '=', at.id)
      .where('due_at', 'is', null),
  )
  const removeDead = statement(db, (at: { id: string }) =>
    db.deleteFrom(table).where('id', '=', at.id).where('due_at', 'is', null),
  )

  return {
    async listDead({ limit, after }) {
      if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      if (after !== undefined) assertText('after', after)
      const select = db
        .selectFrom(table)
        .select(['id', 'mail', 'posted_at', 'attempts', 'error'])
        .where('due_at', 'is', null)
        .orderBy('id')
        .limit(limit)
      const rows = await calls.run(() =>
        (after === undefined ? select : select.where('id', '>', after)).execute(),
      )
      return rows.map((row) => ({
        id: fromText(row.id),
        message: toMessage(row.mail),
        postedAt: fromTime(row.posted_at),
        attempts: Number(row.attempts),
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
}
