import { createRedisThrottleStore } from '@fastify-accounts/redis'
import { InvalidArgumentError } from 'fastify-accounts'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, isRedisHere, keysOf, newPrefix, sweep } from './support/redis.js'

const prefix = newPrefix()
let redis: Redis

describe.skipIf(!(await isRedisHere()))('counters in Redis', () => {
  beforeAll(async () => {
    redis = await connect()
  })
  afterAll(async () => {
    await sweep(redis, prefix)
    redis.disconnect()
  })

  test('are one key each, which ends with the window', async () => {
    const store = createRedisThrottleStore({ redis, prefix })
    await store.increment('login:ada', 60_000)
    await store.increment('login:ada', 60_000)
    expect(await keysOf(redis, prefix)).toEqual([`${prefix}throttle:login:ada`])
    expect(await redis.get(`${prefix}throttle:login:ada`)).toBe('2')
    expect(await redis.pttl(`${prefix}throttle:login:ada`)).toBeGreaterThan(50_000)
    await store.clear('login:ada')
    expect(await keysOf(redis, prefix)).toEqual([])
  })

  test('begin with accounts: by default', async () => {
    const store = createRedisThrottleStore({ redis })
    await store.increment(prefix, 1000)
    expect(await redis.del(`accounts:throttle:${prefix}`)).toBe(1)
  })

  test('a try taken back makes no key, moves no end, and 0 stays 0', async () => {
    const store = createRedisThrottleStore({ redis, prefix })
    const key = `${prefix}throttle:back`
    await store.decrement('back')
    expect(await redis.exists(key)).toBe(0)
    await store.increment('back', 60_000)
    const end = await redis.pexpiretime(key)
    await store.decrement('back')
    await store.decrement('back')
    expect(await redis.get(key)).toBe('0')
    expect(await redis.pexpiretime(key)).toBe(end)
  })

  test('a window of a fraction of a millisecond is one of a millisecond', async () => {
    const store = createRedisThrottleStore({ redis, prefix })
    expect(await store.increment('short', 0.1)).toEqual({ count: 1, resetMs: 1 })
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e17, '1000', undefined])(
    'a window of %o is refused',
    async (windowMs) => {
      const store = createRedisThrottleStore({ redis, prefix })
      await expect(store.increment('window', windowMs as number)).rejects.toThrow(InvalidArgumentError)
      expect(await redis.exists(`${prefix}throttle:window`)).toBe(0)
    },
  )

  test.each(['', 'a\0', '\ud800', undefined, 1])('the key %o is refused', async (given) => {
    const store = createRedisThrottleStore({ redis, prefix })
    const key = given as string
    for (const call of [
      () => store.increment(key, 1000),
      () => store.decrement(key),
      () => store.clear(key),
    ]) {
      await expect(call()).rejects.toThrow(InvalidArgumentError)
    }
  })
})
