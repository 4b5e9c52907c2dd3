import type { FastifyInstance } from 'fastify'
import type { ResolvedOptions } from '../options/options.js'
import { setCommonHeaders } from './security-headers.js'

/** W3C, A Well-Known URL for Changing Passwords: where password managers send people whose password has leaked. */
const wellKnownPath = '/.well-known/change-password'

/**
 * Redirects to where passwords are changed. Not where there is such a path already: the host's own, or that of a first
 * realm of the same site.
 */
export function mountWellKnown(
  app: FastifyInstance,
  target: string,
  { constraints }: Pick<ResolvedOptions, 'constraints'>,
): void {
  // Each site has one of its own (RFC 8615); of whatever else tells routes apart, a password manager knows nothing.
  const host = constraints?.host
  const site = host === undefined ? {} : { constraints: { host } }
  const route = { method: 'GET' as const, url: wellKnownPath, ...site }
  if (app.hasRoute(route)) return
  app.route({
    ...route,
    schema: { hide: true } as object,
    handler: async (_request, reply) => {
      setCommonHeaders(reply)
      return reply.redirect(target, 302)
    },
  })
}
