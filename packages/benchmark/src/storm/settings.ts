import { type CommonSettings, commonUsage, namesOf, readFlags, whole } from '../flags.js'
import { type ServiceName, serviceNames } from './requests.js'

/** Ten times the logins that it can do; insiders and known devices against strangers; many logins right after a start. */
export const scenarioNames = ['storm', 'insiders', 'start'] as const

export const usage = `Sends each service many times the logins that it can do, and looks how the others fare meanwhile.

  --services a,b     some of ${serviceNames.join(', ')}; all by default
  --scenarios a,b    some of ${scenarioNames.join(', ')}; all by default. The second is for all but floor,
                     the last for all but better-auth
  --rounds n         storms over each service; 3 by default
  --times n          how many times its capacity of logins arrive; 10 by default
  --seconds n        how long a storm lasts; 20 by default
  --burst n          how many logins come at once right after a start; 300 by default
  --idle-seconds n   how long the time before it is watched; 10 by default
  --users n          who log in in turn; 5000 by default
${commonUsage}
`

export interface Settings extends CommonSettings {
  services: ServiceName[]
  scenarios: (typeof scenarioNames)[number][]
  rounds: number
  times: number
  seconds: number
  burst: number
  idleSeconds: number
  users: number
}

/**
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  return readFlags(
    args,
    {
      services: serviceNames.join(),
      scenarios: scenarioNames.join(),
      rounds: '3',
      times: '10',
      seconds: '20',
      burst: '300',
      'idle-seconds': '10',
      users: '5000',
    },
    (values) => ({
      services: namesOf('--services', values.services, serviceNames),
      scenarios: namesOf('--scenarios', values.scenarios, scenarioNames),
      rounds: whole('--rounds', values.rounds, 1),
      times: whole('--times', values.times, 1),
      seconds: whole('--seconds', values.seconds, 1),
      burst: whole('--burst', values.burst, 1),
      idleSeconds: whole('--idle-seconds', values['idle-seconds'], 1),
      users: whole('--users', values.users, 1),
    }),
  )
}
