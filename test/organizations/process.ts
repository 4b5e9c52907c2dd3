import '@fastify-accounts/test-support/prompt-postman'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import { stoppingAfter } from '../invitations/stopping.js'
import { openStores, type Places, startService } from './service.js'

/** A request, and how many calls of the stores go through. */
export interface Job {
  places: Places
  request: InjectOptions
  calls: number
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Returns once each request has finished, as its status, or has stopped after `calls` calls, as 0. */
  async goSoFar(jobs: readonly Job[]) {
    const stores = new Map<string, ReturnType<typeof openStores>>()
    const ready = await Promise.all(
      jobs.map(async ({ places, request, calls }) => {
        const key = JSON.stringify(places)
        const opened = stores.get(key) ?? openStores(places)
        stores.set(key, opened)
        const stopping = stoppingAfter(await opened, calls)
        // What is stopped must not be given up before the process is killed.
        const { app } = await startService(stopping.stores, { adapterTimeout: 600_000 })
        await app.ready()
        return async () => {
          stopping.begin()
          return Promise.race([
            app.inject(request).then(({ statusCode }) => statusCode),
            stopping.isStopped.then(() => 0),
          ])
        }
      }),
    )
    return () => Promise.all(ready.map((go) => go()))
  },

  /** Serves until the process ends, and returns the port. */
  async serve(places: Places) {
    const { app } = await startService(await openStores(places))
    return async () => {
      app.server.listen(0, '127.0.0.1')
      await app.ready()
      if (!app.server.listening) await once(app.server, 'listening')
      return (app.server.address() as AddressInfo).port
    }
  },
}
