import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { sessionStoreCases, throttleStoreCases } from 'fastify-accounts/testing'
import { Redis } from 'ioredis'
import { Redis as Redis5 } from 'ioredis-5'
import { afterAll, describe, test } from 'vitest'
import { connect, isRedisHere, newPrefix, sweep, url } from './support/redis.js'

const clients: Record<string, () => RedisClient & { disconnect(): void }> = {
  'ioredis 6': () => new Redis(url),
  'ioredis 6, numbers as texts, automatic pipelines': () =>
    new Redis(url, { stringNumbers: true, enableAutoPipelining: true }),
  'ioredis 6, replies of RESP3': () => new Redis(url, { replyMapping: 'resp3' }),
  'ioredis 5': () => new Redis5(url),
}

describe.skipIf(!(await isRedisHere())).each(Object.entries(clients))('%s', (_, makeClient) => {
  const redis = makeClient()
  const run = newPrefix()
  let made = 0
  afterAll(async () => {
    redis.disconnect()
    const sweeper = await connect()
    await sweep(sweeper, run)
    sweeper.disconnect()
  })

  /** Each law begins with no keys. */
  function empty() {
    made += 1
    return { redis, prefix: `${run}${made}:` }
  }

  describe('session store', () => {
    for (const { name, run } of sessionStoreCases(() => createRedisSessionStore(empty())))
      test.concurrent(name, run)
  })
  describe('throttle store', () => {
    for (const { name, run } of throttleStoreCases(() => createRedisThrottleStore(empty())))
      test.concurrent(name, run)
  })
})
