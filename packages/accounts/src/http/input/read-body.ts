import type { FastifyError, FastifyRequest, RequestPayload } from 'fastify'
import { bodyIsLate, bodyTaken, stopBodyTime, whenBodyIsLate } from './body-deadline.js'

/** The largest body, in bytes: many times the longest password and a few fields. */
export const bodyLimit: number = 16 * 1024

type Done = (error: Error | null, body?: Buffer) => void

/**
 * Reads a body, from the stream that the hooks of the app have left, or the bytes that the platform has. Fastify's own
 * reader waits for a stream that somebody has read before, and so forever.
 */
export function readBody(request: FastifyRequest, stream: RequestPayload, done: Done): void {
  if (bodyIsLate(request)) return
  const finish: Done = (error, body) => {
    stopBodyTime(request)
    done(error, body)
  }
  if (Number(request.headers['content-length']) > bodyLimit) finish(tooLarge())
  else if (canBeRead(stream)) readStream(request, stream, finish)
  else if (isGone(request)) finish(badRequest('aborted'))
  else takeBytes(request, finish)
}

/** Whether the client has closed its connection. */
const isGone = ({ raw }: FastifyRequest): boolean => raw.socket?.destroyed === true

/** Not once any of it is gone. A hook may have returned anything. */
function canBeRead(stream: RequestPayload): boolean {
  return (
    typeof stream?.on === 'function' && !stream.readableDidRead && !stream.readableEnded && !stream.destroyed
  )
}

/** What Google Cloud Functions and Firebase leave, and `verify` of Express's parsers can. */
function takeBytes(request: FastifyRequest, done: Done): void {
  const { rawBody } = request.raw as { rawBody?: unknown }
  if (rawBody instanceof Uint8Array) {
    if (rawBody.length > bodyLimit) done(tooLarge())
    else done(null, Buffer.from(rawBody))
  } else if (request.headers['content-length'] === '0') done(null, Buffer.alloc(0))
  else done(bodyTaken(request, 'was read before the plugin could read it'))
}

function readStream(request: FastifyRequest, stream: RequestPayload, done: Done): void {
  const chunks: Uint8Array[] = []
  let length = 0
  let isDone = false

  function finish(error: Error | null, body?: Buffer): void {
    if (isDone) return
    isDone = true
    stream.removeListener('data', add)
    done(error, body)
  }
  function add(data: unknown): void {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data
    if (chunk instanceof Uint8Array) {
      chunks.push(chunk)
      length += chunk.length
      if (Math.max(length, stream.receivedEncodedLength ?? 0) > bodyLimit) finish(tooLarge())
    } else finish(bodyTaken(request, 'no longer consists of bytes'))
  }
  function end(): void {
    const announced = request.headers['content-length']
    const received = stream.receivedEncodedLength || length
    // Node.js compares them too, so only somebody who has read before us, or replaced it, makes a difference.
    const isWhole = announced === undefined || received === Number(announced)
    if (isWhole) finish(null, Buffer.concat(chunks))
    else finish(bodyTaken(request, "doesn't have its Content-Length, so a part is missing"))
  }

  whenBodyIsLate(request, finish)
  stream.on('data', add)
  stream.on('end', end)
  // Stays, as an error that nobody listens to would end the process.
  stream.on('error', (error: FastifyError) =>
    finish(
      error.statusCode !== undefined && error.statusCode >= 400
        ? error
        : badRequest(error.message, error.code),
    ),
  )
  stream.on('close', () => {
    if (!isDone) finish(isGone(request) ? badRequest('aborted') : bodyTaken(request, 'was cut off'))
  })
  stream.resume()
}

/** As Fastify's own reader says it. */
export function tooLarge(): Error {
  const code = 'FST_ERR_CTP_BODY_TOO_LARGE'
  return Object.assign(new Error('Request body is too large'), { code, statusCode: 413 })
}

/** The client has gone, or a hook of the app can't decode what it sent. */
const badRequest = (message: string, code?: string): Error =>
  Object.assign(new Error(message), { statusCode: 400, ...(code !== undefined && { code }) })
