import { type CommonSettings, commonUsage, namesOf, readFlags, whole } from '../flags.js'
import { type ServiceName, serviceNames } from '../requests/names.js'

export const usage = `Uses a service for an hour as people would, and looks whether its memory stays where it is.

  --minutes n        60 by default
  --service name     accounts-sqlite by default; one of ${serviceNames.filter((name) => name.startsWith('accounts')).join(', ')}
${commonUsage}
`

export interface Settings extends CommonSettings {
  minutes: number
  service: ServiceName
}

/**
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  const defaults = { minutes: '60', service: 'accounts-sqlite', 'time-limit': undefined }
  return readFlags(args, defaults, (values) => {
    const minutes = whole('--minutes', values.minutes, 1)
    const [service = 'accounts-sqlite'] = namesOf('--service', values.service, serviceNames)
    const limit = values['time-limit'] ?? String(minutes + 30)
    return { minutes, service, timeLimit: whole('--time-limit', limit, 1) * 60_000 }
  })
}
