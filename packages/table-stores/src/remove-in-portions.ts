import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Write } from './calls.js'
import { countOf } from './row-count.js'
import type { RowCount } from './rows.js'

/** Rows that one transaction removes: some milliseconds of work. */
const portion = 500

/**
 * Removes rows in transactions that lock nothing for long.
 * @param removeSome removes at most so many, and returns what the driver does
 * @returns how many were removed
 */
export async function removeInPortions<Tx>(
  write: Write<Tx>,
  removeSome: (tx: Tx, most: number) => Promise<RowCount>,
): Promise<number> {
  let gone = 0
  for (;;) {
    const count = countOf(await write((tx) => removeSome(tx, portion)))
    gone += count
    if (count < portion) return gone
    // Drivers of SQLite work in this thread: let requests run between two portions.
    await nextTurn()
  }
}
