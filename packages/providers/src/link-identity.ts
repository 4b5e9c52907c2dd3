import { AccountsError, type StoredUser } from 'fastify-accounts'
import { addIdentity, dropIdentity } from './change-identities.js'
import type { ProviderDeps } from './deps.js'
import { identityKey, type Named, newIdentity, useOf, withUse } from './identity.js'
import type { Issuer, Login } from './issuer.js'
import { sealTokens } from './kept-tokens.js'

/**
 * Adds an identity to the logged-in user's account. The address at the provider has no effect here.
 * @throws AccountsError ACCOUNTS_IDENTITY_TAKEN if another account has it; ACCOUNTS_CONFLICT if
 * the account has 25; ACCOUNTS_LOGIN_REQUIRED if the session has ended in the meantime
 */
export async function linkIdentity(
  deps: Pick<ProviderDeps, 'users' | 'postOffice' | 'vault'>,
  user: StoredUser,
  issuer: Issuer,
  profile: Named & Pick<Login, 'tokens'>,
): Promise<void> {
  const { vault } = deps
  const changed = await addIdentity(deps, user, {
    key: identityKey(profile),
    identity: { ...newIdentity(profile, issuer.provider.name), ...sealTokens(vault, profile.tokens) },
    label: issuer.label,
    // A user logged out in the meantime must not add a way back in.
    mayChange: (current) => current.sessionEpoch === user.sessionEpoch && current.isActive,
    again: (current) =>
      profile.tokens === null
        ? {}
        : withUse(current, useOf(profile), (identity) => sealTokens(vault, profile.tokens, identity)),
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}

/**
 * Removes an identity, unless it is the last login method.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT, ACCOUNTS_LOGIN_REQUIRED
 */
export async function removeIdentity(
  deps: Pick<ProviderDeps, 'users' | 'postOffice' | 'issuers' | 'hasWayIn'>,
  user: StoredUser,
  id: string,
): Promise<void> {
  const changed = await dropIdentity(
    deps,
    [...deps.issuers.values()].map(({ provider }) => provider),
    user,
    {
      id,
      mayChange: (current) => current.sessionEpoch === user.sessionEpoch,
    },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}
