import { createClient } from 'redis'
import { url } from './redis.js'

/** The options docs/adapters/redis.md recommends, but with faster retries: no call waits for an unavailable Redis. */
export const promptlyNode = {
  socket: { connectTimeout: 2000, socketTimeout: 3200, reconnectStrategy: () => 20 },
  pingInterval: 1200,
  commandOptions: { timeout: 2000 },
  disableOfflineQueue: true,
}

/** A connected client. Calls reject with its errors, so the event is ignored. */
export async function connectNode(options: object = {}, to = url) {
  const redis = createClient({ ...options, url: to })
  redis.on('error', () => undefined)
  await redis.connect()
  return redis
}
