import type { FastifyRequest } from 'fastify'
import { refusal } from '../errors.js'
import type { ResolvedOptions } from '../options/resolve.js'

/**
 * Refuses a state-changing request that a browser sends on behalf of another site (OWASP CSRF Prevention Cheat
 * Sheet: Fetch Metadata, and Origin where a browser is too old for it). Login is no exception: whoever can log a
 * victim in to an account of their own sees what the victim does there.
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
  // Neither header: no browser, so no cookies that somebody else could ride on.
  if (fetchSite === undefined && sender === undefined) return
  if (sender !== undefined && trustedOrigins.includes(sender)) return
  if (fetchSite === undefined && sender === origin) return
  throw refusal('ACCOUNTS_CROSS_SITE')
}
