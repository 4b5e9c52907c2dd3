import { machine } from '../versions.js'
import { type Contest, contest, type Start, start } from './hash-queue.js'
import type { Answer } from './load-process.js'
import type { Times } from './outcomes.js'
import { withService } from './processes.js'
import type { ServiceName } from './requests.js'
import type { Memory } from './server-process.js'
import { services } from './service.js'
import type { Settings } from './settings.js'

/** All measurements; plain data. */
export interface Results {
  machine: string
  versions: string[]
  /** How many times its capacity of logins each service received. */
  times: number
  storms: Storm[]
  contests: Contest[]
  starts: Start[]
}

/** One storm over one service. Times in milliseconds, memory in bytes. */
export interface Storm {
  service: ServiceName
  /** Logins per second that it can do. */
  capacity: number
  idle: Times
  storm: Answer<'storm'> & { me: Times }
  seconds: number
  recovered: Times
  /** The maximum during the idle time. */
  base: number
  peak: number
}

/** Rounds of storms, each service in each round, in the order A B, B A, and so on; then the tests of our queue. */
export async function run(
  settings: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const { scenarios, rounds, times } = settings
  const results: Pick<Results, 'storms' | 'contests' | 'starts'> = { storms: [], contests: [], starts: [] }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? settings.services : settings.services.toReversed()
    for (const service of scenarios.includes('storm') ? order : []) {
      say(`round ${round + 1}: ${service}`)
      results.storms.push(await stormOver(service, settings, signal, say))
    }
    // The floor has no insiders.
    const services = order.filter((service) => service !== 'floor')
    for (const service of scenarios.includes('insiders') ? services : []) {
      results.contests.push(await contest(service, settings, signal, say))
    }
    // How another library handles a crowd of logins says nothing about this project's queue.
    const own = order.filter((service) => service !== 'better-auth')
    for (const service of scenarios.includes('start') ? own : []) {
      results.starts.push(await start(service, settings, signal, say))
    }
  }
  const versions = new Set(settings.services.flatMap((name) => services[name].versions))
  return { machine: machine(), versions: [...versions], times, ...results }
}

function stormOver(
  service: ServiceName,
  { users, times, seconds, idleSeconds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Storm> {
  return withService(service, users, signal, async (begin) => {
    const { server, crowd, probe } = await begin()
    await probe.ask(['begin'])
    await probe.ask(['watch', 3]) // until the code is compiled
    const capacity = (await crowd.ask(['capacity', 5])) as Answer<'capacity'>
    await server.ask('memory') // resets the peak
    const idle = (await probe.ask(['watch', idleSeconds])) as Times
    const { peak: base } = (await server.ask('memory')) as Memory
    say(`${service}: ${capacity.toFixed(1)} logins a second; idle p99 ${idle.p99.toFixed(1)} ms`)
    const [me, crowds] = await Promise.all([
      probe.ask(['watch', seconds]) as Promise<Times>,
      crowd.ask(['storm', seconds, capacity * times]) as Promise<Answer<'storm'>>,
    ])
    const storm = { ...crowds, me }
    const { peak } = (await server.ask('memory')) as Memory
    const recovered = (await probe.ask(['watch', 5])) as Times
    say(`${service}: storm p99 ${storm.me.p99.toFixed(1)} ms, recovered p99 ${recovered.p99.toFixed(1)} ms`)
    return { service, capacity, idle, storm, seconds, recovered, base, peak }
  })
}
