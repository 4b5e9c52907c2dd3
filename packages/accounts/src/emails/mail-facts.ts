import type { AccountBudget } from '../options/limits.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { AnyMailKind, MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import type { Purpose } from '../tokens/email-link.js'
import type { StoredUser, User } from '../user.js'
import { deviceKey } from './pending-mail.js'
import { removedLately } from './removal-note.js'

/**
 * The properties of a kind of email. Whatever its kind, an email to an unproven address also needs room in
 * `verifyMails`, unless it is counted alone. If `isWanted` or `facts` throws or takes longer than `adapterTimeout`,
 * the email is postponed.
 */
export interface MailFacts {
  /** Where its button leads. Default: nowhere. */
  link?: Purpose
  /** Whether it is sent without its link if that has become invalid. Default `false`: it isn't sent. */
  outlivesLink?: boolean
  /** Whether it is also sent to disabled users. Default `false`. */
  reachesDisabled?: boolean
  /** A second link, in the text of the email. Default: none. */
  release?: Purpose
  /**
   * How often it may be sent. Spent at delivery, so response times don't tell who has an account. Default: as
   * often as it is posted.
   */
  budget?: AccountBudget
  /**
   * Whether the caller that posts it has spent the budget; it is then accepted even if the outbox is full.
   * Default `false`.
   */
  isSpentBefore?: boolean
  /**
   * The key that the budget is counted by. Default: the account if a change of it or a browser of its own caused the
   * email, otherwise the address.
   */
  budgetKey?(mail: PendingMail, user: User): string
  /**
   * For what gets no recipient into the account, but anybody may cause by naming the address: it is counted apart from
   * links that do, so it can't use up their budget. Default `false`.
   */
  isCountedApart?: boolean
  /**
   * Whether its budget, counted by the address, is all that limits it: for what neither the account nor a stranger can
   * cause, so neither can use up what it needs. Default `false`.
   */
  isCountedAlone?: boolean
  /**
   * Whether the app's own code decides when to send it: nothing limits it at a proven address, and at another it is counted
   * apart, so it can't use up the budget of links. Default `false`.
   */
  isOwn?: boolean
  /** Whether it tells of a change, so it says when that was, who made it, and from where. Default: `isHeldBack`. */
  isNotice?: boolean
  /**
   * For notices that anybody with the password can trigger at will: if there are too many, they are held back
   * and sent as one. Default `false`.
   */
  isHeldBack?: boolean
  /** Whether anybody still wants it at delivery. Default: as long as its link would be valid. */
  isWanted?(
    to: { user: User; address: string; emailKey: string },
    users: Pick<UserStore, 'findByEmail'>,
  ): boolean | Promise<boolean>
  /**
   * What is made for it at delivery, such as a code, and the user as of then, whom its link is bound to.
   * `null`: nobody wants it anymore. Default: nothing.
   */
  facts?(
    mail: PendingMail,
    to: { user: StoredUser; address: string },
    deps: {
      users: Pick<UserStore, 'findById' | 'update'>
      options: Pick<ResolvedOptions, 'secret' | 'session'>
    },
  ): Promise<{ user: StoredUser; facts: Partial<EmailFacts> } | null>
}

/** What the core and each feature define for their kinds. */
export type MailTable = Readonly<Partial<Record<MailKind, MailFacts>>>

/** What was removed along with the old password. */
const removedFacts: MailFacts['facts'] = async (_mail, { user }) => ({
  user,
  facts: { removed: removedLately(user) ?? undefined },
})

/** The emails that several features send, or none of them. */
export const coreMails: MailTable = {
  'choose-password': { link: 'reset-password', isNotice: true, facts: removedFacts },
  'account-exists': { link: 'reset-password', budget: 'verifyMails' },
  'account-changed': { isNotice: true },
  // Its user is gone, so it has no link.
  'account-deleted': { isNotice: true, reachesDisabled: true },
  // Its link also helps after a reset, which ends those of earlier emails.
  'password-changed': { link: 'not-me', outlivesLink: true, isHeldBack: true, facts: removedFacts },
  'password-added': { link: 'not-me', isHeldBack: true },
  'password-removed': { link: 'not-me', isHeldBack: true },
  'factor-reset': { link: 'not-me', isHeldBack: true },
  // Most logins from unknown devices cause no email, so they must not cost a row in the outbox.
  'new-device': {
    link: 'not-me',
    budget: 'newDeviceMails',
    isSpentBefore: true,
    budgetKey: ({ device }, user) => deviceKey(user, device),
    isHeldBack: true,
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
