import { AccountsError, type StoredUser } from 'fastify-accounts'
import { isKnownOwner } from 'fastify-accounts/features'

/**
 * Only an account whose address is known to be its owner's, or a service account, belongs to organizations: one that a stranger made
 * for somebody's address brings them no membership.
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED
 */
export function checkMayBelong(account: StoredUser): void {
  if (account.kind !== 'service' && !isKnownOwner(account)) throw new AccountsError('ACCOUNTS_NOT_VERIFIED')
}
