import { parseEmail } from '../identifiers/email.js'
import type { AnyMailKind, MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { EmailLinks, Purpose } from '../tokens/email-link.js'
import type { JsonValue, User } from '../user.js'

/** Where an email comes from: the mount, the language, and who caused it with what. */
export type Cause = Pick<PendingMail, 'realm' | 'language' | 'by' | 'device'>

/**
 * Properties that only some emails have. Default of `isProven`: whether the email goes to the user's own address, and that
 * is verified.
 */
export interface MailDetails
  extends Partial<
    Pick<
      PendingMail,
      'variant' | 'label' | 'codeSeed' | 'isProven' | 'isFromOwnBrowser' | 'former' | 'newestName' | 'subject'
    >
  > {
  /** The recipient. Default: the user's own address. */
  to?: string
  /** Default: as its kind says. */
  withLink?: boolean
}

/**
 * An email about a user, who may be about to be created; none without an address. It goes to the current
 * address, even if that changes before delivery.
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
    variant = null,
    label = null,
    codeSeed = null,
    former,
    subject,
  }: MailDetails = {},
): PendingMail[] {
  const address = to ?? user.email
  if (address === null) return []
  const link = linkOf(kind)
  const state = link && withLink ? stateOf(link, user, address) : null
  const facts = { userId: user.id || null, to: address, state, variant, label, isProven, codeSeed }
  return [{ ...mailOf(kind, cause), ...facts, ...(former && { former }), ...(subject && { subject }) }]
}

/** An email to the person who has an address at delivery. Whether anybody does isn't looked up before. */
export function mailToOwner(
  kind: MailKind,
  emailKey: string,
  cause: Cause,
  { variant = null, label = null, codeSeed = null, isFromOwnBrowser = false, newestName }: MailDetails = {},
): PendingMail[] {
  const facts = { emailKey, variant, label, codeSeed, isFromOwnBrowser }
  return [{ ...mailOf(kind, cause), ...facts, ...(newestName !== undefined && { newestName }) }]
}

/** An email of the app's own, to the address that the user has at delivery. */
export function ownMail(
  kind: string,
  userId: string,
  data: JsonValue | undefined,
  cause: Cause,
): PendingMail {
  return { ...mailOf(kind, cause), userId, ...(data !== undefined && { data }) }
}

/** An email to nobody yet. It is posted while what it tells of happens, however much later it is sent. */
function mailOf(kind: AnyMailKind, cause: Cause): PendingMail {
  return {
    ...cause,
    kind,
    at: new Date().toISOString(),
    userId: null,
    emailKey: null,
    to: null,
    state: null,
    variant: null,
    label: null,
    isProven: false,
    heldUntil: null,
    codeSeed: null,
    isFromOwnBrowser: false,
  }
}

/**
 * Whether it goes to the user who has its address at delivery. It may still have a `userId`: that of the unclaimed user whom
 * it was stored with.
 */
export function isToOwner({ emailKey }: Pick<PendingMail, 'emailKey'>): boolean {
  return emailKey !== null
}

/** The `emailKey` of an address; the address itself if it can't be parsed. */
export function emailKeyOf(address: string): string {
  return parseEmail(address)?.emailKey ?? address
}

/** Whether somebody has proven to read the emails to this address: when it was posted, or since. */
export function isProven(mail: PendingMail, user: User, address: string): boolean {
  return mail.isProven || (user.isVerified && user.emailKey === emailKeyOf(address))
}

/** The key for counting emails about a device. Somebody with the new password is reported again. */
export function deviceKey(
  { id, resetEpoch }: Pick<User, 'id' | 'resetEpoch'>,
  device: PendingMail['device'],
): string {
  return JSON.stringify([id, resetEpoch, ...(device ?? [])])
}
