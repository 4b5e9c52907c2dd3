export type { IoredisClient, NodeRedisClient, RedisClient } from './client.js'
export { createRedisSessionStore } from './session-store.js'
export type { RedisStoreOptions } from './store-options.js'
export { createRedisThrottleStore } from './throttle-store.js'
