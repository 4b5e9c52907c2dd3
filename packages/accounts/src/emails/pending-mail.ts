import { parseEmail } from '../identifiers/email.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { AccountBudget } from '../throttle/throttle.js'
import { type Purpose, stateOf } from '../tokens/email-link.js'
import type { NewUser, User } from '../user.js'

/**
 * What there is to know of each kind of mail: where its button leads, whether a second link releases the address, and
 * how often it may go out. A budget is spent at delivery, so that the time of an answer does not tell who has an account,
 * unless it `isSpentBefore`. Whatever its kind, an email to an address that nobody has proven needs room in
 * `verifyMails` too.
 *
 * `isHeldBack` is for notices that somebody who has the password can cause as often as they like: too many of them are
 * held back and go out as one. `email-changed` is none of them: before each, the address has to be proven again.
 */
export const kinds: Readonly<
  Record<
    MailKind,
    {
      link?: Purpose
      release?: 'release-email'
      budget?: AccountBudget
      isSpentBefore?: boolean
      isHeldBack?: boolean
    }
  >
> = {
  'reset-password': { link: 'reset-password', budget: 'forgotMails' },
  'choose-password': { link: 'reset-password' },
  'verify-email': { link: 'verify-email', budget: 'verifyMails' },
  'account-exists': { link: 'reset-password', budget: 'verifyMails' },
  'password-changed': { isHeldBack: true },
  'change-email': { link: 'change-email', release: 'release-email', budget: 'verifyMails' },
  'email-changed': { link: 'undo-email' },
  'email-taken': { budget: 'verifyMails' },
  // Most logins from unknown devices are not mailed: none of them is to cost a row in the outbox.
  'new-device': { link: 'not-me', budget: 'newDeviceMails', isSpentBefore: true, isHeldBack: true },
}

/** Where a mail comes from: which mount, and who speaks which language. */
export type Cause = Pick<PendingMail, 'realm' | 'language'>

/** What only some mails have. */
export interface MailDetails {
  /** Where it goes. Default: the user's own address. */
  to?: string
  /** Whether that address is proven. Default: whether it is the user's own, and verified. */
  isProven?: boolean
  /** Default: as its kind says. */
  withLink?: boolean
  variant?: 'user' | 'signup'
  device?: (string | null)[]
}

/**
 * A mail about a user, who may be about to be created; none where there is no address. It goes to the address of now,
 * also where that is changed before it is delivered.
 */
export function mailAbout(
  kind: MailKind,
  user: NewUser & Partial<Pick<User, 'id'>>,
  cause: Cause,
  { to, isProven = to === undefined && user.isVerified, withLink = true, variant, device }: MailDetails = {},
): PendingMail[] {
  const address = to ?? user.email
  if (address === null) return []
  const { link } = kinds[kind]
  const state = link && withLink ? stateOf(link, user, aboutOf(kind, address)) : null
  const rest = { state, variant: variant ?? null, device: device ?? null, isProven, heldUntil: null }
  return [{ ...cause, kind, userId: user.id ?? null, emailKey: null, to: address, ...rest }]
}

/** A mail to whoever has an address when it is delivered: who that is, and whether anybody, is not looked at before. */
export function mailToOwner(
  kind: MailKind,
  emailKey: string,
  cause: Cause,
  { variant }: MailDetails = {},
): PendingMail {
  const rest = { state: null, variant: variant ?? null, device: null, isProven: false, heldUntil: null }
  return { ...cause, kind, userId: null, emailKey, to: null, ...rest }
}

/** The address that a link is about, where it is about one. */
export function aboutOf(kind: MailKind, address: string): string | undefined {
  return kind === 'change-email' || kind === 'email-changed' ? address : undefined
}

/** What the budget of a mail is counted by: the address; for a new device, whatever it can be told by. */
export function budgetKey({ kind, device }: PendingMail, user: User, address: string): string {
  if (kind === 'new-device') return deviceKey(user, device)
  return addressKey(address)
}

/** What the emails to an address are counted by. */
export function addressKey(address: string): string {
  return parseEmail(address)?.emailKey ?? address
}

/** What the notices of one kind about one account are counted by. */
export function noticeKey({ kind }: PendingMail, { id }: User, address: string): string {
  return JSON.stringify([kind, id, addressKey(address)])
}

/** Whether somebody has shown that they read the emails to this address: when it was posted, or since. */
export function isProven(mail: PendingMail, user: User, address: string): boolean {
  return mail.isProven || (user.isVerified && user.emailKey === addressKey(address))
}

/** What mails about a device are counted by. Whoever has the new password too is news again. */
export function deviceKey(
  { id, resetEpoch }: Pick<User, 'id' | 'resetEpoch'>,
  device: PendingMail['device'],
): string {
  return JSON.stringify([id, resetEpoch, ...(device ?? [])])
}
