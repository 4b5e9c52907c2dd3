import { InvalidArgumentError, type Session, type SessionState } from 'fastify-accounts'
import { violatesUnique } from './driver-errors.js'
import { isAny } from './row-count.js'
import type { SessionRow } from './rows.js'
import { toSession } from './session-row.js'
import type { SessionTable } from './session-table.js'

/** A compare-and-swap of a session, ready for its columns. */
export interface SessionSwap {
  id: string
  from: SessionState
  columns: Partial<SessionRow>
  /** Absent: of any user. */
  userId?: string | undefined
}

export type SessionWrites<Tx> = ReturnType<typeof sessionWrites<Tx>>

/** What changes of sessions do within a transaction. */
export function sessionWrites<Tx>(table: SessionTable<Tx>) {
  async function findLive(id: string, tx?: Tx): Promise<Session | null> {
    const row = await table.find(id, tx)
    const session = row ? toSession(row) : null
    return session?.id === id && isLive(session) ? session : null
  }

  /** Changes the session if it is still as it was read. Returns whether it was. */
  async function swap(
    tx: Tx,
    { id, generation, seenGeneration, confirmation }: Session,
    changes: Partial<SessionRow>,
  ): Promise<boolean> {
    // Never nothing, which many a client refuses to write.
    const columns = { generation, ...changes }
    return isAny(await table.compareAndSwap(tx, { id, generation, seenGeneration, confirmation }, columns))
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
    async change(tx: Tx, { id, from, userId, columns }: SessionSwap): Promise<boolean> {
      const session = await findLive(id, tx)
      const isMeant =
        session?.generation === from.generation &&
        session.seenGeneration === from.seenGeneration &&
        session.confirmation === from.confirmation &&
        session.userId === (userId ?? session.userId)
      return isMeant && swap(tx, session, columns)
    },
  }
}

export function isLive({ expiresAt }: Session): boolean {
  return expiresAt.getTime() > Date.now()
}
