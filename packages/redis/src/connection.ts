/** What both kinds of clients have in common: they are event emitters. */
interface Emitter {
  on(event: string, listener: (error: unknown) => void): unknown
}

/** Why each watched client has no connection; empty while it has one. */
const troubles = new WeakMap<object, { error?: unknown }>()

/**
 * Starts listening to a client's `error` events, once per client. Without a listener node-redis ends the process
 * when its connection breaks, and ioredis prints a stack at each connection attempt. Calls also fail with a message that
 * doesn't say why there is no connection, so the reason is kept.
 * @returns the connection's last error, until it is ready again
 */
export function watchConnection(client: object): () => unknown {
  const earlierTrouble = troubles.get(client)
  if (earlierTrouble !== undefined) return () => earlierTrouble.error
  const trouble: { error?: unknown } = {}
  troubles.set(client, trouble)
  if (isEmitter(client)) {
    const note = (error: unknown): void => {
      trouble.error = error
    }
    client.on('error', note)
    // A node of a cluster of ioredis.
    client.on('node error', note)
    client.on('ready', () => {
      delete trouble.error
    })
  }
  return () => trouble.error
}

function isEmitter(client: object): client is Emitter {
  return 'on' in client && typeof client.on === 'function'
}

/** The error of a failed call, with the connection error as its cause if that is the reason. */
export function withConnectionError(error: unknown, connectionError: unknown): unknown {
  if (connectionError === undefined || error === connectionError) return error
  if (!(error instanceof Error) || error.cause !== undefined) return error
  const copy = new Error(error.message, { cause: connectionError })
  copy.name = error.name
  return copy
}
