import type { FastifyRequest } from 'fastify'
import { refusal } from '../errors.js'
import type { ResolvedOptions } from '../options/resolve.js'

/**
 * Rejects a state-changing request that a browser sends for another site (OWASP CSRF Prevention Cheat Sheet:
 * Fetch Metadata, and Origin for older browsers). Login is included: an attacker who logs a victim in to the
 * attacker's account sees what the victim does there.
 * @throws AccountsError ACCOUNTS_CROSS_SITE
 */
export function refuseCrossSite(
  request: FastifyRequest,
  { origin, trustedOrigins }: Pick<ResolvedOptions, 'origin' | 'trustedOrigins'>,
): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const fetchSite = request.headers['sec-fetch-site']
  if (fetchSite === 'same-origin' || fetchSite === 'none') return
  const sender = request.headers.origin
  // Neither header: not a browser, so there are no cookies to abuse.
  if (fetchSite === undefined && sender === undefined) return
  if (sender !== undefined && trustedOrigins.includes(sender)) return
  if (fetchSite === undefined && sender === origin) return
  throw refusal('ACCOUNTS_CROSS_SITE')
}
