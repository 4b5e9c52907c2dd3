import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredUser } from 'fastify-accounts'
import type { ProviderDeps } from './deps.js'
import { type Identity, identitiesAt, withChanged } from './identity.js'
import type { Issuer } from './issuer.js'
import { unavailable } from './issuer-errors.js'
import { type GrantedTokens, openTokens, refreshTokenOf, sealTokens } from './kept-tokens.js'
import type { ProviderTokens } from './provider.js'

/** An access token that expires within this many milliseconds is refreshed: the call it is for takes a while. */
const margin = 60_000

/** Milliseconds between two looks at the result of another process. */
const pause = 100

/** Returns users' tokens, and refreshes those about to expire. */
export type TokensOf = (userId: string, issuer: Issuer) => Promise<ProviderTokens | null>

/** An identity with its tokens, as last read. */
interface Held {
  user: StoredUser
  identity: Identity
  tokens: GrantedTokens
}

/**
 * Using a refresh token twice revokes all of them (RFC 9700 section 4.14.2). So one process at a time refreshes the tokens
 * of an identity: it takes a lease on them by compare-and-swap, and the others wait for its result. The lease
 * expires, in case the process ends.
 */
export function createTokensOf({
  users,
  vault,
  issuers,
  options: { adapterTimeout },
}: Pick<ProviderDeps, 'users' | 'vault' | 'issuers' | 'options'>): TokensOf {
  const mounted = [...issuers.values()].map(({ provider }) => provider)
  const underWay = new Map<string, Promise<GrantedTokens | null>>()
  // Enough for the request, the keys of its ID token, and several attempts to store the result.
  const leaseTime = 6 * adapterTimeout

  async function find(userId: string, { provider }: Issuer): Promise<Held | null> {
    const user = await users.findById(userId)
    if (user === null || !user.isActive) return null
    const identity = identitiesAt(mounted, user, provider)
      .filter(({ sealed }) => sealed !== undefined)
      .sort((one, other) =>
        (one.lastUsedAt ?? one.createdAt).localeCompare(other.lastUsedAt ?? other.createdAt),
      )
      .at(-1)
    const tokens = identity === undefined ? null : openTokens(vault, identity)
    return identity === undefined || tokens === null ? null : { user, identity, tokens }
  }

  /**
   * Changes the identity while it has this refresh token: a login meanwhile may have brought another one.
   * @param changed `null` gives up
   */
  const change = (
    { user, identity: { id }, tokens: { refreshToken } }: Held,
    provider: Issuer['provider'],
    changed: (identity: Identity) => Identity | null,
  ): Promise<StoredUser | null> =>
    users.change(user, (current) => {
      const held = identitiesAt(mounted, current, provider).find((each) => each.id === id)
      const isSame = held !== undefined && refreshTokenOf(vault, held) === refreshToken
      const next = isSame ? changed(held) : null
      return next && withChanged(current, id, () => next)
    })

  /** @returns `undefined` if another process was faster */
  async function refresh(
    held: Held,
    issuer: Issuer,
    refreshToken: string,
  ): Promise<GrantedTokens | null | undefined> {
    const { provider } = issuer
    const request = await issuer.refresher()
    const refreshingUntil = Date.now() + leaseTime
    const leased = await change(held, provider, (identity) =>
      isLeased(identity) ? null : { ...identity, refreshingUntil },
    )
    if (leased === null) return undefined
    let granted: GrantedTokens | null
    try {
      granted = await request(refreshToken)
    } catch (error) {
      await change(held, provider, withoutLease)
      throw error
    }
    const next = granted && { ...granted, refreshToken: granted.refreshToken ?? refreshToken }
    const stored = await change(held, provider, (identity) => {
      const { sealed: _, ...rest } = withoutLease(identity)
      return { ...rest, ...sealTokens(vault, next) }
    })
    return stored === null ? ((await find(held.user.id, issuer))?.tokens ?? null) : next
  }

  async function renew(userId: string, issuer: Issuer): Promise<GrantedTokens | null> {
    const end = performance.now() + adapterTimeout
    for (;;) {
      const held = await find(userId, issuer)
      if (held === null) return null
      if (!isEnding(held.tokens)) return held.tokens
      const { identity, tokens } = held
      if (tokens.refreshToken === null) return null
      if (!isLeased(identity)) {
        const refreshed = await refresh(held, issuer, tokens.refreshToken)
        if (refreshed !== undefined) return refreshed
      } else if (performance.now() < end) await sleep(pause)
      else if (!isOver(tokens)) return tokens
      else throw unavailable(issuer.label, new Error('another process is still refreshing the tokens'), [])
    }
  }

  return async (userId, issuer) => {
    const held = await find(userId, issuer)
    if (held === null || !isEnding(held.tokens)) return held && shown(held.tokens)
    const id = `${userId} ${issuer.provider.name}`
    const renewing = underWay.get(id) ?? renew(userId, issuer).finally(() => underWay.delete(id))
    underWay.set(id, renewing)
    const renewed = await renewing
    return renewed === null || isOver(renewed) ? null : shown(renewed)
  }
}

const isLeased = ({ refreshingUntil = 0 }: Identity): boolean => Date.now() < refreshingUntil

const withoutLease = ({ refreshingUntil: _, ...identity }: Identity): Identity => identity

const isEnding = ({ expiresAt }: GrantedTokens): boolean =>
  expiresAt !== null && expiresAt - Date.now() < margin

const isOver = ({ expiresAt }: GrantedTokens): boolean => expiresAt !== null && expiresAt <= Date.now()

const shown = ({ accessToken, expiresAt, scopes }: GrantedTokens): ProviderTokens => ({
  accessToken,
  expiresAt,
  scopes,
})
