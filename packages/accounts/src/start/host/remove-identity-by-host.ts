import type { Deps } from '../../deps.js'
import type { HostIdentities } from '../../features/identities.js'
import { onUser } from './host-accounts.js'
import { identitiesOf } from './host-identities.js'

/**
 * Removes an identity of a user for the host's own code. Returns whether there was one.
 * @throws AccountsError ACCOUNTS_CONFLICT if it is the last way to log in
 */
export async function removeIdentityByHost(
  deps: Pick<Deps, 'users'>,
  given: HostIdentities | null,
  userId: string,
  id: string,
): Promise<boolean> {
  const identities = identitiesOf(given)
  return (await onUser(deps, userId, (user) => identities.remove(user, id))) ?? false
}
