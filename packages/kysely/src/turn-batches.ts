import { rejectsValue } from './errors.js'
import { endOfTurn } from './turn.js'

/** Most keys per query. */
const maxKeys = 100

/** How rows are found by their keys. */
export interface Lookups<Row> {
  one(key: string): Promise<Row | undefined>
  many(keys: readonly string[]): Promise<ReadonlyMap<string, Row>>
}

interface Batch<Row> {
  keys: Set<string>
  rows: Promise<ReadonlyMap<string, Row>>
}

/**
 * Lookups in one turn of the event loop share a query. It starts at the end of the turn, so each caller sees everything
 * written before its call, and it runs in the async context of the first.
 */
export function inTurnBatches<Row>({ one, many }: Lookups<Row>): Lookups<Row>['one'] {
  let open: Batch<Row> | undefined

  async function find(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Row>> {
    const [first, ...others] = keys
    if (first === undefined || others.length > 0) return many([...keys])
    const row = await one(first)
    return new Map(row && [[first, row]])
  }

  function openBatch(): Batch<Row> {
    const keys = new Set<string>()
    const rows = endOfTurn().then(() => {
      if (open === opened) open = undefined
      return find(keys)
    })
    const opened = { keys, rows }
    return opened
  }

  return async (key) => {
    if (open === undefined || open.keys.size >= maxKeys) open = openBatch()
    const { keys, rows } = open
    keys.add(key)
    try {
      const found = await rows
      // A row under a key that nobody asked for was found by one that the database takes for equal.
      const isExact = [...found.keys()].every((each) => keys.has(each))
      return found.get(key) ?? (isExact ? undefined : await one(key))
    } catch (error) {
      if (keys.size === 1 || !rejectsValue(error)) throw error
      // Another caller's key may be at fault.
      return one(key)
    }
  }
}
