import { AccountsError, type StoredUser } from 'fastify-accounts'
import { askOwner, type Client, isDuplicate, withChanges } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { labelOf } from './hand-over.js'
import { type Identity, keysOf, mostIdentities, withIdentity } from './identity.js'

export type LinkDeps = Pick<
  ProviderDeps,
  'users' | 'options' | 'rules' | 'invitations' | 'postOffice' | 'issuers' | 'signUp'
>

/**
 * Links an identity to an account whose maker proves its address: what is there is theirs, and stays; invitations apply. In the browser of
 * several sign-ups the account becomes the newest.
 * @param mayLink whether it is still the account that they made
 * @param isMakers whether what shows that is the maker's own; otherwise the identity is only linked. Default: it is
 * @returns `null` if it no longer is
 * @throws AccountsError ACCOUNTS_CONFLICT if the account has 25 identities, or what the app's rule has seen has changed;
 * ACCOUNTS_IDENTITY_TAKEN; ACCOUNTS_UNAVAILABLE; RuleError
 */
export async function linkAsMaker(
  deps: LinkDeps,
  client: Client,
  owner: StoredUser,
  identity: Identity,
  mayLink: (current: StoredUser) => boolean,
  isMakers: (current: StoredUser) => boolean = () => true,
): Promise<StoredUser | null> {
  const how = { method: 'provider', provider: identity.provider } as const
  const giving = await askOwner(deps, client, 'proved-by-maker', how, owner)
  const messages = (changed: StoredUser) =>
    deps.postOffice.about('identity-added', changed, { label: labelOf(deps, identity) })
  return giving((changesFor) =>
    deps.users.change(
      owner,
      (current) => {
        if (!mayLink(current)) return null
        if (keysOf(current).length >= mostIdentities)
          throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
        const proven = isMakers(current) ? changesFor(current) : {}
        if (proven === null) return null
        const linked = withIdentity(withChanges(current, proven), identity)
        return { ...proven, ...linked, verifyEpoch: current.verifyEpoch + 1 }
      },
      { messages },
    ),
  ).catch((error: unknown) => {
    throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
  })
}
