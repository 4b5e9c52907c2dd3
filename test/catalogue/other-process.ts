import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { testAppOn } from '@fastify-accounts/test-support/app'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
import { connect as connectRedis } from '@fastify-accounts/test-support/redis/redis'
import type { InjectOptions } from 'fastify'
import { type AccountsOptions, secondFactor } from 'fastify-accounts'

/** What an app in a process of its own, on the stores of a ground, is to be asked. Plain data. */
export interface Errand {
  place: Place
  prefix?: string | undefined
  options: Partial<AccountsOptions>
  /** Whether its users may have a second factor. */
  hasFactor?: boolean
  requests: InjectOptions[]
}

export interface Outcome {
  /** One for each request, in order. */
  statusCodes: number[]
  /** How many passwords were hashed to compare them. */
  verifications: number
  mails: number
}

/** For race-processes.ts of packages/test-support. */
export const tasks = {
  /** Sends the requests, all at once. */
  async send({ place, prefix, options, hasFactor, requests }: Errand) {
    const db = await connect(place)
    const redis = prefix === undefined ? null : await connectRedis()
    const service = await testAppOn(
      {
        // Its mails are counted where they were caused.
        users: { ...createKyselyUserStore({ db }), outbox: undefined },
        sessions: redis ? createRedisSessionStore({ redis, prefix }) : createKyselySessionStore({ db }),
      },
      {
        throttle: false,
        ...(hasFactor && { features: [secondFactor()] }),
        ...options,
        ...(redis &&
          options.throttle !== false && { throttle: { store: createRedisThrottleStore({ redis, prefix }) } }),
      },
    )
    // Until a first hash is done, the queue takes one to need a second, and sends most of a crowd away.
    const nobody = { username: 'nobody', password: 'of no account' }
    await service.app.inject({ method: 'POST', url: '/login/', remoteAddress: '192.0.2.99', payload: nobody })
    const before = service.hasher.verifications
    return async (): Promise<Outcome> => {
      const answers = await Promise.all(requests.map((request) => service.app.inject(request)))
      await service.app.close()
      await db.destroy()
      redis?.disconnect()
      return {
        statusCodes: answers.map(({ statusCode }) => statusCode),
        verifications: service.hasher.verifications - before,
        mails: service.mails.length,
      }
    }
  },
}
