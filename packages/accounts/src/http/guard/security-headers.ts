import type { FastifyReply } from 'fastify'

/** On every response. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  // Every response may be an error, with a text.
  addVary(reply, 'Accept-Language')
}

/** For link pages, including JSON: the token in the path isn't leaked, and the form can't be framed. */
export function setLinkPageHeaders(reply: FastifyReply, contentSecurityPolicy: string): void {
  // `no-referrer` would make the form's Origin "null", which the cross-site check rejects.
  reply.header('referrer-policy', 'strict-origin')
  reply.header('content-security-policy', contentSecurityPolicy)
  reply.header('x-frame-options', 'DENY')
  addVary(reply, 'Accept')
}

function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? name : `${vary}, ${name}`)
}

/** Lets scripts of other origins read a header of the response, besides what the host's own CORS plugin lets them read. */
export function exposeHeader(reply: FastifyReply, name: string): void {
  const exposed = reply.getHeader('access-control-expose-headers')
  if (exposed === undefined) reply.header('access-control-expose-headers', name)
  else if (!String(exposed).split(/,\s*/).includes(name))
    reply.header('access-control-expose-headers', `${exposed}, ${name}`)
}

/** The remainder of the limit that a request came closest to (the RateLimit header fields of the IETF draft). */
export function setRateLimitHeaders(
  reply: FastifyReply,
  { limit, remaining, reset }: { limit: number; remaining: number; reset: number },
): void {
  reply.header('ratelimit-limit', limit)
  reply.header('ratelimit-remaining', remaining)
  reply.header('ratelimit-reset', reset)
}
