import type { MailKind } from './mailer.js'

/** What a mail can speak of. */
export interface EmailFacts {
  /** Whom it greets. */
  username: string
  /** The host of `baseUrl`: which service writes. */
  site: string
  /**
   * Where the mail leads: absolute. Absent in `password-changed` and `email-taken`; in `account-exists` where no reset
   * route is mounted; in `email-changed` where an earlier notice has the link.
   */
  url?: string | undefined
  /** How long the link lives, in minutes. */
  minutes?: number | undefined
}

/** The content of a mail; `html` is a whole document in which everything that is not ours is escaped. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** One pure function per kind of mail. */
export type EmailTemplates = Record<MailKind, (facts: EmailFacts) => EmailContent>
