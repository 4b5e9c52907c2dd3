import type { PostOffice } from './emails/post-office.js'
import type { EventOffice } from './events/events.js'
import type { ResolvedOptions } from './options/resolve.js'
import type { Passwords } from './passwords/passwords.js'
import type { Rules } from './seams/before.js'
import type { Invitation, InvitationStoreCalls } from './seams/invitation-store.js'
import type { PendingMessage } from './seams/outbox.js'
import type { TargetFacts } from './seams/target-facts.js'
import type { DeleteStored, UserCalls } from './sessions/user-updates.js'
import type { Throttle } from './throttle/throttle.js'
import type { EmailLinks } from './tokens/email-link.js'
import type { Vault } from './tokens/vault.js'
import type { StoredUser } from './user.js'

/** What an invitation of a feature invites to, in the place of an account of the mount. */
export interface InvitationTarget extends TargetFacts {
  /**
   * Accepts it for an account whose address is proven to be that of the invitation, once.
   * @throws AccountsError ACCOUNTS_INVALID_LINK if it gives nothing anymore, ACCOUNTS_NOT_VERIFIED, ACCOUNTS_FORBIDDEN,
   * ACCOUNTS_CONFLICT
   */
  accept(invitation: Invitation, user: StoredUser, deps: Deps): Promise<void>
}

/** What a feature does along with the deletion of a user. */
export interface DeletionPlan {
  /**
   * Removes rows of the feature before the user goes, in an order in which a crash lets nobody in.
   * @returns `false` if something has changed since it was planned: then it is planned again
   * @throws AccountsError
   */
  before?(): Promise<boolean>
  /** Events that are stored with the deletion. */
  messages?: readonly PendingMessage[]
  /**
   * For rows in the database of the users: deletes them with the user, in the place of the user store's `delete`, with its
   * parameters and result; also `false` if something has changed since it was planned. One feature of a mount can have it.
   */
  deleteStored?: DeleteStored
  /** Removes what others have added meanwhile, once the user is gone. The deletion stands, even if it throws. */
  after?(): Promise<void>
}

/** What a deletion is planned with: of the request or call that deletes. */
export type DeletionDeps = Pick<Deps, 'users' | 'invitations' | 'events' | 'options'>

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
  /**
   * What the features do along with the deletion of a user. Changes nothing.
   * @throws AccountsError if the user must not go yet
   */
  planDeletion(user: StoredUser, deps: DeletionDeps): Promise<DeletionPlan>
  /** Deletes the sessions of a deleted user. */
  removeSessions(userId: string): Promise<void>
}
