import { rejectsValue } from './errors.js'
import { endOfTurn } from './turn.js'

/** Most keys per query. */
const maxKeys = 100

interface Batch<Row> {
  keys: Set<string>
  rows: Promise<ReadonlyMap<string, Row>>
}

/**
 * Lookups in one turn of the event loop share a query. It starts at the end of the turn, so each caller sees everything
 * written before its call, and it runs in the async context of the first.
 * @param findAll finds the rows of some keys
 */
export function inTurnBatches<Row>(
  findAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
): (key: string) => Promise<Row | undefined> {
  let open: Batch<Row> | undefined

  function openBatch(): Batch<Row> {
    const keys = new Set<string>()
    const rows = endOfTurn().then(() => {
      if (open === opened) open = undefined
      return findAll([...keys])
    })
    const opened = { keys, rows }
    return opened
  }

  return async (key) => {
    if (open === undefined || open.keys.size >= maxKeys) open = openBatch()
    const { keys, rows } = open
    keys.add(key)
    try {
      return (await rows).get(key)
    } catch (error) {
      if (keys.size === 1 || !rejectsValue(error)) throw error
      // Another caller's key may be at fault.
      return (await findAll([key])).get(key)
    }
  }
}
