import { AccountsError } from 'fastify-accounts'
import type { LinkParts, Proof } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { handOver } from './hand-over.js'
import type { PendingIdentity } from './pending-identity.js'
import { isDuplicate } from './sign-up.js'
import { isUnclaimed } from './who.js'

/**
 * Finishes a sign-up at a provider that does not vouch for the address: the link proves the address, the browser's cookie
 * the identity.
 * @param pendingFor the pending identity in this browser for an address
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_OTHER_BROWSER, ACCOUNTS_IDENTITY_TAKEN
 */
export async function confirmIdentity(
  deps: Pick<ProviderDeps, 'users' | 'options' | 'links'>,
  parts: LinkParts,
  pendingFor: (emailKey: string | null) => PendingIdentity | null,
): Promise<{ proof: Proof; pending: PendingIdentity }> {
  const { user, stillValid } = await deps.links.open('confirm-identity', parts)
  const pending = pendingFor(user.emailKey)
  if (pending === null) throw new AccountsError('ACCOUNTS_OTHER_BROWSER', { userId: user.id })
  const changed = await handOver(
    deps,
    user,
    pending,
    (current) => stillValid(current) && isUnclaimed(current),
  ).catch((error: unknown) => {
    throw isDuplicate(error) ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN', { userId: user.id }) : error
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return { proof: { user: changed, methods: pending.methods }, pending }
}
