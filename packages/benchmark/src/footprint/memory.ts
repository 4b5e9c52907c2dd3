import { type Child, startChild } from '../child.js'
import type { Order } from '../requests/load-process.js'
import type { ServiceName } from '../requests/names.js'
import { startServer } from '../requests/run.js'
import type { Question, Usage } from '../requests/server-process.js'

export interface Memory {
  service: ServiceName
  sessions: number
  /** Bytes of heap in use after garbage was collected, before and after the logins. */
  before: number
  after: number
}

/** A user has at most a hundred sessions at a time. */
const sessionsAUser = 50

/** The memory that this many logins leave behind in the server, hash removed. */
export async function measureMemory(
  services: readonly ServiceName[],
  sessions: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Memory[]> {
  const results: Memory[] = []
  const users = Math.max(1000, Math.ceil(sessions / sessionsAUser))
  for (const service of services) {
    say(`memory: ${sessions} logins at ${service}`)
    const ends: (() => Promise<void>)[] = []
    try {
      const load = await startChild<Order>(
        new URL('../requests/load-process.js', import.meta.url),
        [],
        signal,
      )
      ends.unshift(load.end)
      // The disk is not measured.
      const server = await startServer(service, { users, hash: 'removed', list: false }, signal, ends, false)
      const settings = { service, users, port: Number(server.hello), connections: 32, pipelining: 1 }
      await load.ask(['prepare', { ...settings, operation: 'log-in' }])
      await load.ask(['requests', service, 2000]) // until the code is compiled
      const before = await heapOf(server)
      await load.ask(['requests', service, sessions])
      results.push({ service, sessions, before, after: await heapOf(server) })
    } finally {
      for (const end of ends) await end()
    }
  }
  return results
}

async function heapOf(server: Child<Question>): Promise<number> {
  return ((await server.ask('memory')) as Usage).heap
}
