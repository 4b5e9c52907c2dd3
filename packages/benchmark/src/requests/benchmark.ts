import { names, positive, whole } from '../flags.js'
import { serviceNames } from './names.js'
import { operationNames } from './operations.js'
import { run } from './run.js'
import { tables } from './tables.js'

export const benchmark = {
  about: "What a request costs: the server's CPU, and how many it serves a second.",
  flags: {
    operations: names('what is asked', operationNames),
    services: names('who is asked', serviceNames),
    rounds: whole('rounds of each service', 16),
    seconds: positive('how long a round lasts', 0.5),
  },
  run: async (...args: Parameters<typeof run>): Promise<string> => tables(await run(...args)),
}
