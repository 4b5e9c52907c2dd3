import { type Measured, measure } from '../measure.js'
import { machine, versionOf } from '../versions.js'
import type { Engine } from './engine.js'
import { type EngineName, openEngine } from './engines.js'
import { operations } from './operations.js'
import { idOf, session } from './people.js'
import type { Settings } from './settings.js'

/** All measurements; plain data. */
export interface Results {
  machine: string
  versions: string[]
  figures: Figure[]
}

export interface Figure extends Measured {
  engine: EngineName
  size: number
  operation: string
}

/**
 * Measures each engine at each size, in a database that it creates and drops.
 * @param say receives a line whenever something begins
 * @throws the reason of the signal if it ends the run; what was created is dropped by then too
 */
export async function run(
  { engines, sizes, warmUpMs, rounds, roundMs }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const versions = new Set([versionOf('kysely')])
  const figures: Figure[] = []
  const bounds = { warmUpMs, rounds, roundMs, signal }
  for (const name of engines) {
    for (const size of sizes) {
      const engine = await openEngine(name)
      if (typeof engine === 'string') {
        say(`skipped: ${engine}`)
        break
      }
      try {
        for (const version of engine.versions) versions.add(version)
        say(`${name}: loading ${size} users and sessions`)
        await load(engine, size, signal)
        for (const { name: operation, ours, theirs } of operations(engine, size)) {
          say(`${name}, ${size}: ${operation}`)
          figures.push({ engine: name, size, operation, ...(await measure(ours, theirs, bounds)) })
        }
      } finally {
        await engine.drop()
      }
    }
  }
  return { machine: machine(), versions: [...versions], figures }
}

const portion = 5000

/** Loads persons, one session each, and then lets the engine prepare. */
export async function load(
  { users, sessions, settle }: Engine,
  size: number,
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < size; from += portion) {
    signal.throwIfAborted()
    const to = Math.min(size, from + portion)
    await users?.load(from, to)
    await sessions.load(Array.from({ length: to - from }, (_, at) => session(from + at, idOf(from + at))))
  }
  await settle()
}
