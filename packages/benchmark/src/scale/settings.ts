import { type CommonSettings, commonUsage, namesOf, readFlags, whole } from '../flags.js'

export const partNames = ['users', 'sessions', 'processes'] as const
/** Engines that store users; PostgreSQL also stores them with Redis. */
export const engineNames = ['sqlite', 'postgres', 'mariadb'] as const

export const usage = `Measures what grows: tables, and the number of processes.

  --parts a,b        some of ${partNames.join(', ')}; all by default
  --engines a,b      of the tables of users; some of ${engineNames.join(', ')}; all by default
  --sizes a,b        how many users; 10000,100000,1000000 by default
  --sessions a,b     how many sessions, as rows on PostgreSQL; 100000,10000000 by default
  --processes a,b    how many behind one port, on Redis and PostgreSQL; 1,2,8 by default
  --rounds n         rounds of each side; 30 by default
${commonUsage}

The smallest size is what the others are compared with, in rounds that alternate. PostgreSQL, MariaDB and Redis are
looked for where the tests look for them. Databases are the benchmark's own and are dropped in the end.
`

export interface Settings extends CommonSettings {
  parts: (typeof partNames)[number][]
  engines: (typeof engineNames)[number][]
  sizes: number[]
  sessions: number[]
  processes: number[]
  rounds: number
}

/**
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  return readFlags(
    args,
    {
      parts: partNames.join(),
      engines: engineNames.join(),
      sizes: '10000,100000,1000000',
      sessions: '100000,10000000',
      processes: '1,2,8',
      rounds: '30',
    },
    (values) => ({
      parts: namesOf('--parts', values.parts, partNames),
      engines: namesOf('--engines', values.engines, engineNames),
      sizes: numbersOf('--sizes', values.sizes, 1000),
      sessions: numbersOf('--sessions', values.sessions, 1000),
      processes: numbersOf('--processes', values.processes, 1),
      rounds: whole('--rounds', values.rounds, 2),
    }),
  )
}

/** Sorted from the smallest. */
function numbersOf(flag: string, text: string, least: number): number[] {
  return text
    .split(',')
    .map((each) => whole(flag, each, least))
    .sort((a, b) => a - b)
}
