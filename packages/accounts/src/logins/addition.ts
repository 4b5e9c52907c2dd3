import type { PostOffice } from '../emails/post-office.js'
import { refusal } from '../errors.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { Credential, StoredUser, UserChanges } from '../user.js'

/** What a login adds to its account once it is finished: the identity at a provider that vouches for its address. */
export interface Addition {
  credential: Credential
  /** Unique among all users. */
  identityKey: string
  /** The address that the provider vouches for: it must still be the account's, and proven. */
  emailKey: string
  /** The mail that tells the owner. */
  mail: MailKind
  /** What that mail calls it. */
  label: string
}

/** @throws AccountsError ACCOUNTS_INVALID_CREDENTIALS where the address is no bond any more */
export function additionChanges(
  current: StoredUser,
  { credential, identityKey, emailKey }: Addition,
): Pick<UserChanges, 'credentials' | 'identityKeys'> {
  if (!mayAdd(current, emailKey)) throw refusal('ACCOUNTS_INVALID_CREDENTIALS')
  return {
    credentials: [...current.credentials, credential],
    identityKeys: [...current.identityKeys, identityKey],
  }
}

/** Whether an account is its owner's by this address, and gets what the address brings. Staff link what they want themselves. */
export function mayAdd({ isActive, isVerified, isStaff, emailKey }: StoredUser, provenKey: string): boolean {
  return isActive && isVerified && !isStaff && emailKey === provenKey
}

export function additionMails(
  postOffice: Pick<PostOffice, 'about'>,
  changed: StoredUser,
  { mail, label }: Addition,
): readonly PendingMail[] {
  return postOffice.about(mail, changed, { device: [label] })
}
