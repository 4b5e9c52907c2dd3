import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { AnyRequest } from '../input/any-request.js'

/** How much of a rejected body is read and dropped, in bytes; the 1 MiB that nginx allows by default fits. */
const maxBytes = 4 * 1024 * 1024
/** For how long, in milliseconds; the same as nginx's `lingering_timeout`. */
const maxTime = 5_000

/** The latest request with a body on each connection. */
const latest = new WeakMap<Socket, IncomingMessage>()

/**
 * An `onRequest` hook: if Node.js closes a connection after a response, it is only closed for writing, while
 * the rest of the request is read and dropped, up to 4 MiB and 5 seconds. Otherwise a client that is still
 * sending gets a connection reset, and a proxy considers the whole service failed. The plugin's own routes
 * have it; `app.addHook('onRequest', lingeringClose)` adds it to all others.
 */
export function lingeringClose(request: AnyRequest, _reply: unknown, done: () => void): void {
  const { raw } = request
  const { socket, headers } = raw
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  // HTTP/2 resets a stream, not the connection; a request of `app.inject` has no connection.
  if (hasBody && raw.httpVersionMajor === 1 && typeof socket.destroySoon === 'function') watch(socket, raw)
  done()
}

function watch(socket: Socket, request: IncomingMessage): void {
  const isWatched = latest.has(socket)
  latest.set(socket, request)
  if (isWatched) return
  const { destroySoon } = socket
  // Node.js calls this after writing a connection's last response.
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
