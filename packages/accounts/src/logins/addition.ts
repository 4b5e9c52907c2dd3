import { AccountsError } from '../errors.js'
import { isPrivileged, type WithRoles } from '../options/privileges.js'
import type { MailKind } from '../seams/mailer.js'
import type { Credential, StoredUser, UserChanges } from '../user.js'

/** What a login adds to its account once complete: the identity at a provider that vouches for its address. */
export interface Addition {
  credential: Credential
  /** Unique among all users. */
  identityKey: string
  /** The address that the provider vouches for: it must still be the account's, and verified. */
  emailKey: string
  /** The email that notifies the owner. */
  mail: MailKind
  /** The label used in that email. */
  label: string
}

/** @throws AccountsError ACCOUNTS_INVALID_CREDENTIALS if the address no longer ties them together */
export function additionChanges(
  current: StoredUser,
  { credential, identityKey, emailKey }: Addition,
  options: WithRoles,
): Pick<UserChanges, 'credentials' | 'identityKeys'> {
  if (!mayAdd(current, emailKey, options))
    throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'changed_meanwhile' })
  return {
    credentials: [...current.credentials, credential],
    identityKeys: [...current.identityKeys, identityKey],
  }
}

/**
 * Whether the address ties the account to its owner, so it gets the addition. Privileged users link identities
 * themselves.
 */
export function mayAdd(user: StoredUser, provenKey: string, options: WithRoles): boolean {
  return user.isActive && user.isVerified && !isPrivileged(user, options) && user.emailKey === provenKey
}
