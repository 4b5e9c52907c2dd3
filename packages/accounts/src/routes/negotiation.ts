import accepts from 'accepts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether the client would rather have a page than JSON, as browsers do. */
export function wantsHtml(request: FastifyRequest): boolean {
  return accepts(request.raw).type(['json', 'html']) === 'html'
}

/** Sends a page past the JSON serializer of the route's schema. */
export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').serializer(String).send(html)
}
