import { AccountsError, type StoredUser } from 'fastify-accounts'
import { addedAt, confirming } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Flow } from './flow.js'
import { identityKey, identityOf, keysOf, type Named, providerOf, useOf, withUse } from './identity.js'
import type { Issuer, Login } from './issuer.js'

/** The allowed clock skew of a provider, in milliseconds. */
const clockSkew = 30_000

/**
 * Rejects at once what would be rejected on return.
 * @throws AccountsError ACCOUNTS_NOT_FOUND if the account has no identity there; ACCOUNTS_CONFIRMATION_REQUIRED if it
 * has a second factor, and no login there counts as one
 */
export function checkMayConfirm(
  user: StoredUser,
  { provider, label }: Pick<Issuer, 'provider' | 'label'>,
): void {
  if (!keysOf(user).some((key) => providerOf([provider], user, key) !== null))
    throw new AccountsError('ACCOUNTS_NOT_FOUND', { reason: 'not_linked', provider: label })
  if (user.factors.length > 0 && provider.enough === undefined)
    throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming(user))
}

/**
 * Checks that a logged-in user has logged in again at a provider since the flow began, with their linked identity.
 * @returns the current user, the methods they authenticated with, and since when the identity is linked
 * @throws AccountsError ACCOUNTS_PROVIDER_CANNOT_CONFIRM if the provider did not make them log in, or doesn't say so;
 * ACCOUNTS_PROVIDER_REFUSED if they logged in as someone else there; ACCOUNTS_CONFIRMATION_REQUIRED if a second factor is
 * on; ACCOUNTS_LOGIN_REQUIRED if the session has ended in the meantime
 */
export async function confirmWith(
  { users }: Pick<ProviderDeps, 'users'>,
  user: StoredUser,
  issuer: Pick<Issuer, 'label'>,
  profile: Named & Pick<Login, 'methods' | 'authenticatedAt'>,
  { begin }: Pick<Flow, 'begin'>,
): Promise<{ user: StoredUser; methods: readonly string[]; since: number }> {
  const { label: provider } = issuer
  const { methods } = profile
  const key = identityKey(profile)
  if (!user.identityKeys.includes(key))
    throw new AccountsError('ACCOUNTS_PROVIDER_REFUSED', { reason: 'other_account', provider })
  const at = profile.authenticatedAt?.getTime() ?? 0
  if (at < begin - clockSkew || at > Date.now() + clockSkew)
    throw new AccountsError('ACCOUNTS_PROVIDER_CANNOT_CONFIRM', { provider })
  const changed = await users.change(user, (current) => {
    if (current.sessionEpoch !== user.sessionEpoch || !current.isActive) return null
    if (!current.identityKeys.includes(key)) return null
    // A password alone would not be proof either.
    if (current.factors.length > 0 && !methods.includes('mfa'))
      throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', confirming(current))
    return withUse(current, useOf(profile))
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  return { user: changed, methods, since: addedAt(identityOf(user, key)) }
}
