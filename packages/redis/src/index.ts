export { createRedisSessionStore } from './session-store.js'
export type { RedisClient, RedisStoreOptions } from './store-options.js'
export { createRedisThrottleStore } from './throttle-store.js'
