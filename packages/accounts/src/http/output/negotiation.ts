import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Language } from '../../languages/languages.js'
import { respondIn } from '../input/request-language.js'

/** Whether the client prefers a page to JSON, as browsers do; in a route of the app never. */
export function wantsHtml(request: FastifyRequest): boolean {
  const [first] = new Negotiator(request).mediaTypes(['application/json', 'text/html'])
  return first === 'text/html'
}

/**
 * Whether the client asks for `application/json` by name, also in a route of the app. A range accepts anything, as mail
 * scanners do.
 */
export function asksForJson(request: FastifyRequest): boolean {
  return new Negotiator(request.raw).mediaTypes().some((type) => type.toLowerCase() === 'application/json')
}

/** Sends a page past the JSON serializer of the route's schema. */
export function sendPage(reply: FastifyReply, language: Language, html: string): FastifyReply {
  respondIn(reply, language)
  return reply.type('text/html; charset=utf-8').serializer(String).send(html)
}
