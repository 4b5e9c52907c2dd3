import type { ImportedUser } from '../../index.js'
import type { Entry } from './keep.js'

/** Users per statement, and concurrent statements: they limit the memory used, however long the file. */
const batchSize = 500
const concurrency = 4

/** Sends entries to the store, several statements at once. */
export interface Batches {
  /** Waits if enough are in progress. */
  add(entry: Entry): Promise<void>
  hasFailed(): boolean
  /** Rejects with the first failure. */
  end(): Promise<void>
}

/** @param keep gets that many entries at once; if two lines use the same name, the first goes first */
export function createBatches(keep: (entries: Entry[]) => Promise<void>): Batches {
  /** Each with its unique names. */
  const underWay = new Map<Promise<void>, Set<string>>()
  let batch: Entry[] = []
  let failure: { error: unknown } | undefined

  async function send(): Promise<void> {
    const entries = batch
    batch = []
    if (entries.length === 0) return
    const names = new Set(entries.flatMap(({ user }) => namesOf(user)))
    const repeats = (): boolean =>
      [...underWay.values()].some((others) => [...names].some((name) => others.has(name)))
    while (underWay.size >= concurrency || repeats()) await Promise.race(underWay.keys())
    const work = keep(entries)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => underWay.delete(work))
    underWay.set(work, names)
  }

  return {
    async add(entry) {
      batch.push(entry)
      if (batch.length >= batchSize) await send()
    },
    hasFailed: () => failure !== undefined,
    async end() {
      await send()
      await Promise.all(underWay.keys())
      if (failure !== undefined) throw failure.error
    },
  }
}

function namesOf({ id, usernameKey, emailKey, identityKeys }: ImportedUser): string[] {
  const names = identityKeys.map((key) => `identity ${key}`)
  if (usernameKey !== null) names.push(`username ${usernameKey}`)
  if (id !== undefined) names.push(`id ${id}`)
  if (emailKey !== null) names.push(`email ${emailKey}`)
  return names
}
