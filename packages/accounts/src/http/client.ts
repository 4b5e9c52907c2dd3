import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../languages/languages.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createRequestSlot } from '../request-slot.js'
import { type AuditNote, type Client, requestOf } from '../sessions/client.js'
import { describeClient } from '../sessions/describe-client.js'
import { addNote } from './audit.js'
import { asksForJson, wantsHtml } from './negotiation.js'
import { languageOf } from './request-language.js'

/** The client of a request. Without a reply, as in a WebSocket, no cookie can be set. */
export type ClientOf = (request: FastifyRequest, reply?: FastifyReply) => Client

/** One mount's, because the languages and what is shown of an address are its options. */
export function createClientOf(options: Pick<ResolvedOptions, 'languages' | 'session'>): ClientOf {
  const slot = createRequestSlot<RequestClient>('client')
  return (request, reply) => {
    const client = slot.getOrCreate(request, () => new RequestClient(request, options))
    client.reply ??= reply
    return client
  }
}

class RequestClient implements Client {
  readonly [requestOf]: FastifyRequest
  /** Absent where the host asks about a request alone, until somebody brings it. */
  reply: FastifyReply | undefined
  readonly #options: Pick<ResolvedOptions, 'languages' | 'session'>

  constructor(request: FastifyRequest, options: Pick<ResolvedOptions, 'languages' | 'session'>) {
    this[requestOf] = request
    this.#options = options
  }

  get language(): Language {
    return languageOf(this[requestOf], this.#options.languages)
  }

  get prefersPage(): boolean {
    return wantsHtml(this[requestOf])
  }

  get asksForJson(): boolean {
    return asksForJson(this[requestOf])
  }

  get isHead(): boolean {
    return this[requestOf].method === 'HEAD'
  }

  get details(): Client['details'] {
    return describeClient(this[requestOf], this.#options.session)
  }

  get log(): FastifyBaseLogger {
    return this[requestOf].log
  }

  get cookies(): string | undefined {
    return this[requestOf].headers.cookie
  }

  // The response tells, because the request ends as soon as its body is read.
  isGone(): boolean {
    const { raw } = this.reply ?? {}
    // A response of HTTP/2 has no `destroyed` of its own.
    return (
      raw?.destroyed === true || (raw as { stream?: { destroyed?: boolean } })?.stream?.destroyed === true
    )
  }

  onGone(listener: () => void): void {
    const { raw } = this.reply ?? {}
    raw?.once('close', () => {
      if (!raw.writableEnded) listener()
    })
  }

  setCookie(name: string, header: string): void {
    const reply = this.reply
    if (reply === undefined) return
    const set = reply.getHeader('set-cookie')
    // A response sets a cookie once (RFC 6265 section 4.1.1).
    if (set !== undefined) {
      reply.removeHeader('set-cookie')
      const others = [set].flat().filter((each) => !String(each).startsWith(`${name}=`))
      for (const each of others) reply.header('set-cookie', each)
    }
    reply.header('set-cookie', header)
  }

  clearSiteData(): void {
    this.reply?.header('clear-site-data', '"cookies"')
  }

  note(note: AuditNote): void {
    addNote(this[requestOf], note)
  }
}
