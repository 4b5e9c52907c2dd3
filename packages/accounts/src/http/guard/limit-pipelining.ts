import type { Socket } from 'node:net'
import { AccountsError, BusyError } from '../../errors.js'
import { createRequestSlot } from '../../request-slot.js'
import type { AnyReply, AnyRequest } from '../input/any-request.js'

/** Pending requests beyond which a connection isn't read. Browsers and proxies send one at a time. */
const maxReadAhead = 16
/** Those that are served: as many as RFC 9113 recommends for the streams of an HTTP/2 connection. */
const maxPending = 100

/** The requests of one connection. */
interface Pipeline {
  pending: number
  isPaused: boolean
  /** Whether one of the responses to come closes the connection. */
  isClosing: boolean
}

const pipelines = createRequestSlot<Pipeline>('pipeline')
/** Requests that count already, because the app and the plugin may both have the hook. */
const counted = createRequestSlot<true>('pipelined')

/**
 * An `onRequest` hook for HTTP/1.1: a connection with more than 16 pending requests isn't read until they
 * have responses. What was read before that may hold a thousand: the hundred and first gets a 503 and
 * closes the connection, and the rest are dropped. Otherwise a client that sends requests without waiting for
 * responses could fill the memory of the process. The plugin's own routes have it;
 * `app.addHook('onRequest', limitPipelining)` adds it to all others. With HTTP/2, set `maxConcurrentStreams`.
 */
export function limitPipelining(request: AnyRequest, reply: AnyReply, done: (error?: Error) => void): void {
  const { raw } = request
  if (raw.httpVersionMajor === 1 && !counted.get(raw)) {
    counted.set(raw, true)
    count(raw.socket, reply, done)
  } else done()
}

function count(socket: Socket, reply: AnyReply, done: (error?: Error) => void): void {
  const pipeline = pipelines.getOrCreate(socket, () => pipelineOf(socket))
  if (pipeline.isClosing) {
    reply.hijack()
    return
  }
  pipeline.pending += 1
  reply.raw.once('close', () => {
    pipeline.pending -= 1
    if (!pipeline.isPaused || pipeline.isClosing || pipeline.pending > maxReadAhead) return
    pipeline.isPaused = false
    socket.resume()
  })
  if (pipeline.pending > maxReadAhead) {
    pipeline.isPaused = true
    socket.pause()
  }
  if (pipeline.pending > maxPending) {
    pipeline.isClosing = true
    reply.header('connection', 'close')
    const cause = new BusyError('the connection has too many pending requests')
    done(new AccountsError('ACCOUNTS_UNAVAILABLE', { cause, retryAfter: 5 }))
  } else done()
}

function pipelineOf(socket: Socket): Pipeline {
  const pipeline: Pipeline = { pending: 0, isPaused: false, isClosing: false }
  // Node.js resumes a connection whenever it has received a request.
  socket.on('resume', () => pipeline.isPaused && socket.pause())
  return pipeline
}
