import { type CommonSettings, commonUsage, namesOf, readFlags, whole } from '../flags.js'
import type { ServiceName } from '../requests/names.js'

export const partNames = ['memory', 'start', 'installed'] as const

const memoryServices = [
  'accounts-memory',
  'accounts-sqlite',
  'by-hand-memory',
  'by-hand-sqlite',
  'better-auth-sqlite',
] as const satisfies ServiceName[]

export const usage = `Measures what a service takes beside time: memory a session, the start, packages and megabytes installed.

  --parts a,b        some of ${partNames.join(', ')}; all by default
  --sessions n       how many log in before the memory is looked at; 100000 by default
  --services a,b     whose memory; some of ${memoryServices.join(', ')};
                     all by default
  --rounds n         starts of each service; 8 by default
${commonUsage}

What is installed comes from the npm registry, into a folder that is removed in the end.
`

export interface Settings extends CommonSettings {
  parts: (typeof partNames)[number][]
  sessions: number
  services: ServiceName[]
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
      sessions: '100000',
      services: memoryServices.join(),
      rounds: '8',
    },
    (values) => ({
      parts: namesOf('--parts', values.parts, partNames),
      sessions: whole('--sessions', values.sessions, 1),
      services: namesOf('--services', values.services, memoryServices),
      rounds: whole('--rounds', values.rounds, 1),
    }),
  )
}
