import { AccountsError, type StoredUser } from 'fastify-accounts'
import { askOwner, type Client, isDuplicate, withChanges } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { labelOf } from './hand-over.js'
import { type Identity, keysOf, mostIdentities, withIdentity } from './identity.js'

/**
 * Links an identity to an account whose maker proves its address: what is there is theirs, and stays.
 * @param mayLink whether it is still the account that they made
 * @param isMakers whether what shows that is the maker's own; otherwise the identity is only linked. Default: it is
 * @returns `null` if it no longer is
 * @throws AccountsError ACCOUNTS_CONFLICT if the account has 25 identities, or what the app's rule has seen has changed;
 * ACCOUNTS_IDENTITY_TAKEN; ACCOUNTS_UNAVAILABLE; RuleError
 */
export async function linkAsMaker(
  deps: Pick<ProviderDeps, 'users' | 'options' | 'rules' | 'postOffice' | 'issuers'>,
  client: Client,
  owner: StoredUser,
  identity: Identity,
  mayLink: (current: StoredUser) => boolean,
  isMakers: (current: StoredUser) => boolean = () => true,
): Promise<StoredUser | null> {
  const how = { method: 'provider', provider: identity.provider } as const
  const changesFor = await askOwner(deps, client, 'proved-by-maker', how, owner)
  return deps.users
    .change(
      owner,
      (current) => {
        if (!mayLink(current)) return null
        if (keysOf(current).length >= mostIdentities)
          throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
        const linked = withIdentity(current, identity)
        const proven = isMakers(current) ? changesFor(withChanges(current, linked)) : {}
        return proven && { ...linked, ...proven, verifyEpoch: current.verifyEpoch + 1 }
      },
      {
        messages: (later) =>
          deps.postOffice.about('identity-added', later, { label: labelOf(deps, identity) }),
      },
    )
    .catch((error: unknown) => {
      throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
    })
}
