import { randomUUID } from 'node:crypto'
import { assertText, InvalidArgumentError, type Outbox, type OutboxEntry } from 'fastify-accounts'
import { LostRace, type Run, type Write } from './calls.js'
import { type NewOutboxRow, toOutboxRow, toReason, toWaiting, type Waiting } from './outbox-row.js'
import type { OutboxTable } from './outbox-table.js'
import { isAny } from './row-count.js'
import type { OutboxRow, RowCount } from './rows.js'
import { time, whole } from './values.js'

type Claimed = Pick<OutboxEntry, 'id' | 'claim'>
type Change<Tx> = (tx: Tx, found: Waiting) => Promise<RowCount>

/** Later than any message is due, and in the range of all databases. */
const whenever = new Date('9999-12-31T00:00:00Z')

/** @param clock the one by which messages are claimed */
export function createOutbox<Tx>(table: OutboxTable<Tx>, run: Run<Tx>, clock: () => Promise<Date>): Outbox {
  async function find(id: string): Promise<Waiting | null> {
    const row = await table.find(id)
    const found = row ? toWaiting(row) : null
    return found?.id === id ? found : null
  }

  /** Changes the message if it is what it must be, and is still so when it is changed. */
  async function ifFound(
    write: Write<Tx>,
    id: string,
    isMeant: (found: Waiting) => boolean,
    change: Change<Tx>,
  ): Promise<boolean> {
    assertText('id', id)
    const found = await find(id)
    if (found === null || !isMeant(found)) return false
    if (!(await write(async (tx) => isAny(await change(tx, found))))) throw new LostRace()
    return true
  }

  /** Ends or extends a claim, unless another has replaced it. */
  function ifClaimed(write: Write<Tx>, { id, claim }: Claimed, change: Change<Tx>): Promise<boolean> {
    assertText('claim', claim)
    return ifFound(write, id, (found) => found.claim === claim, change)
  }

  function ifDead(write: Write<Tx>, id: string, change: Change<Tx>): Promise<boolean> {
    return ifFound(write, id, ({ dueAt }) => dueAt === null, change)
  }

  const swap = (tx: Tx, { id, claim, dueAt }: Waiting, changes: Partial<OutboxRow>) =>
    table.compareAndSwap(tx, { id, claim, dueAt }, changes)
  const remove = (tx: Tx, { id, claim, dueAt }: Waiting) => table.remove(tx, { id, claim, dueAt })

  async function insert(write: Write<Tx>, rows: readonly NewOutboxRow[]): Promise<void> {
    if (rows.length === 0) return
    const at = await clock()
    await write((tx) =>
      table.insert(
        tx,
        rows.map((row) => row(at)),
      ),
    )
  }

  return {
    async add(messages) {
      const rows = messages.map(toOutboxRow)
      await run((write) => insert(write, rows))
    },

    async claim({ realms, now, until, limit }) {
      for (const realm of realms) assertText('realms', realm)
      if (realms.length === 0 || new Set(realms).size < realms.length)
        throw new InvalidArgumentError('realms must be at least one, each once')
      const [by, dueAt] = [time.write('now', now), time.write('until', until)]
      if (whole.write('limit', limit) < realms.length)
        throw new InvalidArgumentError(`limit must be at least ${realms.length}, one for each realm`)
      return run(async (write) => {
        const due = await Promise.all(realms.map((realm) => table.due({ realm, by, limit })))
        const first = inTurn(due).slice(0, limit).map(toWaiting)
        if (first.length === 0) return []
        return write(async (tx) => {
          const entries: OutboxEntry[] = []
          for (const each of first) {
            const { id, message } = each
            const claim = randomUUID()
            const attempts = each.attempts + 1
            if (message === null) await swap(tx, each, { dueAt: null, claim: null, error: 'unreadable' })
            // Otherwise another claim took it at the same moment.
            else if (isAny(await swap(tx, each, { dueAt, claim, attempts })))
              entries.push({ id, claim, message, attempts })
          }
          return entries
        })
      })
    },

    async renew(entry, until) {
      const dueAt = time.write('until', until)
      return run((write) => ifClaimed(write, entry, (tx, found) => swap(tx, found, { dueAt })))
    },

    async postpone(entry, { dueAt, attempts, error }) {
      const changes = {
        dueAt: dueAt && time.write('dueAt', dueAt),
        attempts: whole.write('attempts', attempts),
        error: toReason(error),
        claim: null,
      }
      return run((write) => ifClaimed(write, entry, (tx, found) => swap(tx, found, changes)))
    },

    remove: async (entry) => run((write) => ifClaimed(write, entry, remove)),

    async split(entry, messages) {
      const rows = messages.map(toOutboxRow)
      return run(async (write) => {
        const at = await clock()
        return ifClaimed(write, entry, async (tx, found) => {
          const count = await remove(tx, found)
          if (isAny(count) && rows.length > 0)
            await table.insert(
              tx,
              rows.map((row) => row(at)),
            )
          return count
        })
      })
    },

    async count(realm) {
      if (realm !== undefined) assertText('realm', realm)
      return run(async () => ({
        waiting: Number(await table.count({ realm, isDead: false })),
        dead: Number(await table.count({ realm, isDead: true })),
      }))
    },

    async oldestDue(realm) {
      if (realm !== undefined) assertText('realm', realm)
      return run(async () => {
        const [oldest] = (await table.due({ realm, by: whenever, limit: 1 })).map(toWaiting)
        return oldest?.dueAt ?? null
      })
    },

    async listDead({ limit, after }) {
      if (whole.write('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
      if (after !== undefined) assertText('after', after)
      return run(async () =>
        (await table.dead({ limit, after }))
          .map(toWaiting)
          .map(({ id, message, postedAt, attempts, error }) => ({
            id,
            message,
            postedAt,
            attempts,
            error: error ?? '',
          })),
      )
    },

    async retry(id, now) {
      const dueAt = time.write('now', now)
      return run((write) => ifDead(write, id, (tx, found) => swap(tx, found, { dueAt, attempts: 0 })))
    },

    discard: async (id) => run((write) => ifDead(write, id, remove)),
  }
}

/** The first of each list, then the second of each, and so on. */
function inTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}
