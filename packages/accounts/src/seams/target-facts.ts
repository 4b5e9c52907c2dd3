import type { Invitation } from './invitation-store.js'
import type { MailKind } from './mailer.js'

/** What an invitation of a feature invites to, as its link and emails ask about it. */
export interface TargetFacts {
  /** The word after the name of the mount in the `target` of its invitations: `organization` in `accounts:organization:org_…`. */
  readonly word: string
  /**
   * The kinds of its emails: to an address without a proven account, and to one whose owner has to log in first. They have the link
   * `invitation`; their label is the name of what it invites to.
   */
  readonly mails: { readonly stranger: MailKind; readonly owner: MailKind }
  /**
   * Whether an invitation still gives what it says: who made it may have lost the right.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  isGood(invitation: Invitation): Promise<boolean>
  /** What people see of it before they accept; `null` if it is gone. `roles` are those that it gives there. */
  describe(invitation: Invitation): Promise<{ name: string; roles: readonly string[] } | null>
}
