import { AccountsError, type StoredUser } from 'fastify-accounts'
import { isDuplicate } from 'fastify-accounts/features'
import { checkAllowed } from './account-of-identity.js'
import type { ProviderDeps } from './deps.js'
import {
  identityKey,
  keysOf,
  mostIdentities,
  newIdentity,
  providerOf,
  shownId,
  withIdentity,
  withoutIdentity,
  withUse,
} from './identity.js'
import type { Issuer, Login } from './issuer.js'
import { sealTokens } from './kept-tokens.js'

type Deps = Pick<ProviderDeps, 'users' | 'postOffice' | 'vault'>

/**
 * Adds an identity to the logged-in user's account. The address at the provider has no effect here.
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_IDENTITY_TAKEN if another account has it; ACCOUNTS_CONFLICT if
 * the account has 25; ACCOUNTS_LOGIN_REQUIRED if the session has ended in the meantime
 */
export async function linkIdentity(
  { users, postOffice, vault }: Deps,
  user: StoredUser,
  issuer: Issuer,
  profile: Login,
): Promise<void> {
  await checkAllowed(issuer, profile)
  const key = identityKey(profile)
  const changed = await users
    .change(
      user,
      (current) => {
        // A user logged out in the meantime must not add a way back in.
        if (current.sessionEpoch !== user.sessionEpoch || !current.isActive) return null
        if (current.identityKeys.includes(key))
          return profile.tokens === null
            ? {}
            : withUse(current, profile, (identity) => sealTokens(vault, profile.tokens, identity))
        if (keysOf(current).length >= mostIdentities) throw new AccountsError('ACCOUNTS_CONFLICT')
        return withIdentity(current, {
          ...newIdentity(profile, issuer.provider.name),
          ...sealTokens(vault, profile.tokens),
        })
      },
      {
        messages: (later, before) =>
          before.identityKeys.includes(key)
            ? []
            : postOffice.about('identity-added', later, { device: [issuer.label] }),
      },
    )
    .catch((error: unknown) => {
      throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
    })
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  // A store that drops it would make its owner believe that a login method exists.
  if (!changed.identityKeys.includes(key))
    throw new Error('the user store does not keep identityKeys: see the laws of userStoreCases')
}

/**
 * Removes an identity, unless it is the last login method.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT, ACCOUNTS_LOGIN_REQUIRED
 */
export async function removeIdentity(
  {
    users,
    postOffice,
    issuers,
    hasWayIn,
  }: Pick<ProviderDeps, 'users' | 'postOffice' | 'issuers' | 'hasWayIn'>,
  user: StoredUser,
  id: string,
): Promise<void> {
  const mounted = [...issuers.values()]
  let removed: string | undefined
  const changed = await users.change(
    user,
    (current) => {
      if (current.sessionEpoch !== user.sessionEpoch) return null
      const key = keysOf(current).find((each) => shownId(each) === id)
      if (key === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
      const left = withoutIdentity(current, key)
      if (!hasWayIn({ ...current, ...left })) throw new AccountsError('ACCOUNTS_CONFLICT')
      const provider = providerOf(
        mounted.map((each) => each.provider),
        current,
        key,
      )
      removed = mounted.find((each) => each.provider === provider)?.label
      return left
    },
    {
      messages: (later) =>
        postOffice.about('identity-removed', later, { ...(removed !== undefined && { device: [removed] }) }),
    },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}
