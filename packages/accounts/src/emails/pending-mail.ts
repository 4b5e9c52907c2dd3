import { parseEmail } from '../identifiers/email.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { EmailLinks, Purpose } from '../tokens/email-link.js'
import type { User } from '../user.js'

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
  /** Of the code that is in it. */
  codeSeed?: string
  /** The device that asked for it, if it has logged in to this account before. */
  knownDevice?: string | null
}

/**
 * A mail about a user, who may be about to be created; none where there is no address. It goes to the address of now,
 * also where that is changed before it is delivered.
 */
export function mailAbout(
  { stateOf, linkOf }: { stateOf: EmailLinks['stateOf']; linkOf(kind: MailKind): Purpose | undefined },
  kind: MailKind,
  user: Omit<User, 'id' | 'version'> & Partial<Pick<User, 'id'>>,
  cause: Cause,
  {
    to,
    isProven = to === undefined && user.isVerified,
    withLink = true,
    variant,
    device,
    codeSeed,
  }: MailDetails = {},
): PendingMail[] {
  const address = to ?? user.email
  if (address === null) return []
  const link = linkOf(kind)
  const state = link && withLink ? stateOf(link, user, address) : null
  const rest = {
    state,
    variant: variant ?? null,
    device: device ?? null,
    isProven,
    heldUntil: null,
    codeSeed: codeSeed ?? null,
    knownDevice: null,
  }
  return [{ ...cause, kind, userId: user.id ?? null, emailKey: null, to: address, ...rest }]
}

/** A mail to whoever has an address when it is delivered: who that is, and whether anybody, is not looked at before. */
export function mailToOwner(
  kind: MailKind,
  emailKey: string,
  cause: Cause,
  { variant, device, codeSeed, knownDevice = null }: MailDetails = {},
): PendingMail {
  const facts = { variant: variant ?? null, device: device ?? null, codeSeed: codeSeed ?? null }
  const rest = { state: null, isProven: false, heldUntil: null, knownDevice }
  return { ...cause, kind, userId: null, emailKey, to: null, ...facts, ...rest }
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
