import type { PostOffice } from '../emails/post-office.js'
import { AccountsError } from '../errors.js'
import { isPrivileged } from '../options/privileges.js'
import type { Roles } from '../options/roles.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
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
  options: { readonly roles?: Roles | undefined },
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
export function mayAdd(
  user: StoredUser,
  provenKey: string,
  options: { readonly roles?: Roles | undefined },
): boolean {
  return user.isActive && user.isVerified && !isPrivileged(user, options) && user.emailKey === provenKey
}

export function additionMails(
  postOffice: Pick<PostOffice, 'about'>,
  changed: StoredUser,
  { mail, label }: Addition,
): readonly PendingMail[] {
  return postOffice.about(mail, changed, { label })
}
