import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServiceName } from '../requests/names.js'
import { createPlace } from '../requests/place.js'
import type { Setup } from '../requests/service.js'

export interface Start {
  service: ServiceName
  /** Milliseconds from the start of the process to the first answer, a number a round. */
  times: number[]
}

const services: ServiceName[] = [
  'bare',
  'accounts-memory',
  'accounts-sqlite',
  'by-hand-memory',
  'by-hand-sqlite',
  'better-auth-sqlite',
]
const setup: Setup = { users: 0, hash: 'removed', list: false }
const script = new URL('../requests/server-process.js', import.meta.url)

/** Starts each service again and again, in turn; the tables are there from the first time, which does not count. */
export async function measureStarts(
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Start[]> {
  const drops: (() => Promise<void>)[] = []
  try {
    const sides: { start: Start; args: string[] }[] = []
    for (const service of services) {
      const { drop, ...place } = await createPlace(service)
      drops.push(drop)
      sides.push({
        start: { service, times: [] },
        args: [service, JSON.stringify(place), JSON.stringify(setup)],
      })
    }
    for (let round = 0; round <= rounds; round++) {
      say(`start: round ${round} of ${rounds}`)
      for (const { start, args } of round % 2 === 0 ? sides : sides.toReversed()) {
        const time = await firstAnswer(args, signal)
        if (round > 0) start.times.push(time)
      }
    }
    return sides.map(({ start }) => start)
  } finally {
    for (const drop of drops) await drop()
  }
}

async function firstAnswer(args: readonly string[], signal: AbortSignal): Promise<number> {
  const begin = performance.now()
  const child = fork(script, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  try {
    const [port] = await once(child, 'message', { signal })
    const path = args[0]?.startsWith('better-auth') ? '/api/auth/get-session' : '/me/'
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    await answer.text()
    return performance.now() - begin
  } finally {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
}
