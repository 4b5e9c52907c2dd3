import { randomUUID } from 'node:crypto'
import { Redis, type RedisOptions } from 'ioredis'

export const url = process.env.ACCOUNTS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** The options docs/adapters/redis.md recommends, but with faster retries: no call waits for an unavailable Redis. */
export const promptly = {
  connectTimeout: 2000,
  commandTimeout: 2000,
  socketTimeout: 3200,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  enableAutoPipelining: true,
  retryStrategy: () => 20,
} satisfies RedisOptions

/** A connected client. Calls reject with its errors, so the event is ignored. */
export async function connect(options: Omit<RedisOptions, 'replyMapping'> = {}, to = url): Promise<Redis> {
  const redis = new Redis(to, { ...options, lazyConnect: true })
  redis.on('error', () => undefined)
  await redis.connect()
  return redis
}

/** A key prefix unique to a test run; also a hash tag. */
export function newPrefix(): string {
  return `{accounts-test-${randomUUID()}}:`
}

/** All keys with this prefix. */
export async function keysOf(redis: Redis, prefix: string): Promise<string[]> {
  // A scan may return a key twice.
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

/** Whether Redis responds here. If not, its tests are skipped with a warning; in CI that is an error. */
export async function isRedisHere(): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    await redis.ping()
    return true
  } catch (error) {
    const line = `could not reach Redis at ${new URL(url).host}`
    if (process.env.CI) throw new Error(line, { cause: error })
    console.warn(`skipped: ${line}`)
    return false
  } finally {
    redis.disconnect()
  }
}
