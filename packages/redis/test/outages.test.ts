import type { EventEmitter } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createRedisSessionStore, createRedisThrottleStore, type RedisClient } from '@fastify-accounts/redis'
import { connectNode, promptlyNode } from '@fastify-accounts/test-support/redis/node-redis'
import { type Line, openLine } from '@fastify-accounts/test-support/redis/proxy'
import {
  connect,
  isRedisHere,
  keysOf,
  newPrefix,
  promptly,
  sweep,
  url,
} from '@fastify-accounts/test-support/redis/redis'
import { newSession } from '@fastify-accounts/testing'
import { UnavailableError } from 'fastify-accounts'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

const prefix = newPrefix()

async function unavailable(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toThrow(new UnavailableError('Redis failed'))
}

/** Milliseconds until the call has settled. */
async function timeOf(call: Promise<unknown>): Promise<number> {
  const start = Date.now()
  await call.catch(() => undefined)
  return Date.now() - start
}

interface Connected {
  redis: RedisClient
  /** The connection's id in Redis. */
  id(): Promise<number>
  end(): void
}

/** How to open each client; `early` doesn't wait for a connection. */
const clients: Record<string, { open(url: string): Promise<Connected>; early(url: string): Connected }> = {
  ioredis: {
    open: async (url) => ofIoredis(await connect(promptly, url)),
    early: (url) => ofIoredis(new Redis(url, promptly).on('error', () => undefined)),
  },
  'node-redis': {
    open: async (url) => ofNodeRedis(await connectNode(promptlyNode, url)),
    early(url) {
      const redis = createClient({ ...promptlyNode, url }).on('error', () => undefined)
      redis.connect().catch(() => undefined)
      return ofNodeRedis(redis)
    },
  },
}

function ofIoredis(redis: Redis): Connected {
  return { redis, id: () => redis.client('ID'), end: () => redis.disconnect() }
}

function ofNodeRedis(redis: Awaited<ReturnType<typeof connectNode>>): Connected {
  return { redis, id: () => redis.clientId(), end: () => redis.destroy() }
}

describe.skipIf(!(await isRedisHere())).each(Object.entries(clients))('with %s, an outage', (_, client) => {
  let direct: Redis
  let line: Line
  let connected: Connected
  let sessions: ReturnType<typeof createRedisSessionStore>
  let throttle: ReturnType<typeof createRedisThrottleStore>

  beforeAll(async () => {
    direct = await connect()
  })
  beforeEach(async () => {
    line = await openLine(url)
    connected = await client.open(line.url)
    sessions = createRedisSessionStore({ redis: connected.redis, prefix })
    throttle = createRedisThrottleStore({ redis: connected.redis, prefix })
  })
  afterEach(async () => {
    connected.end()
    await line.close()
    await sweep(direct, prefix)
  })
  afterAll(() => direct.disconnect())

  /** The store works again without intervention. */
  async function recovers(): Promise<void> {
    await vi.waitFor(() => sessions.find('any'), 60_000)
    const session = newSession()
    await sessions.create(session)
    expect(await sessions.find(session.id)).toEqual(session)
  }

  test('on a dropped connection: every call rejects promptly, and works again when Redis is back', async () => {
    const session = newSession()
    await sessions.create(session)
    await line.cut()
    // The client's error says it isn't connected; the cause is in its last attempt to connect.
    const reasons = async () => {
      const { cause }: { cause?: Error } = await sessions.find('any').catch((error) => error)
      return [String(cause), String(cause?.cause)]
    }
    await expect.poll(reasons).toContainEqual(expect.stringContaining('connect ECONNRESET'))
    for (const call of [
      () => sessions.create(newSession()),
      () => sessions.find(session.id),
      () => sessions.touch(session.id, session),
      () => sessions.delete(session.id),
      () => sessions.listByUser('user-1'),
      () => sessions.deleteByUser('user-1'),
      () => throttle.increment('key', 1000),
      () => throttle.decrement('key'),
      () => throttle.clear('key'),
      () => throttle.incrementAll([{ key: 'key', windowMs: 1000, max: 5 }]),
      () => throttle.clearAll(['key']),
    ]) {
      await unavailable(call())
      expect(await timeOf(call())).toBeLessThan(1000)
    }
    await line.mend()
    await recovers()
    expect(await sessions.find(session.id)).toEqual(session)
    expect(await keysOf(direct, `${prefix}session:`)).toHaveLength(2)
  })

  test('that interrupts pending calls: each is applied once or not at all, and none is sent again', async () => {
    // Redis has the script cached by then, so the call itself is what gets held.
    await throttle.increment('other', 60_000)
    line.hold()
    const session = newSession()
    const calls = [sessions.create(session), throttle.increment('key', 60_000), sessions.find('any')]
    const ended = Promise.all(calls.map(unavailable))
    await expect.poll(() => direct.get(`${prefix}throttle:key`)).toBe('1')
    await line.cut()
    await ended
    await line.mend()
    await recovers()
    expect(await direct.get(`${prefix}throttle:key`)).toBe('1')
    expect(await sessions.find(session.id)).toEqual(session)
  })

  test('of an unresponsive Redis: calls time out, and close waits for them', async () => {
    line.hold()
    let isSettled = false
    const refused = unavailable(sessions.find('any')).finally(() => {
      isSettled = true
    })
    await sessions.close?.()
    await nextTurn()
    expect(isSettled).toBe(true)
    await refused
    expect(await timeOf(throttle.increment('key', 1000))).toBeLessThan(10_000)
    await expect(sessions.find('any')).rejects.toThrow(new UnavailableError('the store is closed'))

    await line.mend()
    sessions = createRedisSessionStore({ redis: connected.redis, prefix })
    await recovers()
  })

  test('of a silently dead connection ends once the client replaces it', async () => {
    await sessions.find('any')
    line.hold()
    await unavailable(sessions.find('any'))
    await recovers()
  })

  test('of such a connection also ends while calls keep coming', async () => {
    await sessions.find('any')
    line.hold()
    const calls = new AbortController()
    const traffic = (async () => {
      for (; !calls.signal.aborted; await sleep(50)) sessions.find('any').catch(() => undefined)
    })()
    await unavailable(sessions.find('any'))
    await recovers()
    calls.abort()
    await traffic
  })

  test('on a connection closed by Redis ends without intervention', async () => {
    await direct.client('KILL', 'ID', await connected.id())
    await sleep(10)
    await recovers()
  })

  test('does not result from a script flush', async () => {
    const session = newSession()
    await direct.script('FLUSH')
    await sessions.create(session)
    await direct.script('FLUSH')
    const counts = await Promise.all(Array.from({ length: 10 }, () => throttle.increment('key', 60_000)))
    expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await sessions.delete(session.id)).toBe(true)
  })

  test('ends no process even if the app has no error listener; the stores add only one', async () => {
    const other = client.early(line.url)
    const plain = other.redis as unknown as EventEmitter
    plain.removeAllListeners('error')
    const store = createRedisSessionStore({ redis: other.redis, prefix })
    createRedisThrottleStore({ redis: other.redis, prefix })
    expect(plain.listenerCount('error')).toBe(1)
    await vi.waitFor(() => store.find('any'), 60_000)
    await line.cut()
    // Without a listener, this would throw.
    await expect.poll(() => unavailable(store.find('any')).then(() => true)).toBe(true)
    await line.mend()
    await vi.waitFor(() => store.find('any'), 60_000)
    other.end()
  })

  test('from the start: calls reject while nothing listens, and work once something does', async () => {
    await line.cut()
    const early = client.early(line.url)
    const store = createRedisSessionStore({ redis: early.redis, prefix })
    await unavailable(store.find('any'))
    await line.mend()
    await vi.waitFor(() => store.find('any'), 60_000)
    early.end()
  })
})
