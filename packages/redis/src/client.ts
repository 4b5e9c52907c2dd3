/**
 * What the stores need of ioredis 5 and 6: `Redis` and `Cluster` have it.
 * Told by its shape, as the other is, so that an application may have another version than this package was built with.
 */
export interface IoredisClient {
  hmget(key: string, ...fields: string[]): Promise<unknown>
  evalsha(sha: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>
  eval(script: string, keyCount: number, ...keysAndValues: string[]): Promise<unknown>
  readonly isCluster?: boolean
  readonly options?: { keyPrefix?: string | undefined }
}

/** What the stores need of node-redis 5 and 6: what `createClient`, `createClientPool` and `createCluster` make has it. */
export interface NodeRedisClient {
  hmGet(key: string, fields: string[]): Promise<unknown>
  evalSha(sha: string, keysAndValues: { keys: string[]; arguments: string[] }): Promise<unknown>
  eval(script: string, keysAndValues: { keys: string[]; arguments: string[] }): Promise<unknown>
  withTypeMapping(mapping: Record<never, never>): unknown
  readonly options?: object | undefined
}

/** A client of ioredis or node-redis. */
export type RedisClient = IoredisClient | NodeRedisClient

/** The calls that the stores make, whichever client runs them. */
export interface Commands {
  hmget(key: string, fields: readonly string[]): Promise<unknown>
  evalsha(sha: string, keys: string[], values: string[]): Promise<unknown>
  eval(script: string, keys: string[], values: string[]): Promise<unknown>
  readonly isCluster: boolean
  /** What the client puts before every key by itself. */
  readonly keyPrefix: string
}

/** `null` where it is neither client. */
export function toCommands(client: unknown): Commands | null {
  if (has<IoredisClient>(client, ['hmget', 'evalsha', 'eval'])) return ofIoredis(client)
  if (has<NodeRedisClient>(client, ['hmGet', 'evalSha', 'eval', 'withTypeMapping']))
    return ofNodeRedis(client)
  return null
}

function has<Client>(client: unknown, methods: readonly (keyof Client)[]): client is Client {
  const given = client as Client | null | undefined
  return methods.every((method) => typeof given?.[method] === 'function')
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
  // Replies as texts, whatever the application has chosen for calls of its own.
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

/** Of a client for one Redis; pools and clusters show none. */
interface NodeRedisOptions {
  keyPrefix?: unknown
  commandOptions?: { timeout?: number }
  socket?: { socketTimeout?: number }
}

/**
 * node-redis waits without end for the answer to what it has sent, so calls end here.
 * @param quiet send nothing while a call is overdue: the `socketTimeout` of node-redis begins anew with all that is
 * sent, and would never replace a connection that died without a word. Nothing is lost, since answers come in order.
 */
function deadline(milliseconds: number, quiet: boolean): <T>(send: () => Promise<T>) => Promise<T> {
  let overdue = 0
  return async (send) => {
    if (quiet && overdue > 0) throw new Error('an earlier call has not been answered yet')
    const call = send()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        overdue += 1
        const settled = () => {
          overdue -= 1
        }
        call.then(settled, settled)
        reject(new Error(`no answer in ${milliseconds} ms`))
      }, milliseconds)
    })
    return Promise.race([call, late]).finally(() => clearTimeout(timer))
  }
}
