import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { type Child, startChild } from '../child.js'
import { quotients } from '../statistics.js'
import { machine, versionsOf } from '../versions.js'
import type { Round } from './load.js'
import type { Order } from './load-process.js'
import type { ServiceName } from './names.js'
import { type OperationName, operationNames, operationOf } from './operations.js'
import { createPlace } from './place.js'
import type { Usage } from './server-process.js'
import type { Setup } from './service.js'
import { loadService } from './services.js'

export interface Settings {
  operations: OperationName[]
  services: ServiceName[]
  rounds: number
  /** How long a round lasts. */
  seconds: number
  /** Where the databases of SQLite are; the system's folder of temporary files if absent. */
  parent?: string
}

export interface Results {
  /** Machine and versions, in one line. */
  about: string
  figures: Figure[]
}

/** One service at one operation; one number per round, in the order of the rounds. */
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

/** Two services compared at one operation. */
export interface Pair {
  operation: OperationName
  ours: ServiceName
  theirs: ServiceName
}

/**
 * For rounds that ran beside each other: requests per second, ours divided by theirs, and server CPU per request,
 * theirs divided by ours. More is better for us.
 * @returns `null` if one of the two was not measured
 */
export function ratiosOf(figures: readonly Figure[], { operation, ours, theirs }: Pair) {
  const find = (service: ServiceName) =>
    figures.find((figure) => figure.operation === operation && figure.service === service)
  const [our, their] = [find(ours), find(theirs)]
  if (!our || !their) return null
  return { throughput: quotients(our.perSecond, their.perSecond), cpu: quotients(their.cpu, our.cpu) }
}

type Say = (line: string) => void
type Server = Child<'usage'> & { users: number }

const [users, mostConnections, warmUp] = [1000, 32, 1]

/** Each operation in turn, with the servers of all its services side by side, so disturbances affect all of them. */
export async function run(settings: Settings, signal: AbortSignal, say: Say): Promise<Results> {
  const figures: Figure[] = []
  const packages = new Set(['fastify'])
  let bound = true
  for (const names of bySetup(settings.operations)) {
    const { setup, slow } = operationOf(names[0] as OperationName)
    const services = settings.services.filter((service) => names.some((name) => does(service, name)))
    if (services.length === 0) continue
    const ends: (() => Promise<void>)[] = []
    try {
      const load = await startChild<Order>(new URL('load-process.js', import.meta.url), [], signal)
      ends.unshift(load.end)
      const servers = new Map<ServiceName, Server>()
      for (const service of services) {
        say(`starting ${service}`)
        for (const name of (await loadService(service)).packages) packages.add(name)
        servers.set(
          service,
          await startServer(service, { users, hash: 'removed', ...setup }, signal, ends, settings.parent),
        )
      }
      if (!slow) bound = bind(load, [...servers.values()]) && bound
      for (const name of names) figures.push(...(await measureOperation(name, servers, load, settings, say)))
    } finally {
      for (const end of ends) await end()
    }
  }
  const cores = bound ? 'the server on one core, the clients on another' : 'no process bound to a core'
  return { about: `${machine()}, ${cores}; ${versionsOf(packages)}.`, figures }
}

/** Operations with the same setup share their servers, one after the other, in the order of the table. */
export function bySetup(names: readonly OperationName[]): OperationName[][] {
  const setups = new Map<string, OperationName[]>()
  for (const name of operationNames.filter((each) => names.includes(each))) {
    const key = JSON.stringify(operationOf(name).setup ?? {})
    setups.set(key, [...(setups.get(key) ?? []), name])
  }
  return [...setups.values()]
}

function does(service: ServiceName, name: OperationName): boolean {
  return operationOf(name).services.includes(service)
}

/** Binds each process, with all its threads, to a core, if there are several and the system has `taskset`. */
function bind(load: { pid: number }, servers: readonly { pid: number }[]): boolean {
  const to = (core: string, { pid }: { pid: number }) =>
    availableParallelism() > 1 &&
    spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', core, String(pid)]).status === 0
  return [to('1', load), ...servers.map((server) => to('0', server))].every(Boolean)
}

async function measureOperation(
  operation: OperationName,
  servers: ReadonlyMap<ServiceName, Server>,
  load: Child<Order>,
  { rounds, seconds }: Settings,
  say: Say,
): Promise<Figure[]> {
  const { slow, before = 0 } = operationOf(operation)
  const connections = slow?.connections ?? mostConnections
  const sides: { figure: Figure; server: Server }[] = []
  for (const [service, server] of servers) {
    if (!does(service, operation)) continue
    say(`${operation}: warming ${service}`)
    const port = Number(server.hello)
    await load.ask(['prepare', { service, operation, port, users: server.users, connections }])
    await load.ask(['warmUp', service, warmUp])
    if (before > 0) await load.ask(['requests', service, before * server.users])
    sides.push({ figure: { operation, service, perSecond: [], cpu: [], p50: [], p99: [] }, server })
  }
  for (let round = 0; round < rounds; round++) {
    say(`${operation}: round ${round + 1} of ${rounds}`)
    for (const { figure, server } of round % 2 === 0 ? sides : sides.toReversed()) {
      const begin = (await server.ask('usage')) as Usage
      const each = (await load.ask(['round', figure.service, seconds * (slow?.times ?? 1)])) as Round
      const end = (await server.ask('usage')) as Usage
      figure.perSecond.push(each.requests / each.seconds)
      figure.cpu.push((end.cpu - begin.cpu) / each.requests)
      figure.p50.push(each.p50)
      figure.p99.push(each.p99)
    }
  }
  return sides.map(({ figure }) => figure)
}

/** @param ends receives the functions that stop it and drop what it created */
export async function startServer(
  service: ServiceName,
  setup: Setup,
  signal: AbortSignal,
  ends: (() => Promise<void>)[],
  parent?: string,
): Promise<Server> {
  const { drop, ...place } = await createPlace(service, parent)
  ends.unshift(drop)
  const script = new URL('server-process.js', import.meta.url)
  const server = await startChild<'usage'>(
    script,
    [service, JSON.stringify(place), JSON.stringify(setup)],
    signal,
  )
  ends.unshift(server.end)
  return { ...server, users: setup.users }
}
