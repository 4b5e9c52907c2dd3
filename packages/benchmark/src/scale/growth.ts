import { type Bounds, type Measured, measure, type Side } from '../measure.js'
import { type EngineName, openEngine } from '../stores/engines.js'
import { operations } from '../stores/operations.js'
import { load } from '../stores/run.js'

/** One operation on a small table and on a larger one, in rounds that alternate; `ratio` is larger through small. */
export interface Growth extends Measured {
  engine: EngineName
  operation: string
  small: number
  size: number
}

/** Operations that read, and change nothing that the next round would see. */
const isRead = (name: string): boolean => /^(find|list|session: find)/.test(name)

/** The same store on tables of each size, side by side. */
export async function measureGrowth(
  engines: readonly EngineName[],
  sizes: readonly number[],
  bounds: Bounds,
  say: (line: string) => void,
): Promise<Growth[]> {
  const figures: Growth[] = []
  for (const name of engines) {
    const drops: (() => Promise<void>)[] = []
    try {
      const tables: { size: number; reads: { name: string; ours: Side }[] }[] = []
      for (const size of sizes) {
        const engine = await openEngine(name)
        if (typeof engine === 'string') {
          say(`skipped: ${engine}`)
          break
        }
        drops.push(engine.drop)
        say(`${name}: loading ${size} users and sessions`)
        await load(engine, size, bounds.signal)
        tables.push({ size, reads: operations(engine, size).filter((each) => isRead(each.name)) })
      }
      const [small, ...larger] = tables
      for (const { size, reads } of larger) {
        for (const [at, { name: operation, ours }] of reads.entries()) {
          say(`${name}, ${size}: ${operation}`)
          const measured = await measure(ours, small?.reads[at]?.ours, bounds)
          figures.push({ engine: name, operation, small: small?.size ?? 0, size, ...measured })
        }
      }
    } finally {
      for (const drop of drops) await drop()
    }
  }
  return figures
}
