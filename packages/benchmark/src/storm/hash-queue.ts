import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './clock.js'
import type { Answer } from './load-process.js'
import type { Outcomes, Times } from './outcomes.js'
import { withService } from './processes.js'
import type { ServiceName } from './requests.js'
import type { Settings } from './settings.js'

/** Insiders against strangers, both requesting more hashes than possible, and known devices. Times in milliseconds. */
export interface Contest {
  service: ServiceName
  /** Logins per second that it can do. */
  capacity: number
  idle: Times
  contest: Answer<'insiders'> & { me: Times }
}

/** Many logins at once, the first of a process. Times in milliseconds. */
export interface Start {
  service: ServiceName
  /** So many. */
  logins: number
  idle: Times
  /** By the client's clock. */
  burst: { me: Times; logins: Outcomes }
  /** The server's clock over the same time. */
  clock: Clock
}

/** How many times the capacity of hashes each side requests. */
const timesEach = 2
/** Logins of known devices, as a share of the capacity. */
const deviceShare = 0.25
/** The limit `changePassword` for each insider per minute. */
const triesOfInsider = 5
/** Longer than anyone may wait and still have a password hashed. */
const burstSeconds = 15

/**
 * Insiders and strangers each request twice what can be hashed. Each insider has an account and an address. Meanwhile
 * people log in from browsers that have logged in before.
 */
export function contest(
  service: ServiceName,
  { users, seconds, idleSeconds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Contest> {
  return withService(service, users, signal, async (begin) => {
    const { crowd, probe } = await begin()
    await probe.ask(['begin'])
    await probe.ask(['watch', 3]) // until the code is compiled
    const capacity = (await crowd.ask(['capacity', 5])) as Answer<'capacity'>
    const perSecond = capacity * timesEach
    const rates = { insiders: perSecond, strangers: perSecond, devices: capacity * deviceShare }
    const insiders = Math.ceil((perSecond * seconds) / triesOfInsider) + 1
    await crowd.ask(['gather', insiders, Math.ceil(rates.devices * seconds)])
    const idle = (await probe.ask(['watch', idleSeconds])) as Times
    const [me, both] = await Promise.all([
      probe.ask(['watch', seconds]) as Promise<Times>,
      crowd.ask(['insiders', seconds, rates]) as Promise<Answer<'insiders'>>,
    ])
    say(
      `insiders: ${service}, ${capacity.toFixed(1)} logins a second; p99 ${idle.p99.toFixed(1)} ms idle, ${me.p99.toFixed(1)} ms then`,
    )
    return { service, capacity, idle, contest: { ...both, me } }
  })
}

/** The first logins of a process, all at once. */
export function start(
  service: ServiceName,
  { users, burst: logins, idleSeconds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Start> {
  return withService(service, users, signal, async (begin) => {
    const before = await begin()
    const session = (await before.probe.ask(['begin'])) as Answer<'begin'>
    // The session outlives the process; what the process knew of its hasher does not.
    const { server, crowd, probe } = await begin()
    await probe.ask(['resume', session])
    await probe.ask(['watch', 3]) // until the code is compiled
    const idle = (await probe.ask(['watch', idleSeconds])) as Times
    await server.ask('clock') // resets it
    const [me, crowds, clock] = await Promise.all([
      probe.ask(['watch', burstSeconds]) as Promise<Times>,
      crowd.ask(['burst', logins]) as Promise<Outcomes>,
      sleep(burstSeconds * 1000).then(() => server.ask('clock') as Promise<Clock>),
    ])
    say(
      `start: ${service}, ${logins} logins at once; p99 ${idle.p99.toFixed(1)} ms idle, ${me.p99.toFixed(1)} ms then`,
    )
    return { service, logins, idle, burst: { me, logins: crowds }, clock }
  })
}
