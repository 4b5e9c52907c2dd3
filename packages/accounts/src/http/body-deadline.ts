import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { AccountsError } from '../errors.js'

/**
 * How long a body may take after the request was admitted, in milliseconds. With `headersTimeout` and `requestTimeout`
 * as docs/deployment.md sets them, it ends before Node.js would respond for us.
 */
const bodyTime = 10_000

/** A `preParsing` hook: rejects a request whose body stops arriving, and closes its connection (RFC 9110 section 15.5.9). */
export function limitBodyTime(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: RequestPayload,
  done: () => void,
): void {
  // Nearly always it has arrived with its headers. A request without one has nothing to wait for.
  if (!request.raw.complete && request.method !== 'GET' && request.method !== 'HEAD') {
    const timer = setTimeout(() => {
      // The parser listens until it has the whole body or has given up.
      if (reply.sent || payload.listenerCount('error') === 0) return
      if (request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
      payload.emit('error', new AccountsError('ACCOUNTS_REQUEST_TIMEOUT'))
    }, bodyTime)
    timer.unref()
    for (const event of ['end', 'close']) payload.once(event, () => clearTimeout(timer))
  }
  done()
}
