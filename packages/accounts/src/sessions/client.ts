import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Language } from '../languages/languages.js'
import type { SessionDetails } from '../seams/session-store.js'
import type { User } from '../user.js'

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
  /** What a list of sessions and an email about a login show of it. */
  readonly details: Pick<SessionDetails, 'browser' | 'system' | 'ip'>
  readonly log: FastifyBaseLogger
  /** Whether it has closed its connection, so nobody waits for the work. */
  isGone(): boolean
  /** Calls back if it closes its connection before the response. */
  onGone(listener: () => void): void
  /** Its Cookie header. */
  readonly cookies: string | undefined
  /**
   * Sends a cookie with the response, whether that is a success or an error; it replaces an earlier one of the name.
   * @param header the value of Set-Cookie
   */
  setCookie(name: string, header: string): void
  /** Has the browser delete all cookies of the site, whether the response is a success or an error (Clear-Site-Data). */
  clearSiteData(): void
  /** Adds to what the audit trail says about the request. */
  note(note: AuditNote): void
  readonly [requestOf]: FastifyRequest
}

/** What the audit trail says about a request beyond its outcome. */
export interface AuditNote {
  /** Which account it is about, as soon as that is known, so refusals have it too. Default: who is logged in. */
  user?: Pick<User, 'id'> | null
  /** Why it is refused, even if the response doesn't say so. */
  reason?: string
  /** The account that the request gave to the person who proved its address, although somebody may have used it. A separate event. */
  handedOver?: Pick<User, 'id'>
  /** The account that `handedOver` replaces. Default: it is the same account. */
  formerId?: string
}
