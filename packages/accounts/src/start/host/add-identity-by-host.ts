import type { Deps } from '../../deps.js'
import type { HostIdentities, IdentityName } from '../../features/identities.js'
import { onUser } from './host-accounts.js'
import { identitiesOf } from './host-identities.js'

/**
 * Links an identity at another provider to a user, for the host's own code: it vouches that both are the same person.
 * Returns whether there is such a user.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_CONFLICT
 */
export async function addIdentityByHost(
  deps: Pick<Deps, 'users'>,
  given: HostIdentities | null,
  userId: string,
  identity: IdentityName,
): Promise<boolean> {
  const identities = identitiesOf(given)
  return (await onUser(deps, userId, (user) => identities.add(user, identity))) !== null
}
