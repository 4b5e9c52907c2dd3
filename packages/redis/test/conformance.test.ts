import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { lawsFor } from '@fastify-accounts/test-support/laws'
import { connect, isRedisHere, newPrefix, sweep, url } from '@fastify-accounts/test-support/redis/redis'
import { sessionStoreCases, throttleStoreCases } from '@fastify-accounts/testing'
import { Redis } from 'ioredis'
import { Redis as Redis5 } from 'ioredis-5'
import { createClient, createClientPool, RESP_TYPES } from 'redis'
import { createClient as createClient5 } from 'redis-5'
import { afterAll, beforeAll, describe, test } from 'vitest'

/** Connects on the first command, so skipped tests don't connect. */
const lazyConnect = true
type Opened = { connect?: () => Promise<unknown> } & ({ disconnect(): void } | { destroy(): void })
const clients: Record<string, () => RedisClient & Opened> = {
  'ioredis 6': () => new Redis(url, { lazyConnect }),
  'ioredis 6, numbers as strings, automatic pipelines': () =>
    new Redis(url, { lazyConnect, stringNumbers: true, enableAutoPipelining: true }),
  'ioredis 6, replies of RESP3': () => new Redis(url, { lazyConnect, replyMapping: 'resp3' }),
  'ioredis 5': () => new Redis5(url, { lazyConnect }),
  'node-redis 6': () => createClient({ url }),
  'node-redis 6, replies of RESP2 as buffers': () =>
    createClient({ url, RESP: 2, commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } }),
  'node-redis 6, a pool': () => createClientPool({ url }),
  'node-redis 5': () => createClient5({ url }),
}

/** The client, with commands that reject while it is down. */
function rejecting<Client extends object>(client: Client, isDown: () => boolean): Client {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        // Its commands go through another client.
        if (name === 'withTypeMapping') return rejecting(Reflect.apply(value, target, given), isDown)
        return isDown() ? Promise.reject(new Error('down')) : Reflect.apply(value, target, given)
      }
    },
  })
}

const tried = lawsFor(Object.keys(clients))

describe.skipIf(!(await isRedisHere())).each(Object.entries(clients))('%s', (client, makeClient) => {
  const redis = makeClient()
  let isDown = false
  const outage = {
    fail: async () => {
      isDown = true
      return async () => {
        isDown = false
      }
    },
  }
  const breakable = rejecting(redis, () => isDown)
  const run = newPrefix()
  let made = 0
  beforeAll(async () => void (await redis.connect?.()))
  afterAll(async () => {
    if ('destroy' in redis) redis.destroy()
    else redis.disconnect()
    const sweeper = await connect()
    await sweep(sweeper, run)
    sweeper.disconnect()
  })

  /** Each law starts with no keys. */
  function empty() {
    made += 1
    return { redis: breakable, prefix: `${run}${made}:` }
  }

  /** Two stores on the same keys, as in two processes. */
  function twice<Store>(make: (options: ReturnType<typeof empty>) => Store): readonly [Store, Store] {
    const options = empty()
    return [make(options), make(options)]
  }

  const suites = {
    'session store': sessionStoreCases(() => twice(createRedisSessionStore), outage),
    'throttle store': throttleStoreCases(() => twice(createRedisThrottleStore), outage),
  }
  for (const [store, laws] of Object.entries(suites)) {
    for (const { name, run } of tried(client, laws)) {
      // An outage is one of all laws that run at the time.
      const alone = name.includes('an outage') ? test : test.concurrent
      alone(`${store}, ${name}`, run)
    }
  }
})
