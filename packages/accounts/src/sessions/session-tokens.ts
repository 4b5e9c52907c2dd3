import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import { createRequestSlot } from '../request-slot.js'
import type { Session } from '../seams/session-store.js'
import { bearerPrefixes } from './bearer.js'
import type { AccessToken, Client, DeliveredTokens } from './client.js'
import { hashSessionId } from './session-cookie.js'
import { hasGivenFactor, type SessionLimits } from './session-rules.js'

/** How long tokens last, in milliseconds. */
export interface TokenLimits extends SessionLimits {
  /** An access token. */
  accessLifetime: number
}

/** What a token of ours says, signed. */
export interface SessionClaims {
  /** The session's random id. The store only has its hash, so a leaked table makes no token, even with the secret. */
  sessionId: string
  /** The session's generation when it was made. */
  generation: number
  /** The user's `sessionEpoch` then: a change that ends all sessions ends the tokens before it. */
  epoch: number
  /** Whether a second factor had been given by then: one given later proves nothing about who has this token. */
  hasFactor: boolean
}

/** What an access token says. */
export interface AccessClaims extends SessionClaims {
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Makes and reads the tokens of sessions: opaque texts, each signed for its own purpose and realm. */
export interface SessionTokens {
  /** The refresh token is the same whenever its claims are, until the secret is rotated. */
  issue(sessionId: string, session: Session): DeliveredTokens
  /** An access token alone, which ends at this time, in milliseconds since 1970. */
  issueUntil(end: number, sessionId: string, session: Session): AccessToken
  /** `null` if it wasn't made here, in this realm, with one of the secrets. */
  readRefresh(text: string): SessionClaims | null
  /** The same of an access token, whether or not it has expired. */
  readAccess(text: string): AccessClaims | null
  /**
   * What the client's access token says. One that was valid when the request began stays so for another lifetime: a body
   * arrives later, and a socket stays open, but a stolen token must not become a stream for good.
   */
  claimsOf(client: Client): AccessClaims | null
}

/** How many valid access tokens are cached, as cookies are; about 400 bytes each. */
const remembered = 10_000

const second = 1000

export function createSessionTokens(
  { secret, session: { cookieName } }: Pick<ResolvedOptions, 'secret' | 'session'>,
  limits: TokenLimits,
): SessionTokens {
  const keysFor = {
    access: deriveKeys(secret, `access-token:${cookieName}`),
    refresh: deriveKeys(secret, `refresh-token:${cookieName}`),
  }
  const verified = new Map<string, AccessClaims>()
  const slot = createRequestSlot<AccessClaims>('token')

  function sign(kind: 'access' | 'refresh', parts: readonly (string | number)[]): string {
    const body = parts.join('.')
    return `${bearerPrefixes[kind]}${body}.${macOf(keysFor[kind][0], body).toString('base64url')}`
  }

  function open(kind: 'access' | 'refresh', text: string): string[] | null {
    const prefix = bearerPrefixes[kind]
    const end = text.lastIndexOf('.')
    if (!text.startsWith(prefix) || text.length > 256) return null
    const body = text.slice(prefix.length, end)
    const mac = Buffer.from(text.slice(end + 1), 'base64url')
    // The last character of base64url has unused bits: one token has one spelling.
    if (mac.length !== 32 || mac.toString('base64url') !== text.slice(end + 1)) return null
    return keysFor[kind].some((key) => timingSafeEqual(macOf(key, body), mac)) ? body.split('.') : null
  }

  const partsOf = ({ sessionId, generation, epoch, hasFactor }: SessionClaims) =>
    [sessionId, generation, epoch, hasFactor ? 1 : 0] as const
  const claimsIn = ([sessionId = '', generation, epoch, factor]: string[]): SessionClaims => ({
    sessionId,
    generation: Number(generation),
    epoch: Number(epoch),
    hasFactor: factor === '1',
  })

  const claimsFor = (sessionId: string, session: Session) =>
    partsOf({ ...session, sessionId, hasFactor: hasGivenFactor(session) })

  const issueUntil = (end: number, sessionId: string, session: Session, now = Date.now()): AccessToken => ({
    access_token: sign('access', [...claimsFor(sessionId, session), end]),
    token_type: 'Bearer',
    expires_in: seconds(end - now),
  })

  function readAccess(text: string): AccessClaims | null {
    const found = verified.get(text)
    if (found !== undefined) return found
    // A copy, because a slice of the header would keep all of it in memory, and so would the claims, which are slices of it.
    const copy = Buffer.from(text).toString()
    const parts = open('access', copy)
    if (parts === null) return null
    const claims = { ...claimsIn(parts), expiresAt: Number(parts[4]) }
    if (verified.size >= remembered) verified.delete(verified.keys().next().value as string)
    verified.set(copy, claims)
    return claims
  }

  return {
    issue(sessionId, session) {
      const now = Date.now()
      const last = session.createdAt.getTime() + limits.absoluteTimeout
      return {
        ...issueUntil(Math.min(now + limits.accessLifetime, last), sessionId, session, now),
        refresh_token: sign('refresh', claimsFor(sessionId, session)),
        refresh_expires_in: seconds(session.expiresAt.getTime() - now),
      }
    },
    issueUntil,
    readRefresh(text) {
      const parts = open('refresh', text)
      return parts && claimsIn(parts)
    },
    readAccess,
    claimsOf(client) {
      const before = slot.get(client)
      if (before !== undefined) return before.expiresAt + limits.accessLifetime > Date.now() ? before : null
      const claims = client.bearer?.kind === 'access' ? readAccess(client.bearer.text) : null
      if (claims === null || claims.expiresAt <= Date.now()) return null
      slot.set(client, claims)
      return claims
    },
  }
}

function seconds(milliseconds: number): number {
  return Math.max(0, Math.floor(milliseconds / second))
}

function macOf(key: Buffer, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest()
}

/** The key of the session in the store. */
export function rowIdOf({ sessionId }: Pick<SessionClaims, 'sessionId'>): string {
  return hashSessionId(sessionId)
}

/**
 * The session as a token may use it. A confirmation only counts for tokens made with or after it: whoever has stolen an
 * older one gains nothing by it.
 */
export function sessionFor(session: Session, { generation, hasFactor }: SessionClaims): Session {
  if (generation >= session.confirmedGeneration) return session
  const methods = hasFactor
    ? session.methods
    : (session.methods?.filter((method) => method !== 'mfa') ?? ['pwd'])
  return { ...session, methods, confirmedAt: null }
}
