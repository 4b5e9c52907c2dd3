import { parseEmail } from '../identifiers/email.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { EmailLinks, Purpose } from '../tokens/email-link.js'
import type { User } from '../user.js'

/** Where an email comes from: the mount, and the language of the request. */
export type Cause = Pick<PendingMail, 'realm' | 'language'>

/** Properties that only some emails have. */
export interface MailDetails {
  /** The recipient. Default: the user's own address. */
  to?: string
  /** Whether that address is proven. Default: whether it is the user's own, and verified. */
  isProven?: boolean
  /** Default: as its kind says. */
  withLink?: boolean
  variant?: 'user' | 'signup'
  device?: (string | null)[]
  /** Of the code in it. */
  codeSeed?: string
  /** Whether a browser of the account requested it. Default `false`. */
  isFromOwnBrowser?: boolean
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
    isFromOwnBrowser: false,
  }
  return [{ ...cause, kind, userId: user.id ?? null, emailKey: null, to: address, ...rest }]
}

/** An email to whoever has an address at delivery. Whether anybody does isn't looked up before. */
export function mailToOwner(
  kind: MailKind,
  emailKey: string,
  cause: Cause,
  { variant, device, codeSeed, isFromOwnBrowser = false }: MailDetails = {},
): PendingMail {
  const facts = { variant: variant ?? null, device: device ?? null, codeSeed: codeSeed ?? null }
  const rest = { state: null, isProven: false, heldUntil: null, isFromOwnBrowser }
  return { ...cause, kind, userId: null, emailKey, to: null, ...facts, ...rest }
}

/** The `emailKey` of an address; the address itself if it can't be parsed. */
export function emailKeyOf(address: string): string {
  return parseEmail(address)?.emailKey ?? address
}

/** The key for counting the notices of one kind about one account. */
export function noticeKey({ kind }: PendingMail, { id }: User, address: string): string {
  return JSON.stringify([kind, id, emailKeyOf(address)])
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
