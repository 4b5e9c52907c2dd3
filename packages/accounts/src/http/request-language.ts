import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language, Languages } from '../languages/languages.js'

/**
 * The language of a response, from Accept-Language only. A user's own language could reveal whose account a
 * response is about.
 */
export function languageOf({ headers }: FastifyRequest, languages: Languages): Language {
  return languages.match(headers['accept-language']) ?? languages.fallback
}

/** Sets Content-Language, and returns the language. */
export function respondIn(reply: FastifyReply, language: Language): Language {
  reply.header('content-language', language.tag)
  return language
}
