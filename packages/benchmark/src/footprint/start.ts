import { startChild } from '../child.js'
import type { ServiceName } from '../requests/names.js'
import { createPlace } from '../requests/place.js'
import type { Question, Usage } from '../requests/server-process.js'
import type { Setup } from '../requests/service.js'

/** Milliseconds from the start of the process to the first answer, one number per round. */
export interface Start {
  service: ServiceName
  times: number[]
  /** CPU time of the process, which other programs don't increase. */
  cpu: number[]
}

const all: ServiceName[] = [
  'bare',
  'accounts-memory',
  'accounts-sqlite',
  'by-hand-memory',
  'by-hand-sqlite',
  'better-auth-sqlite',
]
const setup: Setup = { users: 0, hash: 'removed', list: false }
const script = new URL('../requests/server-process.js', import.meta.url)

/** Starts each service repeatedly, in turn; the first time, which does not count, creates the tables. */
export async function measureStarts(
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
  services: readonly ServiceName[] = all,
): Promise<Start[]> {
  const drops: (() => Promise<void>)[] = []
  try {
    const sides: { start: Start; args: string[] }[] = []
    for (const service of services) {
      const { drop, ...place } = await createPlace(service)
      drops.push(drop)
      sides.push({
        start: { service, times: [], cpu: [] },
        args: [service, JSON.stringify(place), JSON.stringify(setup)],
      })
    }
    for (let round = 0; round <= rounds; round++) {
      say(`start: round ${round} of ${rounds}`)
      for (const { start, args } of round % 2 === 0 ? sides : sides.toReversed()) {
        const { time, cpu } = await firstAnswer(args, signal)
        if (round === 0) continue
        start.times.push(time)
        start.cpu.push(cpu)
      }
    }
    return sides.map(({ start }) => start)
  } finally {
    for (const drop of drops) await drop()
  }
}

async function firstAnswer(
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ time: number; cpu: number }> {
  const begin = performance.now()
  const server = await startChild<Question>(script, args, signal)
  try {
    const path = args[0]?.startsWith('better-auth') ? '/api/auth/get-session' : '/me/'
    const answer = await fetch(`http://127.0.0.1:${server.hello}${path}`)
    await answer.text()
    const time = performance.now() - begin
    const { cpu } = (await server.ask('usage')) as Usage
    return { time, cpu: cpu / 1000 }
  } finally {
    await server.end()
  }
}
