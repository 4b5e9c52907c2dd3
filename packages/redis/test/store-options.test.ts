import {
  createRedisSessionStore,
  createRedisThrottleStore,
  type RedisClient,
  type RedisStoreOptions,
} from '@fastify-accounts/redis'
import { Cluster, Redis } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { describe, expect, test } from 'vitest'

const redis = new Redis({ lazyConnect: true })

function cluster(keyPrefix?: string): Cluster {
  return new Cluster([{ port: 1 }], { lazyConnect: true, ...(keyPrefix !== undefined && { keyPrefix }) })
}

const nodeCluster = createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:1' }] })

describe.each(Object.entries({ createRedisSessionStore, createRedisThrottleStore }))('%s', (name, create) => {
  test.each([
    undefined,
    null,
    'redis://127.0.0.1',
    {},
    { hmget() {}, evalsha() {} },
    { hmGet() {}, evalSha() {}, eval() {} },
    createClient().legacy(),
  ])('rejects %o as a client', (given) => {
    expect(() => create({ redis: given as unknown as RedisClient })).toThrow(
      new TypeError(`${name}: redis must be a client of ioredis or node-redis, 5 or 6`),
    )
  })

  test.each([1, null, 'a\0', '\ud800'])('rejects %o as a prefix', (prefix) => {
    expect(() => create({ redis, prefix } as RedisStoreOptions)).toThrow(
      new TypeError(`${name}: prefix must be a well-formed string`),
    )
  })

  test('uses the default for an undefined prefix', () => {
    create({ redis, prefix: undefined })
  })
})

describe('on a cluster', () => {
  test.each(['', 'accounts:', '{}accounts:', 'accounts}{', '{accounts', '{}{accounts}:'])(
    'sessions need a prefix with a hash tag, unlike %o',
    (prefix) => {
      for (const redis of [cluster(), nodeCluster]) {
        expect(() => createRedisSessionStore({ redis, prefix })).toThrow(
          new TypeError(
            "createRedisSessionStore: on a cluster, prefix must contain a hash tag, such as '{accounts}:'",
          ),
        )
      }
    },
  )

  test('a hash tag may be anywhere in the prefix, including the client’s own', () => {
    createRedisSessionStore({ redis: cluster() })
    createRedisSessionStore({ redis: nodeCluster })
    createRedisSessionStore({ redis: cluster(), prefix: 'eu:{accounts}:' })
    createRedisSessionStore({ redis: cluster('{app}:'), prefix: 'accounts:' })
    expect(() => createRedisSessionStore({ redis: cluster('app:'), prefix: 'accounts:' })).toThrow(TypeError)
  })

  test('counters need none: each is a single key', () => {
    createRedisThrottleStore({ redis: cluster() })
    createRedisThrottleStore({ redis: nodeCluster })
  })
})
