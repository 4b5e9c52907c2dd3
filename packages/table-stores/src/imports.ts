import type { ImportOutcome } from 'fastify-accounts'
import { UnknownHolder, type Write } from './calls.js'
import type { UserRow } from './rows.js'
import { toUser } from './user-row.js'
import { KeyTaken, type UserWrite, type UserWrites } from './user-writes.js'

/**
 * Stores those whose id and keys are free, all in one transaction.
 * @param created what the app adds to each
 */
export async function importUsers<Tx>(
  writes: UserWrites<Tx>,
  write: Write<Tx>,
  users: readonly UserWrite<UserRow>[],
  created: (tx: Tx, row: UserRow) => Promise<void>,
): Promise<ImportOutcome[]> {
  try {
    // Most are free: no key is looked up until one is refused.
    return await write((tx) => insertEach(tx, async () => null))
  } catch (error) {
    if (!(error instanceof KeyTaken)) throw error
  }
  try {
    return await write((tx) => insertEach(tx, ({ row }) => writes.holderOf(toUser(row), null, tx)))
  } catch (error) {
    // Taken meanwhile: the next attempt finds by whom.
    throw error instanceof KeyTaken ? new UnknownHolder('taken meanwhile', { cause: error.cause }) : error
  }

  async function insertEach(
    tx: Tx,
    holderOf: (user: UserWrite<UserRow>) => Promise<ImportOutcome | null>,
  ): Promise<ImportOutcome[]> {
    const outcomes: ImportOutcome[] = []
    for (const user of users) {
      const taken = await holderOf(user)
      if (taken === null) {
        await writes.insert(tx, user)
        await created(tx, user.row)
      }
      outcomes.push(taken ?? { id: user.row.id })
    }
    return outcomes
  }
}
