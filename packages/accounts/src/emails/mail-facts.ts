import type { AccountBudget } from '../options/limits.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import type { Purpose } from '../tokens/email-link.js'
import type { User } from '../user.js'
import { deviceKey } from './pending-mail.js'

/** What there is to know of a kind of mail. Whatever its kind, an email to an address that nobody has proven needs room in
 * `verifyMails` too. */
export interface MailFacts {
  /** Where its button leads. Default: nowhere. */
  link?: Purpose
  /** A second link, in the text of the mail. Default: none. */
  release?: Purpose
  /**
   * How often it may go out. It is spent at delivery, so that the time of an answer does not tell who has an account.
   * Default: as often as it is posted.
   */
  budget?: AccountBudget
  /** Whether whoever posts it has spent the budget. Default `false`. */
  isSpentBefore?: boolean
  /** What the budget is counted by; `null` and default: the address. */
  budgetKey?(mail: PendingMail, user: User): string | null
  /**
   * For notices that somebody who has the password can cause as often as they like: too many of them are held back and go
   * out as one. Default `false`.
   */
  isHeldBack?: boolean
  /** Whether anybody still wants it when it is delivered. Default: as long as its link would be alive. */
  isWanted?(
    to: { user: User; address: string; emailKey: string },
    users: Pick<UserStore, 'findByEmail'>,
  ): boolean | Promise<boolean>
  /**
   * What is made for it when it goes out, such as a code, and the user as they are then, whom its link is bound to.
   * `null`: nobody wants it any more. Default: nothing.
   */
  facts?(
    mail: PendingMail,
    to: { user: User; address: string },
    deps: {
      users: Pick<UserStore, 'findById' | 'update'>
      options: Pick<ResolvedOptions, 'secret' | 'session'>
    },
  ): Promise<{ user: User; facts: Partial<EmailFacts> } | null>
}

/** By kind, what each feature and the core say of theirs. */
export type MailTable = Readonly<Partial<Record<MailKind, MailFacts>>>

/** The mails that several features send, or none of them. */
export const coreMails: MailTable = {
  'choose-password': { link: 'reset-password' },
  'account-exists': { link: 'reset-password', budget: 'verifyMails' },
  'account-changed': {},
  'password-changed': { isHeldBack: true },
  'password-added': { link: 'not-me', isHeldBack: true },
  'password-removed': { link: 'not-me', isHeldBack: true },
  // Most logins from unknown devices are not mailed: none of them is to cost a row in the outbox.
  'new-device': {
    link: 'not-me',
    budget: 'newDeviceMails',
    isSpentBefore: true,
    budgetKey: ({ device }, user) => deviceKey(user, device),
    isHeldBack: true,
  },
}

/**
 * What the table says of a kind.
 * @throws Error where no feature has it: another process may, and the mail waits for that one
 */
export function mailFacts(table: MailTable, kind: MailKind): MailFacts {
  const facts = table[kind]
  if (facts === undefined) throw new Error(`no feature sends emails of kind ${kind}`)
  return facts
}
