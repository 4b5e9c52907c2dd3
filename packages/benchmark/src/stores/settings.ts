import { type CommonSettings, commonUsage, namesOf, readFlags, whole } from '../flags.js'
import { type EngineName, engineNames } from './engines.js'

export const usage = `Measures the user stores and session stores beside the bare driver of their database.

  --engines a,b      some of ${engineNames.join(', ')}; all by default
  --sizes n,n        how many users and sessions the tables hold; 10000,100000 by default
  --warm-up-ms n     how long each side runs before it is measured, in milliseconds; 200 by default
  --rounds n         rounds of each side; 200 by default
  --round-ms n       about how long a round takes, in milliseconds; 5 by default
${commonUsage}

Servers are looked for at ACCOUNTS_TEST_POSTGRES_URL, ACCOUNTS_TEST_MYSQL_URL and ACCOUNTS_TEST_REDIS_URL, on this
machine by default. What is made there is dropped in the end.
`

export interface Settings extends CommonSettings {
  engines: EngineName[]
  sizes: number[]
  warmUpMs: number
  rounds: number
  roundMs: number
}

/**
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  return readFlags(
    args,
    {
      engines: engineNames.join(),
      sizes: '10000,100000',
      'warm-up-ms': '200',
      rounds: '200',
      'round-ms': '5',
    },
    (values) => ({
      engines: namesOf('--engines', values.engines, engineNames),
      // With fewer users there is no last page after the middle one.
      sizes: values.sizes.split(',').map((size) => whole('--sizes', size, 300)),
      warmUpMs: whole('--warm-up-ms', values['warm-up-ms'], 1),
      rounds: whole('--rounds', values.rounds, 1),
      roundMs: whole('--round-ms', values['round-ms'], 1),
    }),
  )
}
