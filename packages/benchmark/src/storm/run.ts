import { constants, setPriority } from 'node:os'
import { type Child, startChild } from '../child.js'
import type { ServiceName } from '../requests/names.js'
import { startServer } from '../requests/run.js'
import type { Usage } from '../requests/server-process.js'
import type { Order, Reply } from './load-process.js'
import type { Times } from './outcomes.js'

/** One storm over one service. Times in milliseconds, memory in bytes. */
export interface Storm {
  service: ServiceName
  /** Logins per second that it can do. */
  capacity: number
  idle: Times
  storm: Reply<'storm'> & { me: Times }
  recovered: Times
  /** After the idle time, and the most until the end. */
  base: number
  peak: number
}

/** Insiders against strangers, both requesting more hashes than possible, and known devices. Times in milliseconds. */
export interface Contest {
  service: ServiceName
  capacity: number
  idle: Times
  contest: Reply<'insiders'> & { me: Times }
}

/** How long each service is under attack, and how long it is watched before, in seconds. */
export const [seconds, idleSeconds] = [20, 10]
/** How many times the capacity of logins arrives in a storm. */
export const times = 10
/** How many times the capacity of hashes insiders and strangers each request. */
const timesEach = 2
/** Logins of known devices, as a share of the capacity. */
const deviceShare = 0.25
/** The limit of a wrong password for each insider per minute. */
const triesOfInsider = 5
const users = 5000

export function stormOver(service: ServiceName, signal: AbortSignal): Promise<Storm> {
  return withService(service, signal, async ({ server, crowd, watch, capacity }) => {
    const idle = await watch(idleSeconds)
    const { resident: base } = (await server.ask('usage')) as Usage
    const [me, crowds] = await Promise.all([
      watch(seconds),
      crowd.ask(['storm', seconds, capacity * times]) as Promise<Reply<'storm'>>,
    ])
    const { peak } = (await server.ask('usage')) as Usage
    return { service, capacity, idle, storm: { ...crowds, me }, recovered: await watch(5), base, peak }
  })
}

export function contestOver(service: ServiceName, signal: AbortSignal): Promise<Contest> {
  return withService(service, signal, async ({ crowd, watch, capacity }) => {
    const perSecond = capacity * timesEach
    const rates = { insiders: perSecond, strangers: perSecond, devices: capacity * deviceShare }
    const insiders = Math.ceil((perSecond * seconds) / triesOfInsider) + 1
    await crowd.ask(['gather', insiders, Math.ceil(rates.devices * seconds)])
    const idle = await watch(idleSeconds)
    const [me, all] = await Promise.all([
      watch(seconds),
      crowd.ask(['insiders', seconds, rates]) as Promise<Reply<'insiders'>>,
    ])
    return { service, capacity, idle, contest: { ...all, me } }
  })
}

/**
 * A service, the crowds of clients, and the probe that asks "who am I", each in its own process: a client that sends
 * hundreds of logins at once would notice its own responses late, which would not measure the server.
 */
interface Cast {
  server: Child<'usage'>
  crowd: Child<Order>
  watch(seconds: number): Promise<Times>
  capacity: number
}

async function withService<T>(
  service: ServiceName,
  signal: AbortSignal,
  work: (cast: Cast) => Promise<T>,
): Promise<T> {
  const ends: (() => Promise<void>)[] = []
  try {
    const server = await startServer(service, { users, hash: 'real', production: true }, signal, ends)
    const client = async () => {
      const script = new URL('load-process.js', import.meta.url)
      const child = await startChild<Order>(script, [service, String(server.hello), String(users)], signal)
      ends.unshift(child.end)
      return child
    }
    const [crowd, probe] = [await client(), await client()]
    // A crowd comes from elsewhere: here it takes a core only when nobody else wants it.
    setPriority(crowd.pid, constants.priority.PRIORITY_LOW)
    const watch = async (seconds: number) => (await probe.ask(['watch', seconds])) as Times
    await probe.ask(['begin'])
    await watch(3) // until the code is compiled
    const capacity = (await crowd.ask(['capacity', 5])) as Reply<'capacity'>
    return await work({ server, crowd, watch, capacity })
  } finally {
    for (const end of ends) await end()
  }
}
