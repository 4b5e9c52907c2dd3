import { readFile } from 'node:fs/promises'
import { type Child, startChild } from '../child.js'
import { machine } from '../versions.js'
import { bindToCore } from './cores.js'
import type { LoadSettings, Round } from './load.js'
import type { Order } from './load-process.js'
import type { ServiceName } from './names.js'
import { type Operation, type OperationName, operationNames, operations } from './operations.js'
import { createPlace } from './place.js'
import type { Question, Usage } from './server-process.js'
import type { Setup } from './service.js'
import { loadService } from './services.js'
import type { Settings } from './settings.js'

/** All measurements; plain data. */
export interface Results {
  machine: string
  versions: string[]
  /** Whether the server had a core to itself, and the clients another. */
  bound: boolean
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

type Say = (line: string) => void
type Servers = Map<ServiceName, Child<Question> & { users: number }>

/** Each operation in turn, with the servers of all its services side by side, so disturbances affect all of them. */
export async function run(settings: Settings, signal: AbortSignal, say: Say): Promise<Results> {
  if (settings.from.length > 0) return together(settings.from)
  const figures: Figure[] = []
  const versions = new Set<string>()
  let bound = true
  for (const names of bySetup(settings.operations)) {
    const { setup, slow } = operations[names[0] as OperationName] as Operation
    const services = settings.services.filter((service) => names.some((name) => does(service, name)))
    if (services.length === 0) continue
    for (const service of services) {
      for (const version of (await loadService(service)).versions()) versions.add(version)
    }
    const ends: (() => Promise<void>)[] = []
    try {
      const load = await startChild<Order>(new URL('load-process.js', import.meta.url), [], signal)
      ends.unshift(load.end)
      const servers: Servers = new Map()
      for (const service of services) {
        say(`starting ${service}`)
        const whole: Setup = { users: settings.users, hash: 'removed', list: false, ...setup }
        servers.set(service, await startServer(service, whole, signal, ends))
      }
      if (!slow) bound = bind(load, [...servers.values()]) && bound
      for (const name of names) figures.push(...(await measureOperation(name, servers, load, settings, say)))
    } finally {
      for (const end of ends) await end()
    }
  }
  return { machine: machine(), versions: [...versions], bound, figures }
}

/** The figures of several runs, each with different operations. */
async function together(files: readonly string[]): Promise<Results> {
  const runs = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Results),
  )
  return {
    machine: [...new Set(runs.map(({ machine }) => machine))].join('; '),
    versions: [...new Set(runs.flatMap(({ versions }) => versions))],
    bound: runs.every(({ bound }) => bound),
    figures: runs.flatMap(({ figures }) => figures),
  }
}

/** Operations with the same setup share their servers, one after the other, in the order of the table. */
function bySetup(names: readonly OperationName[]): OperationName[][] {
  const setups = new Map<string, OperationName[]>()
  for (const name of operationNames.filter((each) => names.includes(each))) {
    const { setup = {} } = operations[name] as Operation
    const key = JSON.stringify(setup)
    setups.set(key, [...(setups.get(key) ?? []), name])
  }
  return [...setups.values()]
}

function does(service: ServiceName, name: OperationName): boolean {
  return (operations[name] as Operation).services.includes(service)
}

function bind(load: { pid: number }, servers: readonly { pid: number }[]): boolean {
  const each = [bindToCore(load.pid, 1), ...servers.map(({ pid }) => bindToCore(pid, 0))]
  return each.every(Boolean)
}

async function measureOperation(
  operation: OperationName,
  servers: Servers,
  load: Child<Order>,
  settings: Settings,
  say: Say,
): Promise<Figure[]> {
  const { slow, before: timesBefore = 0 } = operations[operation] as Operation
  const seconds = settings.seconds * (slow?.times ?? 1)
  const connections = Math.min(settings.connections, slow?.connections ?? settings.connections)
  const { pipelining, warmUp, rounds } = settings
  const round = async (service: ServiceName, seconds: number) =>
    (await load.ask(['round', service, seconds])) as Round

  const sides: { figure: Figure; server: Child<Question> }[] = []
  for (const [service, server] of servers) {
    if (!does(service, operation)) continue
    say(`${operation}: warming ${service}`)
    const port = Number(server.hello)
    const order: LoadSettings = { service, operation, port, users: server.users, connections, pipelining }
    await load.ask(['prepare', order])
    await load.ask(['warmUp', service, warmUp])
    if (timesBefore > 0) await load.ask(['requests', service, timesBefore * server.users])
    sides.push({ figure: { operation, service, perSecond: [], cpu: [], p50: [], p99: [] }, server })
  }
  for (let count = 0; count < rounds; count++) {
    say(`${operation}: round ${count + 1} of ${rounds}`)
    for (const { figure, server } of count % 2 === 0 ? sides : sides.toReversed()) {
      const before = (await server.ask('usage')) as Usage
      const { requests, seconds: elapsed, p50, p99 } = await round(figure.service, seconds)
      const after = (await server.ask('usage')) as Usage
      figure.perSecond.push(requests / elapsed)
      figure.cpu.push((after.cpu - before.cpu) / requests)
      figure.p50.push(p50)
      figure.p99.push(p99)
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
  durable = true,
): Promise<Child<Question> & { users: number }> {
  const { drop, ...place } = await createPlace(service, durable)
  ends.unshift(drop)
  const script = new URL('server-process.js', import.meta.url)
  const args = [service, JSON.stringify(place), JSON.stringify(setup)]
  const server = await startChild<Question>(script, args, signal)
  ends.unshift(server.end)
  return { ...server, users: setup.users }
}
