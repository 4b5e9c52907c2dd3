import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredUser } from 'fastify-accounts'
import { changeUser } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { type Identity, identitiesAt, withSealed } from './identity.js'
import type { Issuer } from './issuer.js'
import type { ProviderTokens } from './provider.js'

/** The token endpoint's response, as stored. */
export interface GrantedTokens extends ProviderTokens {
  refreshToken: string | null
}

/** Characters of the tokens of one identity, as JSON. A user record is read as a whole: longer ones aren't kept. */
const longest = 8192

/** An access token that expires within this many milliseconds is refreshed: the call it is for takes a while. */
const margin = 60_000

/** How often, and how many milliseconds apart, a rejected refresh checks whether another process did it. */
const [patience, pause] = [4, 250]

type Vault = ProviderDeps['vault']

/** The tokens of a login as the identity keeps them; none if there are none to keep. */
export function sealTokens(
  vault: Vault,
  tokens: GrantedTokens | null,
  before?: Identity,
): Pick<Identity, 'sealed'> {
  if (tokens === null) return {}
  // Some providers give a refresh token only once, when the user first agrees.
  const refreshToken = tokens.refreshToken ?? (before && refreshTokenOf(vault, before)) ?? null
  const text = JSON.stringify({ ...tokens, refreshToken })
  return text.length > longest ? {} : { sealed: vault.seal(text) }
}

/** @throws AccountsError ACCOUNTS_UNAVAILABLE if the key that they are sealed under is gone */
function openTokens(vault: Vault, { sealed }: Identity): GrantedTokens | null {
  return sealed === undefined ? null : (JSON.parse(vault.open(sealed)) as GrantedTokens)
}

/** Older tokens that can no longer be read don't prevent a login. */
function refreshTokenOf(vault: Vault, before: Identity): string | null {
  try {
    return openTokens(vault, before)?.refreshToken ?? null
  } catch {
    return null
  }
}

/** Returns users' tokens, and refreshes those about to expire. */
export type TokensOf = (userId: string, issuer: Issuer) => Promise<ProviderTokens | null>

export function createTokensOf({
  users,
  vault,
  issuers,
}: Pick<ProviderDeps, 'users' | 'vault' | 'issuers'>): TokensOf {
  const mounted = [...issuers.values()].map(({ provider }) => provider)
  const underWay = new Map<string, Promise<GrantedTokens | null>>()

  const kept = (user: StoredUser, { provider }: Issuer): Identity | undefined =>
    identitiesAt(mounted, user, provider)
      .filter(({ sealed }) => sealed !== undefined)
      .sort((one, other) =>
        (one.lastUsedAt ?? one.createdAt).localeCompare(other.lastUsedAt ?? other.createdAt),
      )
      .at(-1)

  async function refresh(
    user: StoredUser,
    identity: Identity,
    issuer: Issuer,
    refreshToken: string,
  ): Promise<GrantedTokens | null> {
    const now = async (): Promise<Identity | undefined> => {
      const current = await users.findById(user.id)
      return current === null ? undefined : kept(current, issuer)
    }
    const granted = await issuer.refresh(refreshToken)
    if (granted === null) {
      // Another process may have used it and be about to write the result.
      for (let attempt = 0; attempt < patience; attempt += 1) {
        const later = await now()
        if (later?.sealed !== identity.sealed) return later === undefined ? null : openTokens(vault, later)
        await sleep(pause)
      }
    }
    const next = granted && { ...granted, refreshToken: granted.refreshToken ?? refreshToken }
    const sealed = next === null ? undefined : sealTokens(vault, next).sealed
    const changed = await changeUser(users, user, (current) => {
      const held = identitiesAt(mounted, current, issuer.provider).find(({ id }) => id === identity.id)
      // Tokens that are no longer accepted must not overwrite new ones.
      const isSame = held !== undefined && (held.sealed ?? identity.sealed) === identity.sealed
      return isSame ? withSealed(current, identity.id, sealed) : null
    })
    if (changed !== null) return next
    // The user has logged in again in the meantime, or the identity is gone.
    const later = await now()
    return later === undefined ? null : openTokens(vault, later)
  }

  return async (userId, issuer) => {
    const user = await users.findById(userId)
    if (user === null || !user.isActive) return null
    const identity = kept(user, issuer)
    const tokens = identity === undefined ? null : openTokens(vault, identity)
    if (identity === undefined || tokens === null || !isEnding(tokens)) return tokens && shown(tokens)
    const { refreshToken } = tokens
    if (refreshToken === null) return null
    // One at a time: using a refresh token twice revokes all of them (RFC 9700 section 4.14.2).
    const id = `${userId} ${identity.id}`
    const refreshing =
      underWay.get(id) ??
      refresh(user, identity, issuer, refreshToken).finally(() => {
        underWay.delete(id)
      })
    underWay.set(id, refreshing)
    const refreshed = await refreshing
    return refreshed === null || isOver(refreshed) ? null : shown(refreshed)
  }
}

const isEnding = ({ expiresAt }: GrantedTokens): boolean =>
  expiresAt !== null && expiresAt - Date.now() < margin

const isOver = ({ expiresAt }: GrantedTokens): boolean => expiresAt !== null && expiresAt <= Date.now()

const shown = ({ accessToken, expiresAt, scopes }: GrantedTokens): ProviderTokens => ({
  accessToken,
  expiresAt,
  scopes,
})
