import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, translated } from '../../errors.js'
import type { Language, Languages } from '../../languages/languages.js'

/**
 * The language of a response: the one chosen in this browser, or from Accept-Language. A user's own language could reveal whose
 * account a response is about.
 */
export function languageOf({ headers }: FastifyRequest, languages: Languages): Language {
  const chosen = languages.chosenIn?.(headers.cookie)
  return chosen ?? languages.match(headers['accept-language']) ?? languages.fallback
}

/** An error of ours for a route of the app, whose error handler doesn't translate it. */
export function inRequestLanguage(error: unknown, request: FastifyRequest, languages: Languages): unknown {
  return error instanceof AccountsError ? translated(error, languageOf(request, languages)) : error
}

/** Sets Content-Language, and returns the language. */
export function respondIn(reply: FastifyReply, language: Language): Language {
  reply.header('content-language', language.tag)
  return language
}
