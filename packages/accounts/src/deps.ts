import type { AccountLinkPath } from './emails/link-facts.js'
import type { PostOffice } from './emails/post-office.js'
import type { ResolvedOptions } from './options.js'
import type { Passwords } from './passwords/passwords.js'
import type { UserStore } from './seams/user-store.js'
import type { Throttle } from './throttle/throttle.js'
import type { EmailLinks, LinkParts } from './tokens/email-link.js'

/** What services are handed; each asks for its few with `Pick`. No service knows HTTP, a URL or a session. */
export interface Deps {
  options: Pick<
    ResolvedOptions,
    'password' | 'requireEmailConfirmation' | 'authorize' | 'links' | 'checkFields' | 'session'
  >
  users: Pick<
    UserStore,
    'create' | 'findById' | 'findByUsername' | 'findByEmail' | 'list' | 'update' | 'delete'
  >
  passwords: Passwords
  links: EmailLinks
  throttle: Throttle
  postOffice: PostOffice
  /** Builds the absolute URL of a link; `undefined` where no such route is mounted. */
  resetUrl(parts: LinkParts): string | undefined
  verifyUrl(parts: LinkParts, variant: 'user' | 'signup'): string
  /** @param email where the link is about an address */
  accountUrl(path: AccountLinkPath, parts: LinkParts, email?: string): string
  /** Takes the rows of ended sessions away. */
  removeSessions(userId: string): Promise<void>
}
