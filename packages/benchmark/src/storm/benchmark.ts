import { sqliteDriver } from '../databases.js'
import { names, type SettingsOf, whole } from '../flags.js'
import type { ServiceName } from '../requests/names.js'
import { machine, versionsOf } from '../versions.js'
import { type Contest, contestOver, type Storm, stormOver } from './run.js'
import { contestTable, stormTable } from './tables.js'

const services: ServiceName[] = ['accounts-sqlite', 'better-auth-sqlite']
const flags = {
  services: names('who is attacked', services),
  scenarios: names('ten times the logins it can do; accounts that send wrong passwords', [
    'storm',
    'insiders',
  ]),
  rounds: whole('attacks on each service', 3),
}

export const benchmark = {
  about: 'Sends each service many times the logins that it can do, and looks how the others fare meanwhile.',
  flags,

  /** Each service in each round, in the order A B, B A, and so on. */
  async run(settings: SettingsOf<typeof flags>, signal: AbortSignal, say: (line: string) => void) {
    const [storms, contests]: [Storm[], Contest[]] = [[], []]
    for (let round = 0; round < settings.rounds; round++) {
      for (const service of round % 2 === 0 ? settings.services : settings.services.toReversed()) {
        say(`round ${round + 1}: ${service}`)
        if (settings.scenarios.includes('storm')) storms.push(await stormOver(service, signal))
        if (settings.scenarios.includes('insiders')) contests.push(await contestOver(service, signal))
      }
    }
    const texts = [`${machine()}; ${versionsOf(['fastify', sqliteDriver(), 'better-auth'])}.`]
    if (storms.length > 0) texts.push(stormTable(storms))
    if (contests.length > 0) texts.push(contestTable(contests))
    return texts.join('\n\n')
  },
}
