import { createHash } from 'node:crypto'

const asked = process.env.ACCOUNTS_TEST_DEPTH || (process.env.CI ? 'full' : 'quick')
if (asked !== 'quick' && asked !== 'full') {
  throw new Error(`ACCOUNTS_TEST_DEPTH must be quick or full, got ${asked}`)
}

/** Whether every test runs on all stores, and races and fuzzing take their time. CI does; CONTRIBUTING.md has the details. */
export const isFull: boolean = asked === 'full'

/** How often something is repeated, or how much of it there is. */
export function times({ quick, full }: { quick: number; full: number }): number {
  return isFull ? full : quick
}

/** All of them, or at quick depth one: always the same one for the same name. */
export function sample<Item>(name: string, items: readonly Item[]): readonly Item[] {
  if (isFull || items.length < 2) return items
  const at = numberOf(name) % items.length
  return items.slice(at, at + 1)
}

/** Whether to run this one of very many: at quick depth about every fourth, always the same ones. */
export function isTried(name: string): boolean {
  return isFull || numberOf(name) % 4 === 0
}

/**
 * All of them, or at quick depth just enough to try each part of any item once; always the same ones.
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

/** The environment of a process in which a test is not about hashes: at quick depth they are cheap. */
export const cheapHashes: Readonly<Record<string, string>> = isFull
  ? {}
  : { NODE_OPTIONS: `--import=${new URL('cheap-hashes.mjs', import.meta.url)}` }
