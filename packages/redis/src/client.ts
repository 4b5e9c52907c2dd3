/**
 * What the stores need from ioredis 5 and 6, as provided by `Redis` and `Cluster`.
 * Both clients are detected by shape, so an application may use a different version than this package was built with.
 */
export interface IoredisClient {
  hmget(key: string, ...fields: string[]): Promise<unknown>
  evalsha(sha: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>
  readonly isCluster?: boolean
  readonly options?: { keyPrefix?: string | undefined }
}

/** What the stores need from node-redis 5 and 6, as created by `createClient`, `createClientPool` or `createCluster`. */
export interface NodeRedisClient {
  hmGet(key: string, fields: string[]): Promise<unknown>
  evalSha(sha: string, keysAndValues: { keys: string[]; arguments: string[] }): Promise<unknown>
  eval(script: string, keysAndValues: { keys: string[]; arguments: string[] }): Promise<unknown>
  withTypeMapping(mapping: Record<never, never>): unknown
  readonly options?: object | undefined
}

/** An ioredis or node-redis client. */
export type RedisClient = IoredisClient | NodeRedisClient

/** The calls that the stores make, whichever client runs them. */
export interface Commands {
  hmget(key: string, fields: readonly string[]): Promise<unknown>
  evalsha(sha: string, keys: string[], values: string[]): Promise<unknown>
  eval(script: string, keys: string[], values: string[]): Promise<unknown>
  readonly isCluster: boolean
  /** The prefix that the client adds to every key. */
  readonly keyPrefix: string
}

/** `null` if it is neither client. */
export function toCommands(client: unknown): Commands | null {
  if (has<IoredisClient>(client, ['hmget', 'evalsha', 'eval'])) return ofIoredis(client)
  if (has<NodeRedisClient>(client, ['hmGet', 'evalSha', 'eval', 'withTypeMapping']))
    return ofNodeRedis(client)
  return null
}

function has<Client>(client: unknown, methods: readonly (keyof Client)[]): client is Client {
  const candidate = client as Client | null | undefined
  return methods.every((method) => typeof candidate?.[method] === 'function')
}

function ofIoredis(redis: IoredisClient): Commands {
  return {
    hmget: (key, fields) => redis.hmget(key, ...fields),
    evalsha: (sha, keys, values) => redis.evalsha(sha, keys.length, ...keys, ...values),
    eval: (lua, keys, values) => redis.eval(lua, keys.length, ...keys, ...values),
    isCluster: redis.isCluster === true,
    keyPrefix: redis.options?.keyPrefix ?? '',
  }
}

function ofNodeRedis(client: NodeRedisClient): Commands {
  const options: NodeRedisOptions = client.options ?? {}
  // Replies as strings, whatever the application configured for its own calls.
  const redis = client.withTypeMapping({}) as NodeRedisClient
  const inTime = deadline(
    options.commandOptions?.timeout || 5000,
    options.socket?.socketTimeout !== undefined,
  )
  return {
    hmget: (key, fields) => inTime(() => redis.hmGet(key, [...fields])),
    evalsha: (sha, keys, values) => inTime(() => redis.evalSha(sha, { keys, arguments: values })),
    eval: (lua, keys, values) => inTime(() => redis.eval(lua, { keys, arguments: values })),
    isCluster: 'masters' in client,
    keyPrefix: String(options.keyPrefix ?? ''),
  }
}

/** Only for a single-server client; pools and clusters expose none. */
interface NodeRedisOptions {
  keyPrefix?: unknown
  commandOptions?: { timeout?: number }
  socket?: { socketTimeout?: number }
}

/**
 * node-redis waits forever for a reply to a command it has sent, so calls time out here.
 * @param quiet send nothing while a call is overdue: every command restarts the `socketTimeout` of node-redis, which
 * would then never replace a silently dead connection. Nothing is lost, since replies come in order.
 */
function deadline(milliseconds: number, quiet: boolean): <T>(send: () => Promise<T>) => Promise<T> {
  let overdue = 0
  return async (send) => {
    if (quiet && overdue > 0) throw new Error('an earlier call is still waiting for its response')
    const call = send()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        overdue += 1
        const settled = () => {
          overdue -= 1
        }
        call.then(settled, settled)
        reject(new Error(`no response in ${milliseconds} ms`))
      }, milliseconds)
    })
    return Promise.race([call, late]).finally(() => clearTimeout(timer))
  }
}
