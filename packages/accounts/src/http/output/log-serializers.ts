import type { FastifyRequest } from 'fastify'
import { addressIn } from '../../sessions/describe-client.js'

/**
 * Serializes a request for logs, also as `serializers.req` of the host's logger. It has the route's pattern
 * instead of the path, because links carry tokens, and no query, because people put passwords there.
 */
export function maskedRequest(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    url: request.routeOptions?.url ?? '(no route)',
    host: request.host,
    // What is no address is logged as received, to show what the proxy writes.
    remoteAddress: addressIn(request) ?? request.ip,
    remotePort: request.socket?.remotePort,
  }
}
