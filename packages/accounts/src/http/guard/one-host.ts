import type { FastifyRequest } from 'fastify'
import { fieldError, invalidInput } from '../../errors.js'

/**
 * Rejects a request with several Host headers (RFC 9112 section 3.2): Node.js reads the first, a proxy before it may have
 * checked another.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function refuseSeveralHosts({ raw: { rawHeaders } }: FastifyRequest): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw invalidInput(fieldError('', 'invalid', { text: 'host_header' }))
}
