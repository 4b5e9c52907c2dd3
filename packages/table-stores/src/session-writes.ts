import { InvalidArgumentError, type Session } from 'fastify-accounts'
import { LostRace } from './calls.js'
import { violatesUnique } from './driver-errors.js'
import { isAny } from './row-count.js'
import type { SessionRow } from './rows.js'
import { toSession } from './session-row.js'
import type { SessionTable } from './session-table.js'

/** A compare-and-swap of a session, ready for its columns. */
export interface SessionSwap {
  id: string
  fromGeneration: number
  columns: Partial<SessionRow>
  /** Absent: of any user. */
  userId?: string | undefined
}

export type SessionWrites<Tx> = ReturnType<typeof sessionWrites<Tx>>

/** What changes of sessions do within a transaction. */
export function sessionWrites<Tx>(table: SessionTable<Tx>) {
  /** Even one that has expired. */
  async function find(id: string, tx?: Tx): Promise<Session | null> {
    const row = await table.find(id, tx)
    const session = row ? toSession(row) : null
    return session?.id === id ? session : null
  }

  async function findLive(id: string, tx?: Tx): Promise<Session | null> {
    const session = await find(id, tx)
    return session !== null && isLive(session) ? session : null
  }

  /** Changes the session if it is still as it was read. @throws LostRace otherwise */
  async function swap(
    tx: Tx,
    { id, generation, seenGeneration }: Session,
    changes: Partial<SessionRow>,
  ): Promise<void> {
    // Never nothing, which many a client refuses to write.
    const columns = { generation, ...changes }
    const count = await table.compareAndSwap(tx, { id, generation, seenGeneration }, columns)
    if (!isAny(count)) throw new LostRace('the session was changed')
  }

  return {
    findLive,

    /** @throws InvalidArgumentError if the id is in use */
    async insert(tx: Tx, row: SessionRow): Promise<void> {
      try {
        await table.insert(tx, row)
      } catch (error) {
        throw violatesUnique(table, error)
          ? new InvalidArgumentError('id is in use', { cause: error })
          : error
      }
    },

    swap,

    /** `SessionStore.change`, and with a `userId` only if the session is this user's. */
    async change(tx: Tx, { id, fromGeneration, userId, columns }: SessionSwap): Promise<boolean> {
      const session = await findLive(id, tx)
      const isMeant = session?.generation === fromGeneration && session.userId === (userId ?? session.userId)
      if (session === null || !isMeant) return false
      await swap(tx, session, columns)
      return true
    },

    /** Returns whether the user had one. */
    async removeOwn(tx: Tx, id: string, userId: string): Promise<boolean> {
      const session = await find(id, tx)
      return session?.userId === userId && isAny(await table.remove(tx, { id }))
    },
  }
}

export function isLive({ expiresAt }: Session): boolean {
  return expiresAt.getTime() > Date.now()
}
