import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { sessionStoreCases, throttleStoreCases } from 'fastify-accounts/testing'
import { Redis } from 'ioredis'
import { Redis as Redis5 } from 'ioredis-5'
import { afterAll, describe, test } from 'vitest'
import { connect, isRedisHere, newPrefix, sweep, url } from './support/redis.js'

/** Connected by the first command, so that nothing tries to where the tests are skipped. */
const lazyConnect = true
const clients: Record<string, () => RedisClient & { disconnect(): void }> = {
  'ioredis 6': () => new Redis(url, { lazyConnect }),
  'ioredis 6, numbers as texts, automatic pipelines': () =>
    new Redis(url, { lazyConnect, stringNumbers: true, enableAutoPipelining: true }),
  'ioredis 6, replies of RESP3': () => new Redis(url, { lazyConnect, replyMapping: 'resp3' }),
  'ioredis 5': () => new Redis5(url, { lazyConnect }),
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
