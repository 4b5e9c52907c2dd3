import { AccountsError, type StoredUser } from 'fastify-accounts'
import { changeUser, type LinkParts, type Proof } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { handOver } from './hand-over.js'
import type { PendingIdentity } from './pending-identity.js'
import { isDuplicate } from './sign-up.js'
import { isUnclaimed } from './who.js'

/**
 * Finishes a sign-up at a provider that does not vouch for the address: the link proves the address, the browser's cookie
 * the identity.
 * @param pendingFor what this browser has for an address
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_OTHER_BROWSER, ACCOUNTS_IDENTITY_TAKEN
 */
export async function confirmIdentity(
  { users, links }: Pick<ProviderDeps, 'users' | 'links'>,
  parts: LinkParts,
  pendingFor: (emailKey: string | null) => PendingIdentity | null,
): Promise<{ proof: Proof; pending: PendingIdentity }> {
  const { user, stillValid } = await links.open('confirm-identity', parts)
  const pending = pendingFor(user.emailKey)
  if (pending === null) throw new AccountsError('ACCOUNTS_OTHER_BROWSER', { userId: user.id })
  const { identity, fields, methods } = pending
  const changed = await changeUser(users, user, (current: StoredUser) =>
    stillValid(current) && isUnclaimed(current) ? handOver(current, identity, fields) : null,
  ).catch((error: unknown) => {
    throw isDuplicate(error) ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN', { userId: user.id }) : error
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return { proof: { user: changed, methods }, pending }
}
