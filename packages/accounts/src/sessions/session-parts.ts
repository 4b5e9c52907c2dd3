import type { FastifyBaseLogger } from 'fastify'
import type { StoreClock } from '../adapters/store-clock.js'
import { AccountsError } from '../errors.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import { type BroughtClaim, type Claim, isOfEpoch, rowIdOf } from './claim.js'
import type { Client } from './client.js'
import type { SessionCookie } from './session-cookie.js'
import type { SessionLimits } from './session-rules.js'
import type { SessionTokens, TokenLimits } from './session-tokens.js'

/** What a mount reads and keeps sessions with: rows in a store, and two spellings of the claims to them. */
export interface SessionParts {
  sessions: Pick<
    SessionStore,
    'create' | 'find' | 'touch' | 'change' | 'delete' | 'deleteByUser' | 'listByUser'
  >
  /** A session that hasn't expired, and its user if there is one. */
  findVisit(id: string): Promise<{ session: Session; user: User | null } | null>
  clock: StoreClock
  cookie: SessionCookie
  cookieLimits: SessionLimits
  /** `null` if this mount delivers none. */
  tokens: { spelling: SessionTokens; limits: TokenLimits } | null
  log: FastifyBaseLogger
}

/** The claim of a client's cookie or access token, however old. */
export function broughtClaim(parts: SessionParts, client: Client): BroughtClaim | null {
  if (kindFor(parts, client) === 'cookie') return parts.cookie.read(client)
  return parts.tokens?.spelling.claimOf(client) ?? null
}

/** The kind of the sessions of a client. */
export function kindFor({ tokens }: Pick<SessionParts, 'tokens'>, { delivery }: Client): Session['kind'] {
  return delivery === 'cookie' || tokens === null ? 'cookie' : 'token'
}

/** The limits of a kind of sessions that this mount delivers. */
export function limitsOf(
  { tokens, cookieLimits }: Pick<SessionParts, 'tokens' | 'cookieLimits'>,
  kind: Session['kind'],
): SessionLimits {
  return kind === 'token' && tokens !== null ? tokens.limits : cookieLimits
}

/**
 * Whether tokens of two kinds continue a session: then only a refresh makes a generation, and an access token is good until
 * it ends. All others go on with each confirmation, and what is below the base is over.
 */
export function isRefreshed({ tokens }: Pick<SessionParts, 'tokens'>, kind: Session['kind']): boolean {
  return kind === 'token' && tokens?.limits.refreshes === true
}

/** The session of a claim, if nothing has ended it. */
export async function findClaimed(
  { sessions }: Pick<SessionParts, 'sessions'>,
  kind: Session['kind'],
  claim: Claim | null,
): Promise<Session | null> {
  const session = claim && (await sessions.find(rowIdOf(claim)))
  return session?.kind === kind && claim !== null && isOfEpoch(session, claim) ? session : null
}

/**
 * Refuses what the Authorization header has, and never falls back to anything else.
 * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED
 */
export function refuse(client: Client): never {
  client.challenge('invalid_token')
  const isKey = client.bearer?.kind === 'key'
  throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED', isKey ? { reason: 'api_key' } : {})
}
