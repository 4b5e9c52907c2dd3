import type { FastifyReply } from 'fastify'

/** On every response. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  // Every response may be an error, with a text.
  addName(reply, 'vary', 'Accept-Language')
}

/** For link pages, including JSON: the token in the path isn't leaked, and the form can't be framed. */
export function setLinkPageHeaders(reply: FastifyReply, contentSecurityPolicy: string): void {
  // `no-referrer` would make the form's Origin "null", which the cross-site check rejects.
  reply.header('referrer-policy', 'strict-origin')
  reply.header('content-security-policy', contentSecurityPolicy)
  reply.header('x-frame-options', 'DENY')
  addName(reply, 'vary', 'Accept')
}

/** Lets scripts of other origins read a header of the response, besides what the host's own CORS plugin lets them read. */
export function exposeHeader(reply: FastifyReply, name: string): void {
  addName(reply, 'access-control-expose-headers', name)
}

function addName(reply: FastifyReply, header: string, name: string): void {
  const names = reply.getHeader(header)
  if (names === undefined) reply.header(header, name)
  else if (!String(names).split(/,\s*/).includes(name)) reply.header(header, `${names}, ${name}`)
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
