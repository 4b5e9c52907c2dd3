import type { Removed } from '../languages/removed.js'
import type { MailKind } from './mailer.js'

/** The facts an email can mention. */
export interface EmailFacts {
  /**
   * The name to greet; `null` for an account without a username, and if `users.names` is `'none'`. A name that mail
   * clients would show as a link is `null` in emails to an unproven address, and made harmless in others.
   */
  username: string | null
  /** The recipient's address. */
  address: string
  /** When the account was created. */
  createdAt?: Date | undefined
  /** The name of the service: `brand.name`. */
  site: string
  /** The language to write in, one of those offered: a BCP 47 tag. */
  language: string
  /**
   * The link of the email, an absolute URL. Absent in `account-changed` and `email-taken`; in `account-exists` and
   * `choose-password` if no reset route is mounted; in `email-changed` if an earlier notice has the link;
   * in `password-changed` if the link has become invalid.
   */
  url?: string | undefined
  /**
   * In `change-email`: the link that removes the new address from the account, an absolute URL. It works for
   * `links.undoLifetime`, even after the address was confirmed.
   */
  releaseUrl?: string | undefined
  /** In `login-code`: the login code, such as `ABCD-EFGH`. */
  code?: string | undefined
  /** In `new-device`: browser, system and network of the login, as far as known. */
  device?: string | undefined
  /** The link's lifetime in minutes. */
  minutes?: number | undefined
  /**
   * In `choose-password` and `password-changed`: how many passkeys, authenticator apps (`apps`), recovery codes,
   * identities and remembered devices were removed, if any.
   */
  removed?: Removed | undefined
  /** In `password-changed` and `new-device`: `true` if this email replaces several that were held back. */
  heldBack?: true | undefined
}

/** The content of an email. `html` is a complete document; escape everything that users or options provide. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/**
 * Your own version of an email. If it throws, the email is postponed.
 * @param shipped makes the email as it would have been, for changing a part of it
 */
export type EmailTemplate = (facts: EmailFacts, shipped: (facts: EmailFacts) => EmailContent) => EmailContent

/** One function for each kind of email. */
export type EmailTemplates = Record<MailKind, EmailTemplate>
