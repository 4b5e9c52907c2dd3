import { randomUUID } from 'node:crypto'
import { Redis, type RedisOptions } from 'ioredis'

export const url = process.env.ACCOUNTS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** As docs/adapters/redis.md recommends them, but quicker: no call waits for a Redis that is away. */
export const promptly = {
  connectTimeout: 2000,
  commandTimeout: 2000,
  socketTimeout: 3200,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  retryStrategy: () => 20,
} satisfies RedisOptions

/** A client that is connected. Its errors arrive at the calls, so the event is not listened to further. */
export async function connect(options: Omit<RedisOptions, 'replyMapping'> = {}, to = url): Promise<Redis> {
  const redis = new Redis(to, { ...options, lazyConnect: true })
  redis.on('error', () => undefined)
  await redis.connect()
  return redis
}

/** The start of the keys of one test run, and a hash tag. */
export function newPrefix(): string {
  return `{accounts-test-${randomUUID()}}:`
}

/** Every key that starts like this. */
export async function keysOf(redis: Redis, prefix: string): Promise<string[]> {
  // A scan may tell of a key twice.
  const keys = new Set<string>()
  for await (const some of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
    for (const key of some) keys.add(key)
  }
  return [...keys].sort()
}

export async function sweep(redis: Redis, prefix: string): Promise<void> {
  const keys = await keysOf(redis, prefix)
  if (keys.length > 0) await redis.del(...keys)
}

/** Whether Redis answers here. Where not, its tests are skipped with one line, but in CI that is a failure. */
export async function isRedisHere(): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    await redis.ping()
    return true
  } catch (error) {
    const line = `redis cannot be reached at ${new URL(url).host}`
    if (process.env.CI) throw new Error(line, { cause: error })
    console.warn(`skipped: ${line}`)
    return false
  } finally {
    redis.disconnect()
  }
}
