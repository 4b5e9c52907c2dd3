import { mkdtemp, rm } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '../child.js'
import type { Order } from './load-process.js'
import type { ServiceName } from './requests.js'
import type { ServerOrder } from './server-process.js'
import { services } from './service.js'

/**
 * A service, the crowds of clients, and the probe that asks "who am I", each in its own process: a client that sends
 * hundreds of logins at once would notice its own answers late, which would not measure the server.
 */
export interface Cast {
  server: Child<ServerOrder>
  crowd: Child<Order>
  probe: Child<Order>
}

/**
 * Creates a service's users, provides the means to start it with them, and ends everything that was started.
 * @param work receives `start`, which ends what it started before
 */
export async function withService<T>(
  service: ServiceName,
  users: number,
  signal: AbortSignal,
  work: (start: () => Promise<Cast>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-benchmark-'))
  let running: Child<never>[] = []
  const endAll = async () => {
    for (const child of running) await child.end()
    running = []
  }
  try {
    const file = join(folder, 'accounts.db')
    await services[service].seed(file, users)
    return await work(async () => {
      await endAll()
      const server = await startChild<ServerOrder>(
        new URL('server-process.js', import.meta.url),
        [service, file],
        signal,
      )
      running.unshift(server)
      const client = async () => {
        const child = await startChild<Order>(
          new URL('load-process.js', import.meta.url),
          [service, `http://127.0.0.1:${server.hello}`, String(users)],
          signal,
        )
        running.unshift(child)
        return child
      }
      const crowd = await client()
      // A crowd comes from elsewhere: here it takes a core only when nobody else wants it.
      setPriority(crowd.pid, constants.priority.PRIORITY_LOW)
      return { server, crowd, probe: await client() }
    })
  } finally {
    await endAll()
    await rm(folder, { recursive: true })
  }
}
