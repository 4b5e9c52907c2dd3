import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PostOffice } from '../emails/post-office.js'
import type { Language, Languages } from '../languages/languages.js'
import type { PageTheme } from '../pages/theme.js'

/**
 * The language of a response, from Accept-Language only. A user's own language could reveal whose account a
 * response is about.
 */
export function languageOf({ headers }: FastifyRequest, languages: Languages): Language {
  return languages.match(headers['accept-language']) ?? languages.fallback
}

/**
 * The deps for work whose emails are in the request's language. AsyncLocalStorage would slow down every
 * promise of the host up to Node.js 22.
 */
export function inRequestLanguage<
  D extends { postOffice: PostOffice; themeOf(request: FastifyRequest): PageTheme },
>(deps: D, request: FastifyRequest): D {
  return { ...deps, postOffice: deps.postOffice.inRequestLanguage(deps.themeOf(request).language) }
}

/** Sets Content-Language, and returns the language. */
export function respondIn(reply: FastifyReply, language: Language): Language {
  reply.header('content-language', language.tag)
  return language
}
