import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { setCommonHeaders } from './security-headers.js'

/**
 * Mounts a path of /.well-known/, which is one for a whole site (RFC 8615). Not where there is such a path already: the
 * host's own, or that of a first realm of the same site.
 */
export function mountWellKnown(
  app: FastifyInstance,
  name: string,
  answer: (reply: FastifyReply) => FastifyReply,
  { constraints }: Pick<ResolvedOptions, 'constraints'>,
): void {
  // Each site has one of its own; of whatever else tells routes apart, a password manager knows nothing.
  const host = constraints?.host
  const site = host === undefined ? {} : { constraints: { host } }
  const route = { method: 'GET' as const, url: `/.well-known/${name}`, ...site }
  if (app.hasRoute(route)) return
  app.route({
    ...route,
    schema: { hide: true } as object,
    handler: async (_request, reply) => {
      setCommonHeaders(reply)
      return answer(reply)
    },
  })
}
