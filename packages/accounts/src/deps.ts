import type { PostOffice } from './emails/post-office.js'
import type { ResolvedOptions } from './options/resolve.js'
import type { Passwords } from './passwords/passwords.js'
import type { UserStore } from './seams/user-store.js'
import type { UserUpdates } from './sessions/user-updates.js'
import type { Throttle } from './throttle/throttle.js'
import type { EmailLinks } from './tokens/email-link.js'
import type { Vault } from './tokens/vault.js'
import type { StoredUser } from './user.js'

/** What services are handed; each asks for its few with `Pick`. No service knows HTTP, a URL or a session. */
export interface Deps {
  options: Pick<
    ResolvedOptions,
    | 'password'
    | 'requireEmailConfirmation'
    | 'login'
    | 'names'
    | 'authorize'
    | 'links'
    | 'fields'
    | 'checkFields'
    | 'session'
  >
  users: Pick<
    UserStore,
    | 'create'
    | 'findById'
    | 'findByUsername'
    | 'findByEmail'
    | 'findByIdentity'
    | 'list'
    | 'listsBy'
    | 'delete'
  > &
    UserUpdates
  passwords: Passwords
  links: EmailLinks
  throttle: Throttle
  postOffice: PostOffice
  /** Seals the secrets among credentials. */
  vault: Vault
  /** Whether any way to log in is left to a user who is like this. */
  hasWayIn(user: StoredUser): boolean
  /** Deletes the sessions of a user who was deleted. */
  removeSessions(userId: string): Promise<void>
}
