import { createClient } from 'redis'
import { url } from './redis.js'

/** As docs/adapters/redis.md recommends them, but quicker: no call waits for a Redis that is away. */
export const promptlyNode = {
  socket: { connectTimeout: 2000, socketTimeout: 3200, reconnectStrategy: () => 20 },
  pingInterval: 1200,
  commandOptions: { timeout: 2000 },
  disableOfflineQueue: true,
}

/** A client that is connected. Its errors arrive at the calls, so the event is not listened to further. */
export async function connectNode(options: object = {}, to = url) {
  const redis = createClient({ ...options, url: to })
  redis.on('error', () => undefined)
  await redis.connect()
  return redis
}
