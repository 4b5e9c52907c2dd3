import { randomUUID } from 'node:crypto'
import { assertText, InvalidArgumentError, type Outbox, type OutboxEntry } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import type { Calls } from './calls.js'
import type { DeadLetters } from './dead-letters.js'
import { engineOf } from './engine.js'
import { namesUnknownTable, SchemaError } from './errors.js'
import type { Names } from './names.js'
import { type OutboxRow, toMail, toOutboxRow, toReason } from './outbox-row.js'
import type { Tables } from './schema.js'
import { isOne, type SelectFrom, statement } from './statement.js'
import { traits } from './traits.js'
import { fromText, toTime, toWhole } from './values.js'

/** Mails that are waiting or claimed. */
export function createMailQueue(
  db: Kysely<Tables>,
  seen: (on: Kysely<Tables>) => Kysely<Tables>,
  tables: Names['tables'],
  calls: Calls,
  insert: (rows: readonly OutboxRow[], on?: Kysely<Tables>) => Promise<unknown>,
): Omit<Outbox, keyof DeadLetters> {
  const sql = queueStatements(db, tables)
  const { returning, emptyUpdateLocks } = traits[engineOf(db)]

  // Each is one call with the deadline of the claim: mails claimed later would wait for nobody.
  const takeDue = (at: Claim, check: boolean) =>
    calls.run(async (write) => {
      if (check && (await sql.due(at)).rows.length === 0) return []
      return (await write((on) => sql.takeDue(at, on && seen(on)))).rows
    })
  async function takeThenRead(at: Claim) {
    const ids = await calls.run(async (write) => {
      const found = (await sql.due(at)).rows.map(({ id }) => fromText(id))
      if (found.length > 0) await write((on) => sql.take(found, at, on && seen(on)))
      return found
    })
    return ids.length === 0 ? [] : calls.run(() => sql.taken(ids, at.claim))
  }
  const take = (at: Claim) => (returning ? takeDue(at, emptyUpdateLocks) : takeThenRead(at))

  return {
    async add(mails) {
      const rows = mails.map((mail) => toOutboxRow(mail))
      if (rows.length > 0) await calls.run((write) => write((on) => insert(rows, on)))
    },

    async claim({ realm, now, until, limit }) {
      assertText('realm', realm)
      const times = { now: toTime('now', now), until: toTime('until', until) }
      if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      const claim = randomUUID()
      const entries: OutboxEntry[] = []
      for (const row of await take({ ...times, realm, limit, claim })) {
        const entry = { id: fromText(row.id), claim, attempts: Number(row.attempts) }
        const mail = toMail(row.mail)
        if (mail !== null) entries.push({ ...entry, mail })
        else
          await calls.run(() => sql.put({ ...entry, due_at: null, error: 'the column mail holds no mail' }))
      }
      return entries
    },

    async renew({ id, claim }, until) {
      assertText('id', id)
      assertText('claim', claim)
      const at = toTime('until', until)
      return calls.run(() => isOne(sql.extend({ id, claim, until: at })))
    },

    async postpone({ id, claim }, { dueAt, attempts, error }) {
      assertText('id', id)
      assertText('claim', claim)
      const due_at = dueAt === null ? null : toTime('dueAt', dueAt)
      const values = { id, claim, due_at, attempts: toWhole('attempts', attempts), error: toReason(error) }
      return calls.run(() => isOne(sql.put(values)))
    },

    async remove({ id, claim }) {
      assertText('id', id)
      assertText('claim', claim)
      return calls.run(() => isOne(sql.remove({ id, claim })))
    },

    async count() {
      return calls.run(async () => {
        const [row] = await sql.count().catch((error: unknown) => {
          throw namesUnknownTable(error) ? missing(tables.outbox, error) : error
        })
        const waiting = Number(row?.waiting)
        return { waiting, dead: Number(row?.all) - waiting }
      })
    },

    async oldestDue() {
      return calls.run(async () => {
        const [row] = await sql.oldest()
        return row?.since == null ? null : new Date(Number(row.since))
      })
    },
  }
}

function missing(table: string, cause: unknown): SchemaError {
  const message = `the table ${table} does not exist: run migrate before the service starts`
  return new SchemaError(message, { cause })
}

/** A claim of the mails due at `now`; times in milliseconds. */
interface Claim {
  realm: string
  now: number
  until: number
  limit: number
  claim: string
}

function queueStatements(db: Kysely<Tables>, { outbox: table }: Names['tables']) {
  const dueAt = (from: SelectFrom, at: Pick<Claim, 'realm' | 'now' | 'limit'>) =>
    from
      .selectFrom(table)
      .select('id')
      .where('realm', '=', at.realm)
      .where('due_at', '<=', at.now)
      .orderBy('due_at')
      .orderBy('id')
      .limit(at.limit)
  /** Of two concurrent claims only one wins a row, on every engine: the second no longer finds it due. */
  const claimDue = (on: Kysely<Tables>, at: Pick<Claim, 'now' | 'until' | 'claim'>) =>
    on
      .updateTable(table)
      .set((eb) => ({
        due_at: at.until,
        claim: at.claim,
        attempts: eb('attempts', '+', 1).$castTo<number>(),
      }))
      .where('due_at', '<=', at.now)

  return {
    /** Those due longest. */
    due: statement(db, (at: Pick<Claim, 'realm' | 'now' | 'limit'>) => dueAt(db, at)),
    /** Claims those due longest, except what another claim takes at the same time. */
    takeDue: statement(db, (at: Claim) =>
      claimDue(db, at)
        .where('id', 'in', (eb) => dueAt(eb as SelectFrom, at))
        .returning(['id', 'mail', 'attempts']),
    ),
    /** The same for mails that were found due, on an engine that doesn't return what it changes. */
    take: (ids: readonly string[], at: Pick<Claim, 'now' | 'until' | 'claim'>, on: Kysely<Tables> = db) =>
      claimDue(on, at).where('id', 'in', ids).execute(),
    taken: (ids: readonly string[], claim: string) =>
      db
        .selectFrom(table)
        .select(['id', 'mail', 'attempts'])
        .where('id', 'in', ids)
        .where('claim', '=', claim)
        .execute(),
    put: statement(
      db,
      (at: { id: string; claim: string; due_at: number | null; attempts: number; error: string }) =>
        db
          .updateTable(table)
          .set({ due_at: at.due_at, attempts: at.attempts, error: at.error, claim: null })
          .where('id', '=', at.id)
          .where('claim', '=', at.claim),
    ),
    extend: statement(db, (at: { id: string; claim: string; until: number }) =>
      db.updateTable(table).set({ due_at: at.until }).where('id', '=', at.id).where('claim', '=', at.claim),
    ),
    remove: statement(db, (at: { id: string; claim: string }) =>
      db.deleteFrom(table).where('id', '=', at.id).where('claim', '=', at.claim),
    ),
    count: () =>
      db
        .selectFrom(table)
        .select((eb) => [eb.fn.countAll().as('all'), eb.fn.count('due_at').as('waiting')])
        .execute(),
    // A new email has the earliest `due_at` there is: it has been due since it was posted.
    oldest: () =>
      db
        .selectFrom(table)
        .select(({ fn, eb, ref }) =>
          fn
            .min(
              eb
                .case()
                .when('due_at', '>', ref('posted_at'))
                .then(ref('due_at'))
                .else(ref('posted_at'))
                .end(),
            )
            .as('since'),
        )
        .where('due_at', 'is not', null)
        .execute(),
  }
}
