import type { FeatureMails } from '../feature-names.js'

/** What an email is about. */
export type MailKind = CoreMailKind | keyof FeatureMails

/** The kind of any email: one of ours, or the name of one of yours in the option `ownEmails`. */
export type AnyMailKind = MailKind | (string & Record<never, never>)

/** Emails that several features send. */
export type CoreMailKind =
  | 'choose-password'
  | 'account-exists'
  | 'account-changed'
  | 'account-deleted'
  | 'password-changed'
  | 'password-added'
  | 'password-removed'
  | 'factor-reset'
  | 'new-device'

/** One email to one address. */
export interface Mail {
  /**
   * Stays the same when the email is sent again, and is unique otherwise: letters, digits, `-` and `_`. A mailer makes
   * the `Message-ID` from it, or its provider's idempotency key, so duplicates can be recognized.
   */
  id: string
  /** The one recipient, as name and address, because some mail libraries would split a string. The name may be empty. */
  to: { name: string; address: string }
  /** The account it is about; `null` if none. For your own records: it needn't be in the email. */
  userId: string | null
  subject: string
  /** Plain text; lines end with `\n`. */
  text: string
  html: string
  kind: AnyMailKind
}

/** Hands emails to whatever delivers them. Its conformance suite is `mailerCases` of `@fastify-accounts/testing`. */
export interface Mailer {
  /**
   * Resolves if the email was handed over, and rejects if not. The plugin then retries, unless an
   * `InvalidArgumentError` says that this address will never accept an email. Neither that nor a `RefusedError`, for an
   * address that accepts none now, is an outage of the mailer.
   * Rejects an address that isn't plain: CR, LF, NUL, a second `@`, quotes, comments.
   */
  send(mail: Mail): Promise<void>

  /**
   * Waits for emails in progress, then frees connections. May be called twice. The plugin doesn't call it: the app
   * closes its mailer in an `onClose` hook registered before the plugin.
   */
  close?(): Promise<void>
}
