import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import { type OnCall, watch } from '@fastify-accounts/test-support/faults/probe'
import { type Service, startService } from '@fastify-accounts/test-support/faults/service'
import type { InjectOptions } from 'fastify'
import { createMemoryThrottleStore } from 'fastify-accounts'

/** A request, and how many of its adapter calls go through. */
export interface Job {
  place: Place
  confirms: boolean
  request: InjectOptions
  calls: number
}

export const tasks = {
  /**
   * Sends each request to its own service. Returns once each has either finished, as its status, or stopped after
   * `calls` calls, as 0.
   */
  async goSoFar(jobs: readonly Job[]) {
    const storesAt = new Map<string, Promise<Stores>>()
    const services = await Promise.all(
      jobs.map(async ({ place, confirms }) => {
        const stores = storesAt.get(place.url) ?? openStores(place)
        storesAt.set(place.url, stores)
        // One service each, so no request waits behind a stopped one.
        return startService(await stores, { requireEmailConfirmation: confirms, adapterTimeout: 600_000 })
      }),
    )
    return () => Promise.all(jobs.map((job, index) => go(job, services[index] as Service)))
  },
}

async function openStores(place: Place): Promise<Stores> {
  const db = await connect(place)
  const users = createKyselyUserStore({ db })
  return {
    users,
    sessions: createKyselySessionStore({ db, userStore: users }),
    throttle: createMemoryThrottleStore(),
  }
}

function go({ request, calls }: Job, service: Service): Promise<number> {
  return new Promise((resolve, reject) => {
    let made = 0
    const onCall: OnCall = (method, inner) => {
      // These two are synchronous, so they can't be stopped.
      if (method === 'hasher.canVerify' || method === 'hasher.needsRehash') return inner()
      if (made === calls) {
        resolve(0)
        return new Promise(() => {})
      }
      made += 1
      return inner()
    }
    watch(onCall, () => service.send(request)).then(({ statusCode }) => resolve(statusCode), reject)
  })
}
