import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** How much of a refused body is read and dropped, in bytes; what nginx passes on by default, 1 MiB, fits. */
const maxBytes = 4 * 1024 * 1024
/** How long, in milliseconds; that of nginx's own `lingering_timeout`. */
const maxTime = 5_000

/** The latest request of each connection that carries a body. */
const latest = new WeakMap<Socket, IncomingMessage>()

/**
 * A hook `onRequest`: a connection that Node.js closes behind an answer is closed for writing only, while the rest of the
 * request is read and dropped, up to 4 MiB and 5 seconds. Otherwise the client that still sends finds the connection
 * reset, and a proxy counts the whole service as failed. The plugin's own routes have it; `app.addHook('onRequest',
 * lingeringClose)` gives it to all others.
 */
export function lingeringClose(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const { raw } = request
  const { socket, headers } = raw
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  // HTTP/2 resets a stream and not the connection; a request of `app.inject` has no connection.
  if (hasBody && raw.httpVersionMajor === 1 && typeof socket.destroySoon === 'function') watch(socket, raw)
  done()
}

function watch(socket: Socket, request: IncomingMessage): void {
  const isWatched = latest.has(socket)
  latest.set(socket, request)
  if (isWatched) return
  const { destroySoon } = socket
  // What Node.js calls once the last answer of a connection is written.
  socket.destroySoon = () => {
    const body = latest.get(socket)
    if (body === undefined || body.complete || socket.destroyed) return destroySoon.call(socket)
    linger(socket, body)
  }
}

function linger(socket: Socket, body: IncomingMessage): void {
  const end = socket.bytesRead + maxBytes
  const timer = setTimeout(() => socket.destroy(), maxTime)
  socket.once('close', () => clearTimeout(timer))
  body.on('data', () => socket.bytesRead > end && socket.destroy())
  body.once('close', () => socket.destroy())
  body.resume()
  socket.end()
}
