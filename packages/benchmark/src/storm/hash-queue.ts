import type { Answer } from './load-process.js'
import type { Times } from './outcomes.js'
import { withService } from './processes.js'
import type { Settings } from './settings.js'

/** Insiders against strangers, both asking for more hashes than there are. Times in milliseconds. */
export interface Contest {
  /** Logins a second that it can do. */
  capacity: number
  idle: Times
  contest: Answer<'insiders'>
}

/** Many logins at once, the first of a process. Times in milliseconds. */
export interface Start {
  /** So many. */
  logins: number
  idle: Times
  burst: Answer<'burst'>
}

/** How often the capacity of hashes either side asks for. */
const timesEach = 2
/** What the limit `changePassword` allows each insider in a minute. */
const triesOfInsider = 5
/** Longer than anybody may wait and have a password hashed. */
const burstSeconds = 15

/** Insiders and strangers each ask for twice what can be hashed. Each insider has an account and an address. */
export function contest(
  { users, seconds, idleSeconds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Contest> {
  return withService('fastify-accounts', users, signal, async (begin) => {
    const { load } = await begin()
    await load.ask(['begin'])
    await load.ask(['watch', 3]) // until the code is compiled
    const capacity = (await load.ask(['capacity', 5])) as Answer<'capacity'>
    const perSecond = capacity * timesEach
    await load.ask(['gather', Math.ceil((perSecond * seconds) / triesOfInsider) + 1])
    const idle = (await load.ask(['watch', idleSeconds])) as Times
    const result = (await load.ask(['insiders', seconds, perSecond])) as Answer<'insiders'>
    say(`insiders: ${capacity.toFixed(1)} logins a second; p99 ${idle.p99.toFixed(1)} ms idle`)
    return { capacity, idle, contest: result }
  })
}

/** The first logins of a process, all at once. */
export function start(
  { users, burst: logins, idleSeconds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Start> {
  return withService('fastify-accounts', users, signal, async (begin) => {
    const before = await begin()
    const session = (await before.load.ask(['begin'])) as Answer<'begin'>
    // The session outlives the process; what the process knew of its hasher does not.
    const { load } = await begin()
    await load.ask(['resume', session])
    await load.ask(['watch', 3]) // until the code is compiled
    const idle = (await load.ask(['watch', idleSeconds])) as Times
    const burst = (await load.ask(['burst', burstSeconds, logins])) as Answer<'burst'>
    say(`start: ${logins} logins at once; p99 ${idle.p99.toFixed(1)} ms idle`)
    return { logins, idle, burst }
  })
}
