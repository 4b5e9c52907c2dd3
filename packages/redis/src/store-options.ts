import { type Commands, type RedisClient, toCommands } from './client.js'
import { watchConnection } from './connection.js'

/** What both stores are made from. */
export interface RedisStoreOptions {
  /**
   * A client of ioredis or of node-redis, for one Redis or a cluster. It stays the caller's: the stores never close it.
   * They listen to its `error`, so that a connection that breaks ends no process.
   */
  redis: RedisClient

  /**
   * Stands before every key, behind the client's own `keyPrefix`. What begins with it belongs to the store.
   * @default '{accounts}:' for sessions, 'accounts:' for the throttle
   */
  prefix?: string | undefined
}

/** The options with the default in place. */
export interface ResolvedStoreOptions {
  redis: Commands
  prefix: string
  /** Why there is no connection, where there is none. */
  connectionError: () => unknown
}

/** @throws TypeError with one line that names the function and the option */
export function resolveStoreOptions(
  name: string,
  options: RedisStoreOptions,
  defaultPrefix: string,
): ResolvedStoreOptions {
  const redis = toCommands(options.redis)
  if (redis === null) throw new TypeError(`${name}: redis must be a client of ioredis or node-redis, 5 or 6`)
  const { prefix = defaultPrefix } = options
  if (typeof prefix !== 'string' || prefix.includes('\0') || !prefix.isWellFormed()) {
    throw new TypeError(`${name}: prefix must be a well-formed string`)
  }
  return { redis, prefix, connectionError: watchConnection(options.redis) }
}

/** What decides the slot of a key on a cluster: the text in its first braces, or all of it. */
export function slotTextOf(key: string): string {
  return /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key
}

/**
 * A cluster runs a script only on keys of one slot.
 * @throws TypeError where the keys of a script would lie in many slots
 */
export function assertOneSlot(name: string, { redis, prefix }: ResolvedStoreOptions): void {
  const start = redis.keyPrefix + prefix
  if (redis.isCluster && slotTextOf(start) === start) {
    throw new TypeError(`${name}: on a cluster, prefix must contain a hash tag, such as '{accounts}:'`)
  }
}
