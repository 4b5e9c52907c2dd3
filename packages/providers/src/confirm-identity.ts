import { AccountsError, parseEmail, type StoredUser } from 'fastify-accounts'
import type { Client, LinkParts } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { type HandOverDeps, handOver } from './hand-over.js'
import type { PendingIdentity } from './pending-identity.js'
import { isUnproven } from './who.js'

/**
 * Finishes a sign-up at a provider that does not vouch for the address: the link proves the address, the browser's cookie
 * the identity.
 * @returns `taken`: the account, or `'used'` if they have to say whose the `owner` is
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_OTHER_BROWSER, ACCOUNTS_IDENTITY_TAKEN
 */
export async function confirmIdentity(
  deps: HandOverDeps & Pick<ProviderDeps, 'links' | 'pendingIdentities'>,
  client: Client,
  parts: LinkParts,
): Promise<{ taken: StoredUser | 'used'; owner: StoredUser; pending: PendingIdentity }> {
  const { user, stillValid } = await deps.links.open('confirm-identity', parts)
  const pending = deps.pendingIdentities.read(client, user.emailKey)
  const address = parseEmail(pending?.email ?? '')
  if (pending === null || address === null)
    throw new AccountsError('ACCOUNTS_OTHER_BROWSER', { userId: user.id })
  const mayTake = (current: StoredUser) => stillValid(current) && isUnproven(current, deps.options)
  const taken = await handOver(deps, client, user, { ...pending, address }, mayTake)
  if (taken === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return { taken, owner: user, pending }
}
