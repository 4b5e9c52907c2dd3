import { parseArgs } from 'node:util'

export const commonUsage = `  --time-limit n     minutes after which it stops with an error; 60 by default
  --json file        writes every figure there
  --page file        writes the tables between the markers of that page
  --help`

/** What every benchmark's command takes beside its own flags. */
export interface CommonSettings {
  /** In milliseconds. */
  timeLimit: number
  json: string | undefined
  page: string | undefined
}

/**
 * Reads the flags of a command.
 * @param defaults the defaults of its own flags
 * @param settings computes the settings
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function readFlags<Defaults extends Record<string, string | undefined>, Own extends object>(
  args: readonly string[],
  defaults: Defaults,
  settings: (values: { [Flag in keyof Defaults]: Defaults[Flag] | string }) => Own,
): (Own & CommonSettings) | null {
  const text = { type: 'string' } as const
  const common = { 'time-limit': text, json: text, page: text, help: { type: 'boolean' } } as const
  const own = Object.fromEntries(Object.keys(defaults).map((flag) => [flag, text]))
  const { values } = parseArgs({ args: [...args], options: { ...own, ...common } })
  if (values.help) return null
  const { 'time-limit': minutes = '60', json, page } = values
  const timeLimit = whole('--time-limit', minutes, 1) * 60_000
  return { timeLimit, json, page, ...settings({ ...defaults, ...values }) }
}

/** @throws TypeError with one line that names the flag */
export function whole(flag: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new TypeError(`${flag} must be a whole number from ${least} on, not ${text}`)
}

/** @throws TypeError with one line that names the flag */
export function positive(flag: string, text: string): number {
  const value = Number(text)
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value
  throw new TypeError(`${flag} must be a number above 0, not ${text}`)
}

/**
 * Names separated by commas.
 * @throws TypeError with one line that names the flag
 */
export function namesOf<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  return text.split(',').map((given) => {
    const name = known.find((each) => each === given)
    if (name === undefined) throw new TypeError(`${flag}: ${given} is none of ${known.join(', ')}`)
    return name
  })
}
