import type { AccountBudget } from '../options/limits.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { InvitationStoreCalls } from '../seams/invitation-store.js'
import type { AnyMailKind, MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { TargetFacts } from '../seams/target-facts.js'
import type { UserStore } from '../seams/user-store.js'
import type { Purpose } from '../tokens/email-link.js'
import type { StoredUser, User } from '../user.js'
import { deviceKey } from './pending-mail.js'
import { removedLately } from './removal-note.js'

/** The properties of a kind of email but for what limits it. */
interface AnyMail {
  /** Where its button leads. Default: nowhere. */
  link?: Purpose
  /** Whether it is sent without its link if that has become invalid. Default `false`: it isn't sent. */
  outlivesLink?: boolean
  /** Whether it is also sent to disabled users. Default `false`. */
  reachesDisabled?: boolean
  /** A second link, in the text of the email. Default: none. */
  release?: Purpose
  /**
   * Whether it tells of a change, and so says when that was, who made it, and from where: `immediate` if each is sent at
   * once, `digest` if anybody with the password can cause any number: too many are held back, and sent as one. Default: it
   * is no notice.
   */
  notice?: 'immediate' | 'digest'
  /** Whether anybody still wants it at delivery. Default: as long as its link would be valid. */
  isWanted?(
    to: { user: StoredUser; address: string; emailKey: string },
    users: Pick<UserStore, 'findByEmail'>,
  ): boolean | Promise<boolean>
  /**
   * What is made for it at delivery, such as a code, and the user as of then, whom its link is bound to; and its kind, if
   * that depends on the account. `null`: nobody wants it anymore. Default: nothing.
   */
  facts?(
    mail: PendingMail,
    to: { user: StoredUser; address: string },
    deps: MailDeps,
  ): Promise<{ user: StoredUser; facts: Partial<EmailFacts>; kind?: MailKind } | null>
  /** Emails to the owner of an address instead of which it is sent, if nobody has the address. Default: none. */
  insteadOf?: {
    kinds: readonly AnyMailKind[]
    /** Whom it is about; `null` if it isn't sent either. */
    find(emailKey: string, deps: MailDeps): Promise<StoredUser | null>
  }
}

/** What decides about an email at delivery. */
export interface MailDeps {
  users: Pick<UserStore, 'findById' | 'findByEmail' | 'update'>
  invitations: InvitationStoreCalls
  invitationTargets: ReadonlyMap<string, TargetFacts>
  options: ResolvedOptions
}

/**
 * How a kind of email is counted: by the account if a change of it or a browser of its own caused the email, otherwise by the
 * address. At an unproven address it also needs room in `verifyMails`.
 *
 * - `shared`: at delivery, so response times don't tell who has an account; with all others to the address.
 * - `separate`: the same, but what anybody may cause by naming the address is counted by kind: for what gets no recipient
 *   into the account, so it can't use up the budget of links that do.
 * - `prepaid`: the caller that posts it has spent its budget, so it is accepted even if the outbox is full.
 * - `exclusive`: prepaid, and nothing else limits it: for what neither the account nor a stranger can cause, so neither can
 *   use up what it needs.
 * - `app`: an email of the option `ownEmails`, sent when the app says so: nothing limits it at a proven address, and at another it
 *   is counted apart from ours.
 */
type Counting =
  | { counted?: 'shared' | 'app'; budget?: undefined; budgetKey?: undefined }
  | {
      /** Default `shared`. */
      counted?: 'shared' | 'separate' | 'prepaid' | 'exclusive'
      /** How often it may be sent. Default: as often as it is posted. */
      budget: AccountBudget
      /** The key that its budget is counted by. Default: the account or the address, as above. */
      budgetKey?(mail: PendingMail, user: User): string
    }

/**
 * The properties of a kind of email. If `isWanted` or `facts` throws or takes longer than `adapterTimeout`, the email is
 * postponed.
 */
export type MailFacts = AnyMail & Counting

/** Whether the caller that posts it has spent its budget. */
export const isPrepaid = ({ counted }: MailFacts): boolean => counted === 'prepaid' || counted === 'exclusive'

/** What the core and each feature define for their kinds. */
export type MailTable = Readonly<Partial<Record<MailKind, MailFacts>>>

/** What was removed along with the old password. */
const removedFacts: MailFacts['facts'] = async (_mail, { user }) => ({
  user,
  facts: { removed: removedLately(user) ?? undefined },
})

/** The emails that several features send, or none of them. */
export const coreMails: MailTable = {
  'choose-password': { link: 'reset-password', notice: 'immediate', facts: removedFacts },
  'account-exists': { link: 'reset-password', budget: 'verifyMails' },
  'account-changed': { notice: 'immediate' },
  // Its user is gone, so it has no link.
  'account-deleted': { notice: 'immediate', reachesDisabled: true },
  // Its link also helps after a reset, which ends those of earlier emails.
  'password-changed': { link: 'not-me', outlivesLink: true, notice: 'digest', facts: removedFacts },
  'password-added': { link: 'not-me', notice: 'digest' },
  'password-removed': { link: 'not-me', notice: 'digest' },
  'factor-reset': { link: 'not-me', notice: 'digest' },
  // Most logins from unknown devices cause no email, so they must not cost a row in the outbox.
  'new-device': {
    link: 'not-me',
    budget: 'newDeviceMails',
    counted: 'prepaid',
    budgetKey: ({ device }, user) => deviceKey(user, device),
    notice: 'digest',
  },
}

/**
 * The table's entry for a kind.
 * @throws Error if no feature has it: another process may, so the email waits for that one
 */
export function mailFacts(table: MailTable, kind: AnyMailKind): MailFacts {
  const facts = Object.hasOwn(table, kind) ? table[kind as MailKind] : undefined
  if (facts === undefined) throw new Error(`no feature sends emails of kind ${kind}`)
  return facts
}
