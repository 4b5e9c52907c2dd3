import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Language } from '../languages/languages.js'
import type { ClientFacts } from '../seams/before.js'
import type { SessionDetails } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Bearer } from './bearer.js'

/** Only for sessions that the host keeps in `request.session`: nothing else needs the request itself. */
export const requestOf: unique symbol = Symbol('request')

/**
 * Who sends a request, as operations see it: what the client says about itself, and its cookies. An operation sees
 * nothing else of the request, and nothing of the response.
 */
export interface Client {
  /** What it asks for with Accept-Language. A user's own language could reveal whose account a response is about. */
  readonly language: Language
  /** Whether it prefers a page to JSON, as browsers do. */
  readonly prefersPage: boolean
  /** Whether it asks for `application/json` by name. A range accepts anything, as mail scanners do. */
  readonly asksForJson: boolean
  /** Whether it only asks for the headers of a GET (HEAD), which must change nothing. */
  readonly isHead: boolean
  /** Whether a browser asks ahead for what nobody may ever see (Sec-Purpose), which must use nothing up. */
  readonly isPrefetch: boolean
  /** What a list of sessions and an email about a login show of it. */
  readonly details: Pick<SessionDetails, 'browser' | 'system' | 'ip'>
  /** Its network, for emails: `192.0.2.0/24`, `2001:db8:1::/48`; `null` if it is unknown or must not be shown. */
  readonly network: string | null
  readonly log: FastifyBaseLogger
  /** Whether it has closed its connection, so nobody waits for the work. */
  isGone(): boolean
  /** Calls back if it closes its connection before the response. */
  onGone(listener: () => void): void
  /**
   * How it keeps its session: as a cookie, or as tokens, which it asks for with `Accounts-Delivery: tokens`. A client that
   * sends a token or key of ours never has cookies, so a cookie's session never becomes tokens.
   */
  readonly delivery: 'cookie' | 'tokens'
  /** The token or key of ours in its Authorization header. */
  readonly bearer: Bearer | null
  /** The refresh token in its header Accounts-Refresh: with it, a session that goes on can be refreshed. */
  readonly refreshToken: string | null
  /** What its user calls the device that asks for tokens. */
  readonly sessionName: string | null
  /** Its Cookie header; with tokens, the same made of its header Accounts-State. */
  readonly cookies: string | undefined
  /**
   * Sends a cookie with the response, whether that is a success or an error; it replaces an earlier one of the name. With
   * tokens it goes to the header Accounts-State.
   * @param value an empty one deletes it
   */
  setCookie(name: string, value: string, life: CookieLife): void
  /** @throws Error if no session can be delivered: there is no response, or its headers have left */
  checkReach(): void
  /** Sends tokens with the response. */
  deliver(tokens: DeliveredTokens): void
  /** Says in WWW-Authenticate why what the Authorization header has is refused (RFC 6750 section 3). */
  challenge(error: 'invalid_token' | 'insufficient_scope', scope?: string): void
  /** Has the browser delete all cookies of the site, whether the response is a success or an error (Clear-Site-Data). */
  clearSiteData(): void
  /** Adds to what the audit trail says about the request. */
  note(note: AuditNote): void
  readonly [requestOf]: FastifyRequest
}

/** What rules of the app get to know about a client. */
export function clientFacts({ details: { ip, browser, system }, language }: Client): ClientFacts {
  return { ip, browser, system, language: language.tag }
}

/** How long a client keeps a cookie: for seconds, until a time, or, without both, as long as the browser is open. */
export interface CookieLife {
  maxAge?: number
  expires?: Date
}

/** The tokens of a session, as a response has them (RFC 6749 section 5.1). */
export interface DeliveredTokens {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  /** A login has one, unless `refresh` is off. Without it, a session that goes on ends when the request's token would have. */
  refresh_token?: string
  /** Seconds until the session ends, unless it is refreshed before. */
  refresh_expires_in?: number
}

/** What the audit trail says about a request beyond its outcome. */
export interface AuditNote {
  /** Which account it is about, as soon as that is known, so refusals also have it. Default: who is logged in. */
  user?: Pick<User, 'id'> | null
  /** Why it is refused, even if the response doesn't say so. */
  reason?: string
  /** The account that the request gave to the person who proved its address, although somebody may have used it. A separate event. */
  handedOver?: Pick<User, 'id'>
  /** The account that `handedOver` replaces. Default: it is the same account. */
  formerId?: string
}
