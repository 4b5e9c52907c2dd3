import type { PostOffice } from './emails/post-office.js'
import type { EventOffice } from './events/events.js'
import type { ResolvedOptions } from './options/resolve.js'
import type { Passwords } from './passwords/passwords.js'
import type { Rules } from './seams/before.js'
import type { Invitation, InvitationStoreCalls } from './seams/invitation-store.js'
import type { TargetFacts } from './seams/target-facts.js'
import type { UserCalls } from './sessions/user-updates.js'
import type { Throttle } from './throttle/throttle.js'
import type { EmailLinks } from './tokens/email-link.js'
import type { Vault } from './tokens/vault.js'
import type { StoredUser } from './user.js'

/** What an invitation of a feature invites to, in the place of an account of the mount. */
export interface InvitationTarget extends TargetFacts {
  /**
   * Accepts it for an account whose address is proven to be that of the invitation, once.
   * @throws AccountsError
   */
  accept(invitation: Invitation, user: StoredUser, deps: Deps): Promise<void>
}

/** What the work of routes depends on; each function selects its own with `Pick`. None knows HTTP, URLs or sessions. */
export interface Deps {
  options: Pick<
    ResolvedOptions,
    | 'password'
    | 'requireEmailConfirmation'
    | 'login'
    | 'names'
    | 'emailAddresses'
    | 'authorize'
    | 'roles'
    | 'links'
    | 'fields'
    | 'checkFields'
    | 'session'
    | 'adapterTimeout'
    | 'decorateAs'
  >
  /** The app's own rules. */
  rules: Rules
  users: UserCalls
  invitations: InvitationStoreCalls
  /** What the features invite to, by word: complete once the mount has started. */
  invitationTargets: ReadonlyMap<string, InvitationTarget>
  passwords: Passwords
  links: EmailLinks
  throttle: Throttle
  postOffice: PostOffice
  events: EventOffice
  /** Seals the secrets within credentials. */
  vault: Vault
  /** Whether a user in this state could still log in somehow. */
  hasWayIn(user: StoredUser): boolean
  /** Deletes the sessions of a deleted user. */
  removeSessions(userId: string): Promise<void>
}
