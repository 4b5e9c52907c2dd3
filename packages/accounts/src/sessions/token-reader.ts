import { logTrouble } from '../adapters/log-trouble.js'
import { AccountsError } from '../errors.js'
import type { Session, SessionStore } from '../seams/session-store.js'
import type { User } from '../user.js'
import type { Client } from './client.js'
import type { SessionReader } from './session-reader.js'
import { isLive } from './session-rules.js'
import {
  rowIdOf,
  type SessionClaims,
  type SessionTokens,
  sessionFor,
  type TokenLimits,
} from './session-tokens.js'

/**
 * Tells who is logged in with an access token: signature and expiry → session row → user. Nobody, if the client sends
 * none; what it sends and isn't valid is refused, even where nobody needs to be logged in.
 */
export function createTokenReader(deps: {
  findVisit(id: string): Promise<{ session: Session; user: User | null } | null>
  sessions: Required<Pick<SessionStore, 'change'>>
  tokens: SessionTokens
  limits: TokenLimits
}): SessionReader {
  const { findVisit, sessions, tokens, limits } = deps

  /** Records that the client has the tokens of this generation, so those before it are no longer needed. Once for each. */
  async function recordSight(
    client: Client,
    { id, generation, seenGeneration }: Session,
    seen: number,
  ): Promise<void> {
    if (seen <= seenGeneration) return
    try {
      await sessions.change(id, generation, { seenGeneration: seen })
    } catch (error) {
      logTrouble(client.log, error, 'accounts: the first use of an access token could not be recorded')
    }
  }

  return async (client) => {
    if (client.bearer === null) return null
    const claims = tokens.claimsOf(client) ?? refuse(client)
    const visit = await findVisit(rowIdOf(claims))
    if (visit === null || !isHeldBy(visit.session, claims)) return refuse(client)
    const { session, user } = visit
    if (user === null || !isLive(session, user, limits)) return refuse(client)
    await recordSight(client, session, claims.generation)
    return { user, login: sessionFor(session, claims), credential: session.id }
  }
}

/** Whether it is a session of tokens, and nothing has ended those before. */
export function isHeldBy({ kind, epoch }: Session, claims: SessionClaims): boolean {
  return kind === 'token' && epoch === claims.epoch
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
