import type { MailKind } from './mailer.js'

/** What a mail can speak of. */
export interface EmailFacts {
  /** Whom it greets; `null` for an account without a name, and where `users.names` is `'none'`. */
  username: string | null
  /** The address it goes to. */
  address: string
  /** Which service writes: `brand.name`. */
  site: string
  /** The language it is to be written in, of those that are offered: a BCP 47 tag. */
  language: string
  /**
   * Where the mail leads: absolute. Absent in `password-changed` and `email-taken`; in `account-exists` and
   * `choose-password` where no reset route is mounted; in `email-changed` where an earlier notice has the link.
   */
  url?: string | undefined
  /**
   * In `change-email`: the link by which whoever reads mail at the new address takes it off the account: absolute. It
   * lives for `links.undoLifetime`, also after the address was confirmed.
   */
  releaseUrl?: string | undefined
  /** In `login-code`: the code that logs in, as `ABCD-EFGH`. */
  code?: string | undefined
  /** In `new-device`: browser, system and network of the login, as far as they are known. */
  device?: string | undefined
  /** How long the link lives, in minutes. */
  minutes?: number | undefined
  /** In `password-changed` and `new-device`: `true` where this email replaces several that were held back. */
  heldBack?: true | undefined
}

/** The content of a mail; `html` is a whole document in which everything that is not ours is escaped. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/**
 * A mail of the integrator's.
 * @param shipped makes the mail as it would have been, to change a part of it
 */
export type EmailTemplate = (facts: EmailFacts, shipped: (facts: EmailFacts) => EmailContent) => EmailContent

/** One function per kind of mail. */
export type EmailTemplates = Record<MailKind, EmailTemplate>
