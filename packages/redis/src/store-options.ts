import { type Commands, type RedisClient, toCommands } from './client.js'
import { watchConnection } from './connection.js'

/** Options of both stores. */
export interface RedisStoreOptions {
  /**
   * An ioredis or node-redis client, for one Redis or a cluster. The caller owns it: the stores never close it.
   * They listen to its `error` events, so a broken connection doesn't end the process.
   */
  redis: RedisClient

  /**
   * Added to every key, after the client's own `keyPrefix`. Keys with this prefix belong to the store.
   * @default '{accounts}:' for sessions, 'accounts:' for the throttle
   */
  prefix?: string | undefined
}

/** The options with the default applied. */
export interface ResolvedStoreOptions {
  redis: Commands
  prefix: string
  /** Why there is no connection, if there is none. */
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

/** The part of a key that decides its slot on a cluster: the text in its first braces, or the whole key. */
export function slotTextOf(key: string): string {
  return /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key
}

/**
 * A cluster runs a script only on keys of one slot.
 * @throws TypeError if the keys of a script would be in several slots
 */
export function assertOneSlot(name: string, { redis, prefix }: ResolvedStoreOptions): void {
  const start = redis.keyPrefix + prefix
  if (redis.isCluster && slotTextOf(start) === start) {
    throw new TypeError(`${name}: on a cluster, prefix must contain a hash tag, such as '{accounts}:'`)
  }
}
