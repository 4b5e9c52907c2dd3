import { createHash } from 'node:crypto'

/**
 * How much the tests try:
 * - `quick`, for `npm test`: each thing once, on one store, and only files that a change of the sources is likely to break
 * - `push`, for `.ci/run`: every file, what depends on storage on every store
 * - `full`, for `npm run test:full` each night and before a release: every combination, long races and fuzzing, and a
 *   process for each file
 */
const depths = ['quick', 'push', 'full'] as const

const asked = process.env.ACCOUNTS_TEST_DEPTH || (process.env.CI ? 'push' : 'quick')
export const depth = depths.find((each) => each === asked)
if (depth === undefined) throw new Error(`ACCOUNTS_TEST_DEPTH must be ${depths.join(', ')}, got ${asked}`)

export const isQuick: boolean = depth === 'quick'
export const isFull: boolean = depth === 'full'

/** How often something is repeated, or how much of it there is. */
export function times({ quick, full }: { quick: number; full: number }): number {
  return isFull ? full : quick
}

/** Full depth: all of them. Otherwise one: always the same one for the same name. */
export function sample<Item>(name: string, items: readonly Item[]): readonly Item[] {
  if (isFull || items.length < 2) return items
  const at = numberOf(name) % items.length
  return items.slice(at, at + 1)
}

/** Full depth: all of them. Push: one of each kind. Quick: one. Always the same ones for the same name. */
export function sampleOfEach<Item>(
  name: string,
  items: readonly Item[],
  kindOf: (item: Item) => unknown,
): readonly Item[] {
  if (depth !== 'push') return sample(name, items)
  const kinds = new Set(items.map(kindOf))
  return [...kinds].flatMap((kind) =>
    sample(
      name,
      items.filter((item) => kindOf(item) === kind),
    ),
  )
}

/** Whether to run this one of very many: all at full depth, otherwise about every fourth, always the same ones. */
export function isTried(name: string): boolean {
  return isFull || numberOf(name) % 4 === 0
}

/**
 * Full depth: all of them. Otherwise just enough to try each part of any item once, always the same ones.
 * @param partsOf names the parts that an item tries
 */
export function cover<Item>(items: readonly Item[], partsOf: (item: Item) => readonly string[]): Item[] {
  if (isFull) return [...items]
  const tried = new Set<string>()
  return items
    .map((item) => ({ item, parts: partsOf(item) }))
    .toSorted((one, other) => numberOf(one.parts.join()) - numberOf(other.parts.join()))
    .filter(({ parts }) => {
      const isNew = parts.some((part) => !tried.has(part))
      for (const part of parts) tried.add(part)
      return isNew
    })
    .map(({ item }) => item)
}

function numberOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE()
}

/** The environment of a process in which a test is not about hashes: below full depth they are cheap. */
export const cheapHashes: Readonly<Record<string, string>> = isFull
  ? {}
  : { NODE_OPTIONS: `--import=${new URL('cheap-hashes.mjs', import.meta.url)}` }
