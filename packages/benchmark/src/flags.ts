import { parseArgs } from 'node:util'

/** One flag of a benchmark's command. */
export interface Flag<Value> {
  /** For the usage. */
  about: string
  initial: string
  /** @throws TypeError with one line that names the flag */
  read(flag: string, text: string): Value
}

export type Flags = Record<string, Flag<unknown>>
export type SettingsOf<Own extends Flags> = { [Name in keyof Own]: ReturnType<Own[Name]['read']> }

/** @throws TypeError with one line that names the flag */
export function readFlags<Own extends Flags>(flags: Own, args: readonly string[]): SettingsOf<Own> {
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' } as const]))
  const { values } = parseArgs({ args: [...args], options })
  const read = Object.entries(flags).map(([name, flag]) => [
    name,
    flag.read(`--${name}`, values[name] ?? flag.initial),
  ])
  return Object.fromEntries(read)
}

export function usageOf(flags: Flags): string {
  const lines = Object.entries(flags).map(
    ([name, { about, initial }]) =>
      `  --${name.padEnd(12)} ${about}${initial === '' ? '' : `; ${initial} by default`}`,
  )
  return lines.join('\n')
}

export function whole(about: string, initial: number, least = 1): Flag<number> {
  return { about, initial: String(initial), read: (flag, text) => numberOf(flag, text, least, true) }
}

export function positive(about: string, initial: number): Flag<number> {
  return { about, initial: String(initial), read: (flag, text) => numberOf(flag, text, 0.001, false) }
}

/** Whole numbers separated by commas, sorted from the smallest. */
export function wholes(about: string, initial: string, least: number): Flag<number[]> {
  const read = (flag: string, text: string) =>
    text.split(',').map((each) => numberOf(flag, each, least, true))
  return { about, initial, read: (flag, text) => read(flag, text).sort((a, b) => a - b) }
}

/** Names separated by commas; all by default. */
export function names<Name extends string>(about: string, choices: readonly Name[]): Flag<Name[]> {
  const one = (flag: string, word: string): Name => {
    const name = choices.find((each) => each === word)
    if (name === undefined) throw new TypeError(`${flag}: ${word} is none of ${choices.join(', ')}`)
    return name
  }
  return {
    about,
    initial: choices.join(),
    read: (flag, text) => text.split(',').map((word) => one(flag, word)),
  }
}

function numberOf(flag: string, text: string, least: number, isWhole: boolean): number {
  const value = Number(text)
  if (value >= least && Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value))) return value
  throw new TypeError(`${flag} must be a ${isWhole ? 'whole ' : ''}number of at least ${least}, not ${text}`)
}
