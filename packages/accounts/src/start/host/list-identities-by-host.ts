import type { Deps } from '../../deps.js'
import type { HostIdentities, HostIdentity } from '../../features/identities.js'
import { onUser } from './host-accounts.js'
import { identitiesOf } from './host-identities.js'

/** The identities of a user at other providers; `null` if there is no such user. */
export async function listIdentitiesByHost(
  deps: Pick<Deps, 'users'>,
  given: HostIdentities | null,
  userId: string,
): Promise<HostIdentity[] | null> {
  const identities = identitiesOf(given)
  return onUser(deps, userId, async (user) => identities.list(user))
}
