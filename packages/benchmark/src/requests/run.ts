import { type Child, startChild } from '../child.js'
import { machine } from '../versions.js'
import { bindToCore } from './cores.js'
import type { LoadSettings, Round } from './load.js'
import type { Order } from './load-process.js'
import type { ServiceName } from './names.js'
import { type Operation, type OperationName, operations } from './operations.js'
import { createPlace } from './place.js'
import type { Setup } from './service.js'
import { loadService } from './services.js'
import type { Settings } from './settings.js'

/** All that was measured; plain data. */
export interface Results {
  machine: string
  versions: string[]
  /** Whether the server had a core to itself, and the clients another. */
  bound: boolean
  figures: Figure[]
}

/** One service at one operation; a number a round, in the order of the rounds. */
export interface Figure {
  operation: OperationName
  service: ServiceName
  perSecond: number[]
  /** Microseconds of the server process, user and system. */
  cpu: number[]
  /** Milliseconds. */
  p50: number[]
  p99: number[]
}

/** Each operation in turn, with the servers of all its services side by side, so that they share what disturbs them. */
export async function run(
  settings: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const figures: Figure[] = []
  const versions = new Set<string>()
  let bound = true
  for (const name of settings.operations) {
    const services = settings.services.filter((service) =>
      (operations[name] as Operation).services.includes(service),
    )
    for (const service of services) {
      for (const version of (await loadService(service)).versions) versions.add(version)
    }
    const measured = await measureOperation(name, services, settings, signal, say)
    bound &&= measured.bound
    figures.push(...measured.figures)
  }
  return { machine: machine(), versions: [...versions], bound, figures }
}

async function measureOperation(
  name: OperationName,
  services: readonly ServiceName[],
  settings: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<{ bound: boolean; figures: Figure[] }> {
  const ends: (() => Promise<void>)[] = []
  try {
    const load = await startChild<Order>(new URL('load-process.js', import.meta.url), [], signal)
    ends.unshift(load.end)
    let bound = bindToCore(load.pid, 1)
    const sides: { figure: Figure; server: Child<'usage'> }[] = []
    for (const service of services) {
      say(`${name}: starting ${service}`)
      const server = await startServer(name, service, settings, load, signal, ends)
      bound = bindToCore(server.pid, 0) && bound
      const figure = { operation: name, service, perSecond: [], cpu: [], p50: [], p99: [] }
      sides.push({ figure, server })
      await load.ask(['round', service, settings.warmUp])
    }
    for (let round = 0; round < settings.rounds; round++) {
      say(`${name}: round ${round + 1} of ${settings.rounds}`)
      for (const { figure, server } of round % 2 === 0 ? sides : sides.toReversed()) {
        const before = (await server.ask('usage')) as number
        const { requests, seconds, p50, p99 } = (await load.ask([
          'round',
          figure.service,
          settings.seconds,
        ])) as Round
        const after = (await server.ask('usage')) as number
        figure.perSecond.push(requests / seconds)
        figure.cpu.push((after - before) / requests)
        figure.p50.push(p50)
        figure.p99.push(p99)
      }
    }
    return { bound, figures: sides.map(({ figure }) => figure) }
  } finally {
    for (const end of ends) await end()
  }
}

async function startServer(
  name: OperationName,
  service: ServiceName,
  { users, connections, pipelining }: Settings,
  load: Child<Order>,
  signal: AbortSignal,
  ends: (() => Promise<void>)[],
): Promise<Child<'usage'>> {
  const { drop, ...place } = await createPlace(service)
  ends.unshift(drop)
  const setup: Setup = { users, hash: 'removed', list: false, ...(operations[name] as Operation).setup }
  const script = new URL('server-process.js', import.meta.url)
  const args = [service, JSON.stringify(place), JSON.stringify(setup)]
  const server = await startChild<'usage'>(script, args, signal)
  ends.unshift(server.end)
  const port = Number(server.hello)
  const order: LoadSettings = {
    service,
    operation: name,
    port,
    users: setup.users,
    connections,
    pipelining,
  }
  await load.ask(['prepare', order])
  return server
}
