import { endOfTurn } from '../base/turn.js'
import type { Calls } from './calls.js'

/**
 * Removes rows portion by portion, each in a call of its own, so nothing is locked for long.
 * @returns how many
 */
export async function inPortions(
  calls: Pick<Calls, 'run'>,
  removePortion: () => Promise<{ count: number; last: boolean }>,
): Promise<number> {
  let gone = 0
  for (;;) {
    const { last, count } = await calls.run(removePortion)
    gone += count
    if (last) return gone
    // SQLite drivers work in this thread: let requests run between two portions.
    await endOfTurn()
  }
}
