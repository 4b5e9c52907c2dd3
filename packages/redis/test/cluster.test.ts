import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { sessionStoreCases, throttleStoreCases } from 'fastify-accounts/testing'
import { Cluster } from 'ioredis'
import { Cluster as Cluster5 } from 'ioredis-5'
import { afterAll, describe, test } from 'vitest'
import { startCluster } from './support/cluster.js'

const cluster = await startCluster()
const nodes = [{ host: '127.0.0.1', port: cluster?.port ?? 1 }]
const clients: Record<string, RedisClient & { disconnect(): void }> = cluster
  ? { 'ioredis 6': new Cluster(nodes), 'ioredis 5': new Cluster5(nodes) }
  : {}

afterAll(async () => {
  for (const redis of Object.values(clients)) redis.disconnect()
  await cluster?.stop()
})

describe.skipIf(cluster === null)('on a cluster, where a script may touch one slot only', () => {
  let made = 0
  for (const [name, redis] of Object.entries(clients)) {
    describe(name, () => {
      /** Each law begins with no keys, and sessions in a slot of their own; counters may lie anywhere. */
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
