import { startChild } from '../child.js'
import type { Round } from '../requests/load.js'
import type { Order } from '../requests/load-process.js'
import { titles } from '../requests/names.js'
import type { OperationName } from '../requests/operations.js'
import { startServer } from '../requests/run.js'
import type { Usage } from '../requests/server-process.js'
import { machine } from '../versions.js'
import type { Settings } from './settings.js'

/** All measurements; plain data. */
export interface Results {
  machine: string
  service: string
  samples: Sample[]
}

/** Once a minute, after garbage was collected. */
export interface Sample {
  minute: number
  requests: number
  /** Bytes. */
  heap: number
  resident: number
}

const users = 1000
/** Seconds of each, in turn: most requests only check who is logged in. */
const day: [OperationName, number][] = [
  ['me', 8],
  ['public', 2],
  ['anonymous', 2],
  ['log-in', 3],
  ['sign-up', 1],
  ['forgot', 1],
]

/** Measures what is left behind: the password's hash is removed, so more operations run. */
export async function run(
  { minutes, service }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const ends: (() => Promise<void>)[] = []
  const samples: Sample[] = []
  try {
    const server = await startServer(service, { users, hash: 'removed', list: false }, signal, ends, false)
    const port = Number(server.hello)
    const loads = new Map<OperationName, { begin(): Promise<unknown>; go(seconds: number): Promise<Round> }>()
    for (const [operation] of day) {
      const load = await startChild<Order>(
        new URL('../requests/load-process.js', import.meta.url),
        [],
        signal,
      )
      ends.unshift(load.end)
      const settings = { service, users, port, connections: 16, pipelining: 1, operation }
      const begin = () => load.ask(['prepare', settings])
      const go = async (seconds: number) => (await load.ask(['round', service, seconds])) as Round
      await begin()
      loads.set(operation, { begin, go })
    }
    const start = performance.now()
    const elapsed = () => (performance.now() - start) / 60_000
    let requests = 0
    for (let minute = 1; minute <= minutes; minute++) {
      while (elapsed() < minute) {
        for (const [operation, seconds] of day) {
          const load = loads.get(operation)
          // A session ends when its user has had a hundred newer ones; logins create three a day.
          if (operation === 'me') await load?.begin()
          requests += (await load?.go(seconds))?.requests ?? 0
        }
      }
      const { heap, resident } = (await server.ask('memory')) as Usage
      samples.push({ minute, requests, heap, resident })
      say(`minute ${minute}: ${requests} requests, heap ${mebibytes(heap)}, resident ${mebibytes(resident)}`)
    }
  } finally {
    for (const end of ends) await end()
  }
  return { machine: machine(), service: titles[service], samples }
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
