import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { testAppOn } from '@fastify-accounts/test-support/app'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
import { connect as connectRedis } from '@fastify-accounts/test-support/redis/redis'
import type { InjectOptions } from 'fastify'
import { type AccountsOptions, secondFactor } from 'fastify-accounts'

/** Requests to an app in another process, on the stores of a ground. Plain data. */
export interface Errand {
  place: Place
  prefix?: string | undefined
  options: Partial<AccountsOptions>
  /** Whether the second factor is enabled. */
  hasFactor?: boolean
  requests: InjectOptions[]
}

export interface Outcome {
  /** In the order of the requests. */
  statusCodes: number[]
  /** Passwords verified against a hash. */
  verifications: number
  mails: number
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Sends all requests concurrently. */
  async send({ place, prefix, options, hasFactor, requests }: Errand) {
    const db = await connect(place)
    const redis = prefix === undefined ? null : await connectRedis()
    const service = await testAppOn(
      {
        // Without an outbox, each process delivers the emails it posts, and counts them.
        users: { ...createKyselyUserStore({ db }), outbox: undefined },
        sessions: redis ? createRedisSessionStore({ redis, prefix }) : createKyselySessionStore({ db }),
      },
      {
        throttle: false,
        adapterTimeout: 60_000,
        // All requests hash at once: a queue rejects most of them if the first hash took long.
        password: { concurrency: 64 },
        ...(hasFactor && { features: [secondFactor()] }),
        ...options,
        ...(redis &&
          options.throttle !== false && { throttle: { store: createRedisThrottleStore({ redis, prefix }) } }),
      },
    )
    const before = service.hasher.verifications
    return async (): Promise<Outcome> => {
      const responses = await Promise.all(requests.map((request) => service.app.inject(request)))
      await service.app.close()
      await db.destroy()
      redis?.disconnect()
      return {
        statusCodes: responses.map(({ statusCode }) => statusCode),
        verifications: service.hasher.verifications - before,
        mails: service.mails.length,
      }
    }
  },
}
