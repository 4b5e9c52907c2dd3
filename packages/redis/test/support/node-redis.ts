import { createClient } from 'redis'
import { url } from './redis.js'

/** As docs/adapters/redis.md recommends them, but quicker: no call waits for a Redis that is away. */
export const promptlyNode = {
  socket: { connectTimeout: 500, socketTimeout: 800, reconnectStrategy: () => 20 },
  pingInterval: 300,
  commandOptions: { timeout: 500 },
  disableOfflineQueue: true,
}

/** A client that is connected. Its errors arrive at the calls, so the event is not listened to further. */
export async function connectNode(options: object = {}, to = url) {
  const redis = createClient({ ...options, url: to })
  redis.on('error', () => undefined)
  await redis.connect()
  return redis
}
