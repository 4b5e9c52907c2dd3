import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import type { SessionStore, ThrottleStore } from 'fastify-accounts'
import { Redis } from 'ioredis'
import { SettingError } from './config.js'

export interface SharedStores {
  sessionStore: SessionStore
  throttleStore: ThrottleStore
  close(): Promise<void>
}

/** Milliseconds; the plugin abandons a call after five seconds. */
const timeout = 3000

/**
 * Connects to Redis, for data shared by several processes.
 * @throws SettingError if it cannot be reached
 */
export async function openRedis(url: string): Promise<SharedStores> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeout,
    commandTimeout: timeout,
    // Detects and replaces dead connections.
    socketTimeout: 2 * timeout,
    // While Redis is unavailable, calls fail instead of waiting.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
  })
  // The stores listen for its errors; the plugin logs the start and end of an outage.
  const sessionStore = createRedisSessionStore({ redis })
  const throttleStore = createRedisThrottleStore({ redis })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingError('REDIS_URL', `names ${new URL(url).host}, which cannot be used: ${reason}`)
  }
  return { sessionStore, throttleStore, close: async () => redis.disconnect() }
}
