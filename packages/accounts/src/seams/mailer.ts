import type { FeatureMails } from '../feature-names.js'
/** What a mail is about. */
export type MailKind = CoreMailKind | keyof FeatureMails

/** Mails that several features send. */
export type CoreMailKind =
  | 'choose-password'
  | 'account-exists'
  | 'account-changed'
  | 'password-changed'
  | 'password-added'
  | 'password-removed'
  | 'new-device'

/** One mail to one address. */
export interface Mail {
  /**
   * The same each time one email is sent again, and no other email's: letters, digits, `-` and `_`. A mailer makes the
   * `Message-ID` from it, or its provider's idempotency key, so that a second delivery can be recognized.
   */
  id: string
  /** Exactly one recipient, as a name and an address: a string would be taken apart by some mail libraries. The name may be empty. */
  to: { name: string; address: string }
  subject: string
  /** Plain text, lines ended by `\n`. */
  text: string
  html: string
  kind: MailKind
}

/** Hands mails over to whatever delivers them. The laws are in `fastify-accounts/testing` as `mailerCases`. */
export interface Mailer {
  /**
   * Resolves when the mail was handed over; throws when it was not. The plugin tries again, but not where an
   * `InvalidArgumentError` says that this address will never take one.
   * Refuses an address that is not plain: CR, LF, NUL, a second `@`, quotes, comments.
   */
  send(mail: Mail): Promise<void>

  /**
   * Waits for mails under way, frees connections; may be called twice. The plugin does not call it: who made the mailer
   * closes it, in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}
