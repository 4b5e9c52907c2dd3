import type { FastifyRequest } from 'fastify'
import { addressOf } from '../sessions/client.js'

/**
 * A request as it is logged, for the `serializers.req` of the host's logger too: the route's pattern in the place of the path, since links carry tokens, and no query,
 * since people put passwords there.
 */
export function maskedRequest(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    url: request.routeOptions?.url ?? '(no route)',
    host: request.host,
    // What is no address is shown as it came, so that somebody can see what the proxy writes.
    remoteAddress: addressOf(request) ?? request.ip,
    remotePort: request.socket?.remotePort,
  }
}
