import { startChild } from '../child.js'
import type { Round } from '../requests/load.js'
import type { Order } from '../requests/load-process.js'
import type { OperationName } from '../requests/operations.js'
import { createPlace } from '../requests/place.js'
import type { Usage } from '../requests/server-process.js'
import { type Summary, summarize } from '../statistics.js'

/** Several processes behind one port. */
export interface Processes {
  processes: number
  operation: OperationName
  perSecond: Summary
  /** Microseconds per request, of all processes. */
  cpu: Summary
  /** Bytes of a process, resident. */
  memory: number
}

const service = 'accounts-redis-postgres'
const users = 1000
const connections = 64
const seconds = 3

/** Each answer is checked: the others must accept a session that one process created. */
export async function measureProcesses(
  counts: readonly number[],
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Processes[]> {
  const figures: Processes[] = []
  for (const processes of counts) {
    const ends: (() => Promise<void>)[] = []
    try {
      const { drop, ...place } = await createPlace(service, false)
      ends.unshift(drop)
      say(`starting ${processes} processes`)
      const primary = await startChild<'usage'>(
        new URL('primary-process.js', import.meta.url),
        [
          service,
          JSON.stringify(place),
          JSON.stringify({ users, hash: 'removed', list: false }),
          String(processes),
        ],
        signal,
      )
      ends.unshift(primary.end)
      const load = await startChild<Order>(
        new URL('../requests/load-process.js', import.meta.url),
        [],
        signal,
      )
      ends.unshift(load.end)
      for (const operation of ['me', 'log-in'] as const) {
        const port = Number(primary.hello)
        await load.ask(['prepare', { service, operation, port, users, connections, pipelining: 1 }])
        await load.ask(['warmUp', service, seconds])
        const [perSecond, cpu]: [number[], number[]] = [[], []]
        let memory = 0
        for (let round = 0; round < rounds; round++) {
          say(`${processes} processes, ${operation}: round ${round + 1} of ${rounds}`)
          const before = (await primary.ask('usage')) as Usage
          const { requests, seconds: elapsed } = (await load.ask(['round', service, seconds])) as Round
          const after = (await primary.ask('usage')) as Usage
          perSecond.push(requests / elapsed)
          cpu.push((after.cpu - before.cpu) / requests)
          memory = after.resident / processes
        }
        figures.push({ processes, operation, perSecond: summarize(perSecond), cpu: summarize(cpu), memory })
      }
    } finally {
      for (const end of ends) await end()
    }
  }
  return figures
}
