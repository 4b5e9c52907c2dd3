import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Language } from '../../languages/languages.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { createRequestSlot } from '../../request-slot.js'
import { type Bearer, type BearerKind, bearerIn } from '../../sessions/bearer.js'
import {
  type AuditNote,
  type Client,
  type CookieLife,
  type DeliveredTokens,
  requestOf,
} from '../../sessions/client.js'
import { describeClient, networkOf } from '../../sessions/describe-client.js'
import { type CookieCodec, cookieAttributes } from '../../sessions/session-cookie.js'
import type { TokenLimits } from '../../sessions/session-tokens.js'
import { addNote } from '../guard/audit.js'
import { exposeHeader } from '../guard/security-headers.js'
import { type DeliveryRequest, readDelivery, refreshHeader } from '../input/delivery-header.js'
import { languageOf } from '../input/request-language.js'
import { asCookies, readState, type State, withPart, writeState } from './state-header.js'

/** The client of a request. Without a reply, as in a WebSocket, no cookie can be set. */
export type ClientOf = (request: FastifyRequest, reply?: FastifyReply) => RequestClient

/** A client whose request gets a response. */
export interface RequestClient extends Client {
  /** The tokens that the response delivers, if any. */
  readonly delivered: DeliveredTokens | null
}

/** What a mount's clients depend on. */
interface Mount {
  options: Pick<ResolvedOptions, 'languages' | 'session' | 'secure'>
  codec: Pick<CookieCodec, 'serialize'>
  /** Absent if sessions are only delivered as cookies. */
  tokens: Pick<TokenLimits, 'refreshes'> | undefined
  /** What it accepts in the Authorization header. */
  bearers: readonly BearerKind[]
}

/** One mount's, because the languages and what is shown of an address are its options. */
export function createClientOf(mount: Mount): ClientOf {
  const slot = createRequestSlot<ClientOfRequest>('client')
  return (request, reply) => {
    const client = slot.getOrCreate(request, () => new ClientOfRequest(request, mount))
    client.reply ??= reply
    return client
  }
}

class ClientOfRequest implements RequestClient {
  readonly [requestOf]: FastifyRequest
  /** Absent where the host asks about a request alone, until somebody brings it. */
  reply: FastifyReply | undefined
  delivered: DeliveredTokens | null = null
  readonly bearer: Bearer | null
  readonly #deliveryRequest: DeliveryRequest | null
  readonly #mount: Mount
  #state: State | undefined
  // An email, an event and a session ask for them in turn.
  #details: Client['details'] | undefined
  #network: string | null | undefined

  constructor(request: FastifyRequest, mount: Mount) {
    const { headers } = request
    this[requestOf] = request
    this.#mount = mount
    this.bearer = bearerIn(headers.authorization, mount.bearers)
    this.#deliveryRequest = mount.tokens ? readDelivery(request) : null
  }

  get delivery(): Client['delivery'] {
    return this.bearer === null && this.#deliveryRequest === null ? 'cookie' : 'tokens'
  }

  get refreshToken(): string | null {
    const header = this[requestOf].headers[refreshHeader]
    return typeof header === 'string' ? header : null
  }

  get sessionName(): string | null {
    return this.#deliveryRequest?.name ?? null
  }

  get language(): Language {
    return languageOf(this[requestOf], this.#mount.options.languages)
  }

  get prefersPage(): boolean {
    if (this.delivery === 'tokens') return false
    const [first] = new Negotiator(this[requestOf]).mediaTypes(['application/json', 'text/html'])
    return first === 'text/html'
  }

  get asksForJson(): boolean {
    // Also in a route of the app, whose operations never prefer a page.
    const types = new Negotiator(this[requestOf].raw).mediaTypes()
    return types.some((type) => type.toLowerCase() === 'application/json')
  }

  get isHead(): boolean {
    return this[requestOf].method === 'HEAD'
  }

  get isPrefetch(): boolean {
    return String(this[requestOf].headers['sec-purpose']).includes('prefetch')
  }

  get details(): Client['details'] {
    this.#details ??= describeClient(this[requestOf], this.#mount.options.session)
    return this.#details
  }

  get network(): string | null {
    if (this.#network === undefined) {
      this.#network = networkOf(this[requestOf], this.#mount.options.session)
    }
    return this.#network
  }

  get log(): FastifyBaseLogger {
    return this[requestOf].log
  }

  get cookies(): string | undefined {
    const { headers } = this[requestOf]
    if (this.delivery === 'cookie') return headers.cookie
    this.#state ??= readState(headers['accounts-state'])
    return asCookies(this.#state)
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

  setCookie(name: string, value: string, life: CookieLife): void {
    const reply = this.reply
    if (reply === undefined) return
    if (this.delivery === 'tokens') {
      // What has been set is in the response, also by an earlier operation of the request.
      const before = reply.getHeader('accounts-state') ?? this[requestOf].headers['accounts-state']
      this.#state = withPart(readState(before as string | undefined), name, value, life)
      reply.header('accounts-state', writeState(this.#state))
      exposeHeader(reply, 'Accounts-State')
      return
    }
    const { codec, options } = this.#mount
    const header = codec.serialize(name, value, { ...cookieAttributes(options), ...life })
    const set = reply.getHeader('set-cookie')
    // A response sets a cookie once (RFC 6265 section 4.1.1).
    if (set !== undefined) {
      reply.removeHeader('set-cookie')
      const others = [set].flat().filter((each) => !String(each).startsWith(`${name}=`))
      for (const each of others) reply.header('set-cookie', each)
    }
    reply.header('set-cookie', header)
  }

  checkReach(): void {
    if (this.reply === undefined)
      throw new Error('fastify-accounts: logIn needs a reply, which sets the cookie or sends the tokens')
    const { sent, raw } = this.reply
    if (sent || raw.headersSent)
      throw new Error(
        'fastify-accounts: logIn came too late: the response has already begun or been hijacked, so neither a cookie nor tokens can reach the client',
      )
  }

  deliver(tokens: DeliveredTokens): void {
    this.delivered = tokens
    if (this.reply === undefined || this.#mount.tokens?.refreshes) return
    this.reply.header('accounts-access-token', tokens.access_token)
    exposeHeader(this.reply, 'Accounts-Access-Token')
  }

  challenge(error: string, scope?: string): void {
    this.reply?.header(
      'www-authenticate',
      `Bearer error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}`,
    )
  }

  clearSiteData(): void {
    if (this.delivery === 'cookie') this.reply?.header('clear-site-data', '"cookies"')
  }

  note(note: AuditNote): void {
    addNote(this[requestOf], note)
  }
}
