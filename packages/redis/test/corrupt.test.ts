import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { connect, isRedisHere, newPrefix, sweep } from '@fastify-accounts/test-support/redis/redis'
import { newSession } from '@fastify-accounts/testing'
import { InvalidArgumentError } from 'fastify-accounts'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = newPrefix()
let redis: Redis
let made = 0

function newTestPrefix(): string {
  made += 1
  return `${run}${made}:`
}

describe.skipIf(!(await isRedisHere()))('unreadable values are treated as absent', () => {
  beforeAll(async () => {
    redis = await connect()
  })
  afterAll(async () => {
    await sweep(redis, run)
    redis.disconnect()
  })

  const spoiled: Record<string, (key: string) => Promise<unknown>> = {
    'no user': (key) => redis.hdel(key, 'userId'),
    'an empty user': (key) => redis.hset(key, 'userId', ''),
    'no epoch': (key) => redis.hdel(key, 'epoch'),
    'an epoch that is text': (key) => redis.hset(key, 'epoch', 'one'),
    'an epoch with a fraction': (key) => redis.hset(key, 'epoch', '1.5'),
    'an epoch too great to be exact': (key) => redis.hset(key, 'epoch', '9'.repeat(20)),
    'no createdAt': (key) => redis.hdel(key, 'createdAt'),
    'a createdAt that is not a date': (key) => redis.hset(key, 'createdAt', '9'.repeat(17)),
    'a lastSeenAt that is text': (key) => redis.hset(key, 'lastSeenAt', '2026-01-01'),
    'no lastSeenAt': (key) => redis.hdel(key, 'lastSeenAt'),
    'no expiresAt': (key) => redis.hdel(key, 'expiresAt'),
    'an expiresAt that is empty': (key) => redis.hset(key, 'expiresAt', ''),
    'a confirmedAt that is text': (key) => redis.hset(key, 'confirmedAt', 'yesterday'),
    'a confirmedAt after the end of time': (key) => redis.hset(key, 'confirmedAt', '9'.repeat(17)),
    'another kind': (key) => redis.hset(key, 'kind', 'key'),
    'a generation that is text': (key) => redis.hset(key, 'gen', '0x0'),
    'a generation too great to be exact': (key) => redis.hset(key, 'gen', '9'.repeat(20)),
    'a seenGeneration with a fraction': (key) => redis.hset(key, 'seenGen', '0.5'),
    'a baseGeneration that is infinite': (key) => redis.hset(key, 'baseGen', 'inf'),
    'a nextBase with a fraction': (key) => redis.hset(key, 'nextBase', '1.5'),
    'a settlesAt that is text': (key) => redis.hset(key, 'settlesAt', 'soon'),
    'a priorConfirmedAt after the end of time': (key) => redis.hset(key, 'priorConfirmedAt', '9'.repeat(17)),
    'a confirmation that is text': (key) => redis.hset(key, 'confirmation', 'twice'),
    'a string instead of the hash': (key) => redis.set(key, '{"userId":"user-1"}'),
    'a list instead of the hash': async (key) => {
      await redis.del(key)
      await redis.lpush(key, 'user-1')
    },
  }
  test.each(Object.entries(spoiled))('a session with %s', async (_, spoil) => {
    const prefix = newTestPrefix()
    const store = createRedisSessionStore({ redis, prefix })
    const [session, sound] = [newSession(), newSession()]
    for (const one of [session, sound]) await store.create(one)
    const key = `${prefix}session:${session.id}`
    await spoil(key)

    expect(await store.find(session.id)).toBeNull()
    expect(await store.listByUser('user-1')).toEqual([sound])
    await expect(store.create(session)).rejects.toThrow(InvalidArgumentError)
    expect(await store.touch(session.id, session)).toBe(false)
    expect(await store.change(session.id, session, session)).toBe(false)
    expect(await store.find(session.id)).toBeNull()
    expect(await store.delete(session.id)).toBe(false)
    expect(await redis.exists(key)).toBe(0)
    expect(await store.delete(session.id)).toBe(false)
    expect(await store.deleteByUser('user-1')).toBe(1)
  })

  test('a name that cannot be read: the session has none', async () => {
    const prefix = newTestPrefix()
    const store = createRedisSessionStore({ redis, prefix })
    const session = newSession()
    await store.create(session)
    for (const name of ['phone', '"phone', '[]', '7']) {
      await redis.hset(`${prefix}session:${session.id}`, 'name', name)
      expect(await store.find(session.id)).toEqual(session)
    }
  })

  test('an invalid index: it is rebuilt, and sessions can be ended without it', async () => {
    const prefix = newTestPrefix()
    const store = createRedisSessionStore({ redis, prefix })
    const [first, second] = [newSession(), newSession()]
    await store.create(first)
    await redis.set(`${prefix}user:user-1`, 'spoiled')
    expect(await store.listByUser('user-1')).toEqual([])
    expect(await store.deleteByUser('user-1')).toBe(0)
    expect(await store.delete(first.id)).toBe(true)
    await store.create(second)
    expect(await store.listByUser('user-1')).toEqual([second])
  })

  test('an index that lists sessions of others, or missing ones: nobody else’s is listed or ended', async () => {
    const prefix = newTestPrefix()
    const store = createRedisSessionStore({ redis, prefix })
    const [mine, other] = [newSession(), newSession({ userId: 'user-2' })]
    for (const session of [mine, other]) await store.create(session)
    await redis.zadd(`${prefix}user:user-1`, 'inf', other.id, 'inf', 'nobody')
    expect(await store.listByUser('user-1')).toEqual([mine])
    expect(await store.deleteByUser('user-1')).toBe(1)
    expect(await store.find(other.id)).toEqual(other)
    expect(await redis.exists(`${prefix}user:user-1`)).toBe(0)
  })

  const counters: Record<string, (key: string) => Promise<unknown>> = {
    'a text': (key) => redis.set(key, 'many', 'EX', 60),
    'a number below 0': (key) => redis.set(key, '-5', 'EX', 60),
    'a number that cannot grow': (key) => redis.set(key, '9223372036854775807', 'EX', 60),
    'a hash': (key) => redis.hset(key, 'count', 1),
    'a count that never ends': (key) => redis.set(key, '1000'),
  }
  test.each(Object.entries(counters))('a counter that is %s: a new window starts', async (_, spoil) => {
    const prefix = newTestPrefix()
    const store = createRedisThrottleStore({ redis, prefix })
    await spoil(`${prefix}throttle:key`)
    await store.decrement('key')
    expect(await store.increment('key', 60_000)).toEqual({ count: 1, resetMs: 60_000 })
    expect(await store.increment('key', 60_000)).toMatchObject({ count: 2 })
    expect(await redis.pttl(`${prefix}throttle:key`)).toBeGreaterThan(50_000)
  })
})
