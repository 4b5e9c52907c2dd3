import '@fastify-accounts/test-support/prompt-postman'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Place } from '@fastify-accounts/test-support/databases'
import type { InjectOptions } from 'fastify'
import { openStores, startService } from './service.js'
import { stoppingAfter } from './stopping.js'

/** A request, and how many calls of the stores go through. */
export interface Job {
  place: Place
  request: InjectOptions
  calls: number
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Returns once each request has finished, as its status, or has stopped after `calls` calls, as 0. */
  async goSoFar(jobs: readonly Job[]) {
    const stores = new Map<string, ReturnType<typeof openStores>>()
    const ready = await Promise.all(
      jobs.map(async ({ place, request, calls }) => {
        const opened = stores.get(place.url) ?? openStores(place)
        stores.set(place.url, opened)
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
  async serve(place: Place) {
    const stores = await openStores(place)
    const { app } = await startService(stores)
    app.post<{ Params: { call: 'withdrawInvitation' | 'resendInvitation'; id: string } }>(
      '/test/:call/:id',
      async ({ params: { call, id } }) => ({ result: await app.accounts[call](id) }),
    )
    app.post<{ Params: { id: string } }>('/test/expire/:id', async ({ params: { id } }) => {
      const version = (await stores.invitations.find(id))?.version ?? 0
      const expired = await stores.invitations.update(id, { expiresAt: new Date() }, version)
      return { result: expired !== null }
    })
    app.post<{ Params: { id: string } }>('/test/disable/:id', async ({ params: { id } }) => {
      await app.accounts.updateUser(id, { isActive: false })
      return {}
    })
    app.post<{ Params: { id: string } }>('/test/delete/:id', async ({ params: { id } }) => ({
      result: await app.accounts.deleteUser(id),
    }))
    app.post<{ Params: { id: string } }>('/test/secure/:id', async ({ params: { id } }) => ({
      result: await app.accounts.secureUser(id),
    }))
    return async () => {
      app.server.listen(0, '127.0.0.1')
      await app.ready()
      if (!app.server.listening) await once(app.server, 'listening')
      return (app.server.address() as AddressInfo).port
    }
  },
}
