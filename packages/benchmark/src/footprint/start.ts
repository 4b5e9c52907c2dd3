import { startChild } from '../child.js'
import { connect } from '../requests/connection.js'
import { familyOf, type ServiceName } from '../requests/names.js'
import { bytesOf, logIn, operations } from '../requests/operations.js'
import { createPlace } from '../requests/place.js'
import type { Usage } from '../requests/server-process.js'
import type { Place, Setup } from '../requests/service.js'

/** Milliseconds, one number per round. */
export interface Start {
  service: ServiceName
  /** From the start of the process to the first response. */
  times: number[]
  /** CPU time of the process until then, which other programs don't increase. */
  cpu: number[]
  /** CPU time of its first login and of its tenth, hash removed. */
  firstLogin: number[]
  tenthLogin: number[]
}

const all: ServiceName[] = [
  'bare',
  'accounts-memory',
  'accounts-sqlite',
  'by-hand-memory',
  'by-hand-sqlite',
  'better-auth-sqlite',
]
const script = new URL('../requests/server-process.js', import.meta.url)

/** Starts each service repeatedly, in turn; the first time, which does not count, creates the tables and a user. */
export async function measureStarts(
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
  services: readonly ServiceName[] = all,
): Promise<Start[]> {
  const drops: (() => Promise<void>)[] = []
  try {
    const sides: { start: Start; place: Place }[] = []
    for (const service of services) {
      const { drop, ...place } = await createPlace(service)
      drops.push(drop)
      sides.push({ start: { service, times: [], cpu: [], firstLogin: [], tenthLogin: [] }, place })
    }
    for (let round = 0; round <= rounds; round++) {
      say(`start: round ${round} of ${rounds}`)
      for (const { start, place } of round % 2 === 0 ? sides : sides.toReversed()) {
        const measured = await startOnce(start.service, place, round === 0, signal)
        if (round === 0) continue
        start.times.push(measured.time)
        start.cpu.push(measured.cpu)
        start.firstLogin.push(measured.logins[0] ?? Number.NaN)
        start.tenthLogin.push(measured.logins[9] ?? Number.NaN)
      }
    }
    return sides.map(({ start }) => start)
  } finally {
    for (const drop of drops) await drop()
  }
}

async function startOnce(service: ServiceName, place: Place, isFirst: boolean, signal: AbortSignal) {
  const visitor = { at: 0, of: 1, users: 1, cookie: '' }
  const family = familyOf(service)
  const setup: Setup = { users: isFirst ? 1 : 0, hash: 'removed' }
  const begin = performance.now()
  const server = await startChild<'usage'>(
    script,
    [service, JSON.stringify(place), JSON.stringify(setup)],
    signal,
  )
  const cpuOf = async () => ((await server.ask('usage')) as Usage).cpu / 1000
  try {
    const connection = await connect(Number(server.hello))
    await connection.ask(bytesOf(operations.anonymous.exchange[family](), visitor))
    const time = performance.now() - begin
    const cpu = await cpuOf()
    const logins: number[] = []
    // Those in memory have no user.
    while (logins.length < 10 && service.endsWith('-sqlite')) {
      const before = await cpuOf()
      const { status } = await connection.ask(bytesOf(logIn[family](visitor, 0), visitor))
      if (status !== 200) throw new Error(`${service}: login returned ${status}`)
      logins.push((await cpuOf()) - before)
    }
    return { time, cpu, logins }
  } finally {
    await server.end()
  }
}
