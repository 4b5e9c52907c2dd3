import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language, Languages } from '../languages/languages.js'

/** Which language is spoken with whom. */
export interface Speech {
  /**
   * What a request is answered in: its Accept-Language and nothing else. A user's own language would tell, from an
   * answer that must not tell it, whose account it is about.
   */
  languageOf(request: FastifyRequest): Language
  /** Does the work of a request; mails that it causes hear its language, without each service passing it on. */
  during<T>(request: FastifyRequest, work: () => T): T
  /** The language of the request that is being worked on; outside of one, the first that is offered. */
  heard(): Language
}

export function createSpeech(languages: Languages): Speech {
  const spoken = new AsyncLocalStorage<Language>()
  const languageOf = ({ headers }: FastifyRequest): Language =>
    languages.match(headers['accept-language']) ?? languages.fallback
  return {
    languageOf,
    during: (request, work) => spoken.run(languageOf(request), work),
    heard: () => spoken.getStore() ?? languages.fallback,
  }
}

/** Says what language an answer is in; returns it. */
export function speak(reply: FastifyReply, language: Language): Language {
  reply.header('content-language', language.tag)
  return language
}
