/**
 * What the stores need of a client: `Redis` and `Cluster` of ioredis 5 and 6 have it.
 * Told by its shape, so that an application may have another version of ioredis than this package was built with.
 */
export interface RedisClient {
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>
  evalsha(sha: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>
  readonly isCluster?: boolean
  readonly options?: { keyPrefix?: string | undefined }
}

/** What both stores are made from. */
export interface RedisStoreOptions {
  /** A `Redis` or `Cluster` of ioredis. It stays the caller's: the stores never close it. */
  redis: RedisClient

  /**
   * Stands before every key, behind the client's own `keyPrefix`. What begins with it belongs to the store.
   * @default '{accounts}:' for sessions, 'accounts:' for the throttle
   */
  prefix?: string | undefined
}

/** The options with the default in place. */
export interface ResolvedStoreOptions {
  redis: RedisClient
  prefix: string
}

/** @throws TypeError with one line that names the function and the option */
export function resolveStoreOptions(
  name: string,
  options: RedisStoreOptions,
  defaultPrefix: string,
): ResolvedStoreOptions {
  const { redis, prefix = defaultPrefix } = options
  for (const method of ['hmget', 'evalsha', 'eval'] as const) {
    if (typeof redis?.[method] !== 'function') throw new TypeError(`${name}: redis must be an ioredis client`)
  }
  if (typeof prefix !== 'string' || prefix.includes('\0') || !prefix.isWellFormed()) {
    throw new TypeError(`${name}: prefix must be a well-formed text`)
  }
  return { redis, prefix }
}

/**
 * A cluster runs a script only on keys of one slot: what stands between the first braces decides which.
 * @throws TypeError where the keys of a script would lie in many slots
 */
export function assertOneSlot(name: string, { redis, prefix }: ResolvedStoreOptions): void {
  const start = `${redis.options?.keyPrefix ?? ''}${prefix}`
  if (redis.isCluster && !/^[^{]*\{[^}]+\}/.test(start)) {
    throw new TypeError(`${name}: on a cluster prefix must hold a hash tag, such as '{accounts}:'`)
  }
}
