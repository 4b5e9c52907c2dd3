import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '../child.js'
import type { Order } from './load-process.js'
import type { ServiceName } from './requests.js'
import { services } from './service.js'

/** A service in a process of its own, and its clients in another. */
export interface Pair {
  server: Child<'memory'>
  load: Child<Order>
}

/**
 * Makes the users of a service, lends the means to start it on them, and ends all that was started.
 * @param work is handed `start`, which ends what it started before
 */
export async function withService<T>(
  service: ServiceName,
  users: number,
  signal: AbortSignal,
  work: (start: () => Promise<Pair>) => Promise<T>,
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
      const server = await startChild<'memory'>(
        new URL('server-process.js', import.meta.url),
        [service, file],
        signal,
      )
      running.unshift(server)
      const load = await startChild<Order>(
        new URL('load-process.js', import.meta.url),
        [service, `http://127.0.0.1:${server.hello}`, String(users)],
        signal,
      )
      running.unshift(load)
      return { server, load }
    })
  } finally {
    await endAll()
    await rm(folder, { recursive: true })
  }
}
