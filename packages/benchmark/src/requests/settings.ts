import { type CommonSettings, commonUsage, namesOf, positive, readFlags, whole } from '../flags.js'
import { type ServiceName, serviceNames } from './names.js'
import { type OperationName, operationNames } from './operations.js'

export const usage = `Measures what a request costs: the server's CPU, and how many it answers a second.

  --operations a,b   some of ${operationNames.join(', ')};
                     all by default
  --services a,b     some of ${serviceNames.join(',\n                     ')};
                     all by default
  --rounds n         rounds of each service; 16 by default
  --seconds n        how long a round lasts; 0.5 by default
  --warm-up n        seconds before the first round, longer until 2000 requests; 1 by default
  --connections n    clients; 32 by default
  --pipelining n     requests under way on each connection, where all are alike; 1 by default
  --users n          how many users there are, where the operation does not say; 1000 by default
  --from a,b         measures nothing, and reports what earlier runs wrote with --json
  --images folder    draws its pictures there
${commonUsage}
`

export interface Settings extends CommonSettings {
  operations: OperationName[]
  services: ServiceName[]
  rounds: number
  seconds: number
  warmUp: number
  connections: number
  pipelining: number
  users: number
  from: string[]
  images: string | undefined
}

/**
 * @returns `null` if help was requested
 * @throws TypeError with one line that names the flag
 */
export function settingsOf(args: readonly string[]): Settings | null {
  return readFlags(
    args,
    {
      operations: operationNames.join(),
      services: serviceNames.join(),
      rounds: '16',
      seconds: '0.5',
      'warm-up': '1',
      connections: '32',
      pipelining: '1',
      users: '1000',
      from: undefined,
      images: undefined,
    },
    (values) => ({
      operations: namesOf('--operations', values.operations, operationNames),
      services: namesOf('--services', values.services, serviceNames),
      rounds: whole('--rounds', values.rounds, 1),
      seconds: positive('--seconds', values.seconds),
      warmUp: positive('--warm-up', values['warm-up']),
      connections: whole('--connections', values.connections, 1),
      pipelining: whole('--pipelining', values.pipelining, 1),
      users: whole('--users', values.users, 100),
      from: values.from?.split(',') ?? [],
      images: values.images,
    }),
  )
}
