import type { FeatureCore } from 'fastify-accounts/features'
import type { Identity } from './identity.js'
import type { ProviderTokens } from './provider.js'

/** The token endpoint's response, as stored. */
export interface GrantedTokens extends ProviderTokens {
  refreshToken: string | null
}

/** Characters of the tokens of one identity, as JSON. A user record is read as a whole: longer ones aren't kept. */
const longest = 8192

type Vault = FeatureCore['vault']

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
export function openTokens(vault: Vault, { sealed }: Pick<Identity, 'sealed'>): GrantedTokens | null {
  return sealed === undefined ? null : (JSON.parse(vault.open(sealed)) as GrantedTokens)
}

/** Older tokens that can no longer be read don't prevent a login. */
export function refreshTokenOf(vault: Vault, before: Pick<Identity, 'sealed'>): string | null {
  try {
    return openTokens(vault, before)?.refreshToken ?? null
  } catch {
    return null
  }
}
