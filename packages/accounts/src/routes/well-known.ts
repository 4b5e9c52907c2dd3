import type { FastifyInstance } from 'fastify'
import { setCommonHeaders } from './security-headers.js'

/** W3C, A Well-Known URL for Changing Passwords: where password managers send people whose password has leaked. */
export const wellKnownPath = '/.well-known/change-password'

/**
 * Redirects to where passwords are changed. Not where there is such a path already: the host's own, or that of a first
 * realm.
 */
export function mountWellKnown(app: FastifyInstance, target: string): void {
  if (app.hasRoute({ method: 'GET', url: wellKnownPath })) return
  app.get(wellKnownPath, { schema: { hide: true } as object }, async (_request, reply) => {
    setCommonHeaders(reply)
    return reply.redirect(target, 302)
  })
}
