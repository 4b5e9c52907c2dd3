/** What clients of either kind have in common: they are event emitters. */
interface Emitter {
  on(event: string, listener: (error: unknown) => void): unknown
}

/** Why each client that is watched has no connection; empty while it has one. */
const troubles = new WeakMap<object, { error?: unknown }>()

/**
 * Listens to a client's `error` from now on, once for each client. Without any listener node-redis ends the process
 * when its connection breaks, and ioredis prints a stack at each try to connect. And calls fail with a text that does
 * not say why there is no connection, so that is kept.
 * @returns the connection's last error, until it is ready again
 */
export function watchConnection(client: object): () => unknown {
  const known = troubles.get(client)
  if (known !== undefined) return () => known.error
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

/** What a call failed with, and beneath it why there is no connection, where that is why. */
export function withConnectionError(error: unknown, connectionError: unknown): unknown {
  if (connectionError === undefined || error === connectionError) return error
  if (!(error instanceof Error) || error.cause !== undefined) return error
  const copy = new Error(error.message, { cause: connectionError })
  copy.name = error.name
  return copy
}
