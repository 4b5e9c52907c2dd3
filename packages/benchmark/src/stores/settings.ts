import { parseArgs } from 'node:util'
import { type EngineName, engineNames } from './engines.js'

export const usage = `Measures the user stores and session stores beside the bare driver of their database.

  --engines a,b      some of ${engineNames.join(', ')}; all by default
  --sizes n,n        how many users and sessions the tables hold; 10000,100000 by default
  --warm-up-ms n     how long each side runs before it is measured, in milliseconds; 200 by default
  --rounds n         rounds of each side; 200 by default
  --round-ms n       about how long a round takes, in milliseconds; 5 by default
  --time-limit n     minutes after which it stops with an error; 60 by default
  --json file        writes every figure there
  --page file        writes the tables between the markers of that page
  --help

Servers are looked for at ACCOUNTS_TEST_POSTGRES_URL, ACCOUNTS_TEST_MYSQL_URL and ACCOUNTS_TEST_REDIS_URL, on this
machine by default. What is made there is dropped in the end.
`

export interface Settings {
  engines: EngineName[]
  sizes: number[]
  warmUpMs: number
  rounds: number
  roundMs: number
  /** In milliseconds. */
  timeLimit: number
  json: string | undefined
  page: string | undefined
}

/**
 * @returns `null` where help was asked for
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engines: { type: 'string', default: engineNames.join() },
      sizes: { type: 'string', default: '10000,100000' },
      'warm-up-ms': { type: 'string', default: '200' },
      rounds: { type: 'string', default: '200' },
      'round-ms': { type: 'string', default: '5' },
      'time-limit': { type: 'string', default: '60' },
      json: { type: 'string' },
      page: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return null
  return {
    engines: values.engines.split(',').map(engineOf),
    // Fewer users have no last page behind the middle one.
    sizes: values.sizes.split(',').map((size) => whole('--sizes', size, 300)),
    warmUpMs: whole('--warm-up-ms', values['warm-up-ms'], 1),
    rounds: whole('--rounds', values.rounds, 1),
    roundMs: whole('--round-ms', values['round-ms'], 1),
    timeLimit: whole('--time-limit', values['time-limit'], 1) * 60_000,
    json: values.json,
    page: values.page,
  }
}

function engineOf(name: string): EngineName {
  const known = engineNames.find((each) => each === name)
  if (!known) throw new TypeError(`--engines: ${name} is none of ${engineNames.join(', ')}`)
  return known
}

function whole(flag: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new TypeError(`${flag} must be a whole number from ${least} on, not ${text}`)
}
