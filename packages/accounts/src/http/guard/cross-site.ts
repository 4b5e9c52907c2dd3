import type { FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { isAppOrigin, isWebOrigin, shownUrl } from '../../web-url.js'
import type { AnyRequest } from '../input/any-request.js'

/**
 * Rejects a state-changing request that a browser sends for another site (OWASP CSRF Prevention Cheat Sheet:
 * Fetch Metadata, and Origin for older browsers). Login is included: an attacker who logs a victim in to the
 * attacker's account sees what the victim does there. So is the handshake of a WebSocket, which is a GET, but
 * anyone who opens it can then send anything.
 * @throws AccountsError ACCOUNTS_CROSS_SITE
 */
export function refuseCrossSite(
  request: FastifyRequest | AnyRequest,
  { origin, trustedOrigins }: Pick<ResolvedOptions, 'origin' | 'trustedOrigins'>,
): void {
  const { method, headers } = request
  const isHandshake = method === 'GET' && headers.upgrade !== undefined
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) && !isHandshake) return
  const sender = headers.origin
  // Every browser sends Origin with a handshake (RFC 6455 section 4.1), but not every one Sec-Fetch-Site.
  const fetchSite = isHandshake && sender !== undefined ? undefined : headers['sec-fetch-site']
  if (fetchSite === 'same-origin' || fetchSite === 'none') return
  // Neither header: not a browser, so there are no cookies to abuse.
  if (fetchSite === undefined && sender === undefined) return
  if (sender !== undefined && trustedOrigins.includes(sender)) return
  if (fetchSite === undefined && sender === origin) return
  // For the log. The text is for people, who can't change options.
  throw new AccountsError('ACCOUNTS_CROSS_SITE', { cause: { message: hintFor(sender) } })
}

function hintFor(sender: string | undefined): string {
  if (sender === undefined) return 'its origin is not in trustedOrigins'
  const shown = shownUrl(sender.slice(0, 200))
  const canBeListed = isWebOrigin(sender) || isAppOrigin(sender)
  return canBeListed ? `${shown} is not in trustedOrigins` : `trustedOrigins can't list the Origin ${shown}`
}
