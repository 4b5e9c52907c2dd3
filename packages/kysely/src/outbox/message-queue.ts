import { randomUUID } from 'node:crypto'
import { assertText, InvalidArgumentError, type Outbox, type OutboxEntry } from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { engineOf } from '../base/engine.js'
import { namesUnknownTable, SchemaError } from '../base/errors.js'
import type { Tables } from '../base/schema.js'
import { traits } from '../base/traits.js'
import { fromText, toTime, toWhole } from '../base/values.js'
import type { Names } from '../columns/names.js'
import { type OutboxRow, toMessage, toOutboxRow, toReason } from '../columns/outbox-row.js'
import type { Calls } from '../run/calls.js'
import { isOne, type SelectFrom, statement } from '../run/statement.js'
import type { DeadLetters } from './dead-letters.js'

/** Messages that are waiting or claimed. */
export function createMessageQueue(
  db: Kysely<Tables>,
  seen: (on: Kysely<Tables>) => Kysely<Tables>,
  tables: Names['tables'],
  calls: Calls,
  insert: (rows: readonly OutboxRow[], on?: Kysely<Tables>) => Promise<unknown>,
): Omit<Outbox, keyof DeadLetters> {
  const sql = queueStatements(db, tables)
  const { returning, emptyUpdateLocks } = traits[engineOf(db)]

  // Each is one call with the deadline of the claim: messages claimed later would wait for nobody.
  const takeDue = (at: Claim & { realm: string }) =>
    calls.run(async (write) => {
      if (emptyUpdateLocks && (await sql.due(at)).rows.length === 0) return []
      return (await write((on) => sql.takeDue(at, on && seen(on)))).rows
    })
  async function findThenTake(realms: readonly string[], at: Claim) {
    const { ids, rows } = await calls.run(async (write) => {
      const due = await Promise.all(realms.map((realm) => sql.due({ ...at, realm })))
      const ids = inTurn(due.map(({ rows }) => rows))
        .slice(0, at.limit)
        .map(({ id }) => fromText(id))
      return { ids, rows: ids.length === 0 ? [] : await write((on) => sql.take(ids, at, on && seen(on))) }
    })
    return rows ?? calls.run(() => sql.taken(ids, at.claim))
  }
  function take(realms: readonly string[], at: Claim) {
    const [realm, ...others] = realms
    return returning && realm !== undefined && others.length === 0
      ? takeDue({ ...at, realm })
      : findThenTake(realms, at)
  }

  return {
    async add(messages) {
      const rows = messages.map(toOutboxRow)
      if (rows.length > 0) await calls.run((write) => write((on) => insert(rows, on)))
    },

    async claim({ realms, now, until, limit }) {
      for (const realm of realms) assertText('realms', realm)
      if (realms.length === 0 || new Set(realms).size < realms.length)
        throw new InvalidArgumentError('realms must be at least one, each once')
      const times = { now: toTime('now', now), until: toTime('until', until) }
      if (toWhole('limit', limit) < realms.length)
        throw new InvalidArgumentError(`limit must be at least ${realms.length}, one for each realm`)
      const claim = randomUUID()
      const entries: OutboxEntry[] = []
      for (const row of await take(realms, { ...times, limit, claim })) {
        const entry = { id: fromText(row.id), claim, attempts: Number(row.attempts) }
        const message = toMessage(row.mail)
        if (message !== null) entries.push({ ...entry, message })
        else await calls.run(() => sql.put({ ...entry, due_at: null, error: unreadable }))
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

    async split({ id, claim }, messages) {
      assertText('id', id)
      assertText('claim', claim)
      const rows = messages.map(toOutboxRow)
      return calls.run((write) =>
        write(async (on) => {
          const isOurs = await isOne(sql.remove({ id, claim }, on && seen(on)))
          if (isOurs && rows.length > 0) await insert(rows, on)
          return isOurs
        }, true),
      )
    },

    async count(realm) {
      if (realm !== undefined) assertText('realm', realm)
      return calls.run(async () => {
        const counted = realm === undefined ? sql.count({}) : sql.countOf({ realm })
        const { rows } = await counted.catch((error: unknown) => {
          throw namesUnknownTable(error) ? missing(tables.outbox, error) : error
        })
        const waiting = Number(rows[0]?.waiting)
        return { waiting, dead: Number(rows[0]?.all) - waiting }
      })
    },

    async realms() {
      return calls.run(async () => {
        const found: string[] = []
        // One step in the index for each realm: they are few, and their messages may be a million.
        for (let after = ''; ; after = found.at(-1) as string) {
          const { rows } = await sql.nextRealm({ after })
          const realm = rows[0]?.realm
          if (realm === null || realm === undefined) return found
          found.push(fromText(realm))
        }
      })
    },

    async oldestDue(realm) {
      if (realm !== undefined) assertText('realm', realm)
      return calls.run(async () => {
        const { rows } = await (realm === undefined ? sql.oldest({}) : sql.oldestOf({ realm }))
        const [row] = rows
        // Earlier versions posted with 0, so that a new message was due at once on any clock.
        return row === undefined ? null : new Date(Number(row.due_at) || Number(row.posted_at))
      })
    },
  }
}

const unreadable = 'the column mail holds no message'

/** The first of each list, then the second of each, and so on. */
function inTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

function missing(table: string, cause: unknown): SchemaError {
  const message = `the table ${table} does not exist: run migrate before the service starts`
  return new SchemaError(message, { cause })
}

/** A claim of the messages due at `now`; times in milliseconds. */
interface Claim {
  now: number
  until: number
  limit: number
  claim: string
}

function queueStatements(db: Kysely<Tables>, { outbox: table }: Names['tables']) {
  const { returning } = traits[engineOf(db)]
  type Due = Pick<Claim, 'now' | 'limit'> & { realm: string }
  const dueAt = (from: SelectFrom, at: Due) =>
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
  const counts = db
    .selectFrom(table)
    .select((eb) => [eb.fn.countAll().as('all'), eb.fn.count('due_at').as('waiting')])
  const oldest = db
    .selectFrom(table)
    .select(['due_at', 'posted_at'])
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)

  return {
    /** Those of a realm due longest. */
    due: statement(db, (at: Due) => dueAt(db, at)),
    /** Claims those of a realm due longest, except what another claim takes at the same time. */
    takeDue: statement(db, (at: Claim & { realm: string }) =>
      claimDue(db, at)
        .where('id', 'in', (eb) => dueAt(eb as SelectFrom, at))
        .returning(['id', 'mail', 'attempts']),
    ),
    /** The same for messages that were found due. `null` on an engine that doesn't return what it changes. */
    async take(ids: readonly string[], at: Pick<Claim, 'now' | 'until' | 'claim'>, on: Kysely<Tables> = db) {
      const found = claimDue(on, at).where('id', 'in', ids)
      if (returning) return found.returning(['id', 'mail', 'attempts']).execute()
      await found.execute()
      return null
    },
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
    count: statement(db, () => counts),
    countOf: statement(db, (at: { realm: string }) => counts.where('realm', '=', at.realm)),
    nextRealm: statement(db, (at: { after: string }) =>
      db.selectFrom(table).select('realm').where('realm', '>', at.after).orderBy('realm').limit(1),
    ),
    oldest: statement(db, () => oldest),
    oldestOf: statement(db, (at: { realm: string }) => oldest.where('realm', '=', at.realm)),
  }
}
