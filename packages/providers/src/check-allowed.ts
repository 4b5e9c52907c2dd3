import { AccountsError } from 'fastify-accounts'
import type { Issuer } from './issuer.js'
import type { Profile } from './provider.js'

/**
 * Asks the app's `allow` who has come back from a provider, whatever for.
 * @throws AccountsError ACCOUNTS_FORBIDDEN
 */
export async function checkAllowed(
  { provider, label }: Pick<Issuer, 'provider' | 'label'>,
  profile: Profile,
): Promise<void> {
  const isAllowed = provider.allow === undefined || (await provider.allow(profile)) === true
  if (!isAllowed)
    throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'provider_account_refused', provider: label })
}
