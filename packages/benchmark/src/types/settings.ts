import { type CommonSettings, commonUsage, readFlags, whole } from '../flags.js'

export const usage = `Measures what the types of a library cost the compiler: one small app with a field of its own and a typed
request.user, by the diagnostics of TypeScript.

  --rounds n         how often each app is compiled, for the times; 5 by default
${commonUsage}
`

export interface Settings extends CommonSettings {
  rounds: number
}

/**
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  return readFlags(args, { rounds: '5' }, ({ rounds }) => ({ rounds: whole('--rounds', rounds, 1) }))
}
