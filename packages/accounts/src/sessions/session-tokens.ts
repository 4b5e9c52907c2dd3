import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ResolvedOptions } from '../options/resolve.js'
import { deriveKeys } from '../options/secret-keys.js'
import { createRequestSlot } from '../request-slot.js'
import type { Session } from '../seams/session-store.js'
import { bearerPrefixes } from './bearer.js'
import { type BroughtClaim, type Claim, readClaim, spellClaim } from './claim.js'
import type { Client, DeliveredTokens } from './client.js'
import type { SessionLimits } from './session-rules.js'

/** How long tokens last, in milliseconds. */
export interface TokenLimits extends SessionLimits {
  /** An access token: without refresh tokens, as long as the session in any case. */
  accessLifetime: number
  /** Whether there are refresh tokens. */
  refreshes: boolean
}

type AccessClaim = Required<Pick<BroughtClaim, 'expiresAt'>> & Claim

/** Makes and reads the tokens of sessions: opaque texts, each signed for its own purpose and realm. */
export interface SessionTokens {
  /** The refresh token is the same whenever its claim is, until the secret is rotated. */
  issue(claim: Claim, session: Session): DeliveredTokens
  /** An access token alone, which ends at this time, in milliseconds since 1970. */
  issueUntil(end: number, claim: Claim): DeliveredTokens
  /** `null` if it wasn't made here, in this realm, with one of the secrets. */
  readRefresh(text: string): Claim | null
  /** The same of an access token, whether or not it has expired. */
  readAccess(text: string): BroughtClaim | null
  /**
   * What the client's access token says. One that was valid when the request began stays so for another lifetime: a body
   * arrives later, and a socket stays open, but a stolen token must not become a stream for good.
   */
  claimOf(client: Client): BroughtClaim | null
}

/** How many valid access tokens are cached, as cookies are; about 400 bytes each. */
const remembered = 10_000

const second = 1000

export function createSessionTokens(
  { secret, session: { cookieName } }: Pick<ResolvedOptions, 'secret' | 'session'>,
  limits: TokenLimits,
): SessionTokens {
  const keysFor = {
    // Apart, since an access token that nothing refreshes lasts too long for the other mode.
    access: deriveKeys(secret, `${limits.refreshes ? 'access' : 'session'}-token:${cookieName}`),
    refresh: deriveKeys(secret, `refresh-token:${cookieName}`),
  }
  const verified = new Map<string, AccessClaim>()
  const slot = createRequestSlot<AccessClaim>('token')

  function sign(kind: 'access' | 'refresh', body: string): string {
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

  const issueUntil = (end: number, claim: Claim, now = Date.now()): DeliveredTokens => ({
    access_token: sign('access', `${spellClaim(claim)}.${end}`),
    token_type: 'Bearer',
    expires_in: seconds(end - now),
  })

  function readAccess(text: string): AccessClaim | null {
    const found = verified.get(text)
    if (found !== undefined) return found
    // A copy, because a slice of the header would keep all of it in memory, and so would the claim, which has slices of it.
    const copy = Buffer.from(text).toString()
    const parts = open('access', copy)
    const read = parts && readClaim(parts.slice(0, -1))
    if (!read) return null
    const claim = { ...read, expiresAt: Number(parts?.at(-1)) }
    if (verified.size >= remembered) verified.delete(verified.keys().next().value as string)
    verified.set(copy, claim)
    return claim
  }

  return {
    issue(claim, session) {
      const now = Date.now()
      const last = session.createdAt.getTime() + limits.absoluteTimeout
      return {
        ...issueUntil(Math.min(now + limits.accessLifetime, last), claim, now),
        ...(limits.refreshes && {
          refresh_token: sign('refresh', spellClaim(claim)),
          refresh_expires_in: seconds(session.expiresAt.getTime() - now),
        }),
      }
    },
    issueUntil,
    readRefresh(text) {
      const parts = open('refresh', text)
      return parts && readClaim(parts)
    },
    readAccess,
    claimOf(client) {
      const before = slot.get(client)
      if (before !== undefined) return before.expiresAt + limits.accessLifetime > Date.now() ? before : null
      const claim = client.bearer?.kind === 'access' ? readAccess(client.bearer.text) : null
      if (claim === null || claim.expiresAt <= Date.now()) return null
      slot.set(client, claim)
      return claim
    },
  }
}

function seconds(milliseconds: number): number {
  return Math.max(0, Math.floor(milliseconds / second))
}

function macOf(key: Buffer, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest()
}
