import type { FastifyReply } from 'fastify'
import { contentSecurityPolicy } from '../pages/layout.js'

/** On every answer. */
export function setCommonHeaders(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
}

/** On the answers of link pages, JSON too: the token in the path goes nowhere, and nobody frames the form. */
export function setLinkPageHeaders(reply: FastifyReply): void {
  // `no-referrer` would make the form's Origin "null", which the cross-site rule refuses.
  reply.header('referrer-policy', 'strict-origin')
  reply.header('content-security-policy', contentSecurityPolicy)
  reply.header('x-frame-options', 'DENY')
  reply.header('vary', 'Accept')
}
