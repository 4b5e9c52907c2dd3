import { randomUUID } from 'node:crypto'
import { createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { connect, isRedisHere, keysOf, newPrefix, sweep } from '@fastify-accounts/test-support/redis/redis'
import { InvalidArgumentError } from 'fastify-accounts'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The client, and the keys of each script that it runs. */
function told({ hmget, options }: Redis, asked: string[][]): RedisClient {
  const note =
    (run: 'evalsha' | 'eval') =>
    async (lua: string, count: number, ...given: string[]): Promise<unknown> => {
      const reply = await redis[run](lua, count, ...given)
      asked.push(given.slice(0, count))
      return reply
    }
  return { hmget, options, evalsha: note('evalsha'), eval: note('eval') }
}

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

  test('are one key each, which expires with the window', async () => {
    const store = createRedisThrottleStore({ redis, prefix })
    await store.increment('login:ada', 60_000)
    await store.increment('login:ada', 60_000)
    expect(await keysOf(redis, prefix)).toEqual([`${prefix}throttle:login:ada`])
    expect(await redis.get(`${prefix}throttle:login:ada`)).toBe('2')
    expect(await redis.pttl(`${prefix}throttle:login:ada`)).toBeGreaterThan(50_000)
    await store.clear('login:ada')
    expect(await keysOf(redis, prefix)).toEqual([])
  })

  test('start with accounts: by default', async () => {
    const store = createRedisThrottleStore({ redis })
    await store.increment(prefix, 1000)
    expect(await redis.del(`accounts:throttle:${prefix}`)).toBe(1)
  })

  test('a decrement creates no key, extends no window, and never goes below 0', async () => {
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

  test('a window of less than a millisecond lasts a millisecond', async () => {
    const store = createRedisThrottleStore({ redis, prefix })
    expect(await store.increment('short', 0.1)).toEqual({ count: 1, resetMs: 1 })
  })

  test('of one account are incremented and cleared by one script', async () => {
    const asked: string[][] = []
    const prefix = `accounts-test-${randomUUID()}:`
    const store = createRedisThrottleStore({ redis: told(redis, asked), prefix })
    const [first, second] = [`${prefix}throttle:a:{ada}`, `${prefix}throttle:b:{ada}`]
    const attempts = [
      { key: 'a:{ada}', windowMs: 60_000, max: 1 },
      { key: 'b:{ada}', windowMs: 90_000, max: 1 },
    ]
    expect(await store.incrementAll(attempts)).toEqual([
      { count: 1, resetMs: 60_000 },
      { count: 1, resetMs: 90_000 },
    ])
    expect(await store.incrementAll(attempts)).toMatchObject([{ count: 2 }])
    expect(await redis.mget(first, second)).toEqual(['2', '1'])
    expect(await redis.pttl(second)).toBeGreaterThan(60_000)
    await store.clearAll(['a:{ada}', 'b:{ada}'])
    expect(await redis.exists(first, second)).toBe(0)
    expect(asked).toEqual([
      [first, second],
      [first, second],
      [first, second],
    ])
  })

  test('in different cluster slots are incremented one by one', async () => {
    const asked: string[][] = []
    // With an unclosed brace, the hash tag extends into the counter's name.
    for (const start of ['accounts-test-{', `accounts-test-`]) {
      const prefix = `${start}${randomUUID()}:`
      const store = createRedisThrottleStore({ redis: told(redis, asked), prefix })
      const keys = start.includes('{') ? ['a:{ada}', 'b:{ada}'] : ['a:{ada}', 'a:{bob}']
      const attempts = keys.map((key) => ({ key, windowMs: 60_000, max: 1 }))
      expect(await store.incrementAll(attempts)).toMatchObject([{ count: 1 }, { count: 1 }])
      expect(await store.incrementAll(attempts)).toMatchObject([{ count: 2 }])
      await store.clearAll(keys)
      expect(await redis.exists(keys.map((key) => `${prefix}throttle:${key}`))).toBe(0)
    }
    expect(asked.map((keys) => keys.length)).toEqual(Array(10).fill(1))
  })

  test('are not queried for an empty list', async () => {
    const asked: string[][] = []
    const store = createRedisThrottleStore({ redis: told(redis, asked), prefix })
    expect(await store.incrementAll([])).toEqual([])
    await store.clearAll([])
    expect(asked).toEqual([])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1.5, '5', undefined])(
    'rejects a maximum of %o and counts nothing',
    async (max) => {
      const store = createRedisThrottleStore({ redis, prefix })
      const attempts = [5, max].map((max, n) => ({ key: `max ${n}`, windowMs: 1000, max: max as number }))
      await expect(store.incrementAll(attempts)).rejects.toThrow(InvalidArgumentError)
      expect(await redis.exists(`${prefix}throttle:max 0`)).toBe(0)
    },
  )

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e17, '1000', undefined])(
    'rejects a window of %o',
    async (windowMs) => {
      const store = createRedisThrottleStore({ redis, prefix })
      await expect(store.increment('window', windowMs as number)).rejects.toThrow(InvalidArgumentError)
      expect(await redis.exists(`${prefix}throttle:window`)).toBe(0)
    },
  )

  test.each(['', 'a\0', '\ud800', undefined, 1])('rejects the key %o', async (given) => {
    const store = createRedisThrottleStore({ redis, prefix })
    const key = given as string
    for (const call of [
      () => store.increment(key, 1000),
      () => store.decrement(key),
      () => store.clear(key),
      () => store.incrementAll([{ key, windowMs: 1000, max: 1 }]),
      () => store.clearAll([key]),
    ]) {
      await expect(call()).rejects.toThrow(InvalidArgumentError)
    }
  })
})
