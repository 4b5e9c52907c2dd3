/** What every benchmark's command takes beside its own flags, for `parseArgs`. */
export const commonFlags = {
  'time-limit': { type: 'string' },
  json: { type: 'string' },
  page: { type: 'string' },
  help: { type: 'boolean' },
} as const

export const commonUsage = `  --time-limit n     minutes after which it stops with an error; 60 by default
  --json file        writes every figure there
  --page file        writes the tables between the markers of that page
  --help`

/** What they come to. */
export interface CommonSettings {
  /** In milliseconds. */
  timeLimit: number
  json: string | undefined
  page: string | undefined
}

export function commonSettings(values: {
  'time-limit'?: string
  json?: string
  page?: string
}): CommonSettings {
  const { 'time-limit': minutes = '60', json, page } = values
  return { timeLimit: whole('--time-limit', minutes, 1) * 60_000, json, page }
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
 * Names with commas between them.
 * @throws TypeError with one line that names the flag
 */
export function namesOf<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  return text.split(',').map((given) => {
    const name = known.find((each) => each === given)
    if (name === undefined) throw new TypeError(`${flag}: ${given} is none of ${known.join(', ')}`)
    return name
  })
}
