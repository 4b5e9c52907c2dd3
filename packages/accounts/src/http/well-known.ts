import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { setCommonHeaders } from './guard/security-headers.js'

/**
 * Mounts a path under /.well-known/, which exists once per site (RFC 8615). Does nothing if the path already
 * exists: the host's own, or that of an earlier realm of the same site.
 */
export function mountWellKnown(
  app: FastifyInstance,
  name: string,
  respond: (reply: FastifyReply) => FastifyReply,
  { constraints }: Pick<ResolvedOptions, 'constraints'>,
): void {
  // Each site has its own; a password manager knows no other route constraints.
  const host = constraints?.host
  const site = host === undefined ? {} : { constraints: { host } }
  const route = { method: 'GET' as const, url: `/.well-known/${name}`, ...site }
  if (app.hasRoute(route)) return
  app.route({
    ...route,
    schema: { hide: true } as object,
    handler: async (_request, reply) => {
      setCommonHeaders(reply)
      return respond(reply)
    },
  })
}
