import type { FastifyRequest } from 'fastify'

/**
 * A request as it is logged, for the `serializers.req` of the host's logger too: the route's pattern in the place of the path, since links carry tokens, and no query,
 * since people put passwords there.
 */
export function maskedRequest(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    url: request.routeOptions?.url ?? '(no route)',
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort,
  }
}
