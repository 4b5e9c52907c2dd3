import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Finds a row by a key. The row must not be changed: others may have it too. */
export type FindRow<Row> = (key: string) => Promise<Row | undefined>

/** Most keys per query. */
const most = 100

/**
 * Keys that are looked up in the same turn of the event loop share a query, which begins once the turn has received all
 * its requests: so each finds what was written before it asked.
 * @param findAll finds the rows of some keys
 */
export function inTurnBatches<Row>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
): FindRow<Row> {
  let batch: { keys: Set<string>; rows: Promise<ReadonlyMap<string, Row>> } | undefined

  function begin() {
    const keys = new Set<string>()
    const begun = {
      keys,
      rows: endOfTurn().then(() => {
        if (batch === begun) batch = undefined
        return findAll([...keys])
      }),
    }
    return begun
  }

  return async (key) => {
    if (batch === undefined || batch.keys.size >= most) batch = begin()
    const { keys, rows } = batch
    keys.add(key)
    try {
      return (await rows).get(key)
    } catch (error) {
      if (keys.size === 1) throw error
      // Another key may be at fault.
      return (await findAll([key])).get(key)
    }
  }
}
