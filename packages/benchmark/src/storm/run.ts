import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../child.js'
import { machine } from '../versions.js'
import type { Times } from './load.js'
import type { Answer, Order } from './load-process.js'
import type { ServiceName } from './requests.js'
import type { Memory } from './server-process.js'
import { services } from './service.js'
import type { Settings } from './settings.js'

/** All that was measured; plain data. */
export interface Results {
  machine: string
  versions: string[]
  /** How often its capacity of logins each service was asked for. */
  times: number
  storms: Storm[]
}

/** One storm over one service. Times in milliseconds, memory in bytes. */
export interface Storm {
  service: ServiceName
  /** Logins a second that it can do. */
  capacity: number
  idle: Times
  storm: Answer<'storm'>
  seconds: number
  recovered: Times
  /** The most of the idle time. */
  base: number
  peak: number
}

/** Rounds of storms, each service in each round, in the order A B, B A, and so on. */
export async function run(
  settings: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const storms: Storm[] = []
  for (let round = 0; round < settings.rounds; round++) {
    const order = round % 2 === 0 ? settings.services : settings.services.toReversed()
    for (const service of order) {
      say(`round ${round + 1}: ${service}`)
      storms.push(await stormOver(service, settings, signal, say))
    }
  }
  const versions = new Set(settings.services.flatMap((name) => services[name].versions))
  return { machine: machine(), versions: [...versions], times: settings.times, storms }
}

async function stormOver(
  service: ServiceName,
  { users, times, seconds, idleSeconds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Storm> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-benchmark-'))
  const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true })]
  try {
    const file = join(folder, 'accounts.db')
    await services[service].seed(file, users)
    const server = await startChild<'memory'>(
      new URL('server-process.js', import.meta.url),
      [service, file],
      signal,
    )
    ends.unshift(server.end)
    const origin = `http://127.0.0.1:${server.hello}`
    const load = await startChild<Order>(
      new URL('load-process.js', import.meta.url),
      [service, origin, String(users)],
      signal,
    )
    ends.unshift(load.end)

    await load.ask(['begin'])
    await load.ask(['watch', 3]) // until the code is compiled
    const capacity = (await load.ask(['capacity', 5])) as Answer<'capacity'>
    await server.ask('memory') // the peak begins anew
    const idle = (await load.ask(['watch', idleSeconds])) as Times
    const { peak: base } = (await server.ask('memory')) as Memory
    say(`${service}: ${capacity.toFixed(1)} logins a second; idle p99 ${idle.p99.toFixed(1)} ms`)
    const storm = (await load.ask(['storm', seconds, capacity * times])) as Answer<'storm'>
    const { peak } = (await server.ask('memory')) as Memory
    const recovered = (await load.ask(['watch', 5])) as Times
    say(`${service}: storm p99 ${storm.me.p99.toFixed(1)} ms, recovered p99 ${recovered.p99.toFixed(1)} ms`)
    return { service, capacity, idle, storm, seconds, recovered, base, peak }
  } finally {
    for (const end of ends) await end()
  }
}
