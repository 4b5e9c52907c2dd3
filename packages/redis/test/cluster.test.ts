import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { sessionStoreCases, throttleStoreCases } from '@fastify-accounts/testing'
import { Cluster } from 'ioredis'
import { Cluster as Cluster5 } from 'ioredis-5'
import { createCluster } from 'redis'
import { createCluster as createCluster5 } from 'redis-5'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startCluster } from './support/cluster.js'

const cluster = await startCluster()
const nodes = [{ host: '127.0.0.1', port: cluster?.port ?? 1 }]
const rootNodes = [{ url: `redis://127.0.0.1:${cluster?.port ?? 1}` }]
const options = { lazyConnect: true, enableAutoPipelining: true }
const nodeRedis = [createCluster({ rootNodes }), createCluster5({ rootNodes })] as const
const ioredis = [new Cluster(nodes, options), new Cluster5(nodes, options)] as const
const clients: Record<string, RedisClient> = {
  'ioredis 6': ioredis[0],
  'ioredis 5': ioredis[1],
  'node-redis 6': nodeRedis[0],
  'node-redis 5': nodeRedis[1],
}

beforeAll(async () => {
  if (cluster) for (const redis of nodeRedis) await redis.connect()
})
afterAll(async () => {
  for (const redis of ioredis) redis.disconnect()
  if (cluster) for (const redis of nodeRedis) redis.destroy()
  await cluster?.stop()
})

describe.skipIf(cluster === null)('on a cluster, where a script may only touch one slot', () => {
  let made = 0
  for (const [name, redis] of Object.entries(clients)) {
    describe(name, () => {
      /** Each law starts with no keys, and its sessions in their own slot; counters can be in any slot. */
      function empty(tag: (prefix: string) => string) {
        made += 1
        return { redis, prefix: `${tag(`${made}`)}:` }
      }
      for (const { name, run } of sessionStoreCases(() =>
        createRedisSessionStore(empty((tag) => `{${tag}}`)),
      )) {
        test.concurrent(name, run)
      }
      for (const { name, run } of throttleStoreCases(() => createRedisThrottleStore(empty((tag) => tag)))) {
        test.concurrent(name, run)
      }
    })
  }
})
