/** What a mail is about. */
export type MailKind = 'reset-password' | 'verify-email' | 'account-exists' | 'password-changed'

/** One mail to one address. */
export interface Mail {
  /** Exactly one recipient, as a name and an address: a string would be taken apart by some mail libraries. */
  to: { name: string; address: string }
  subject: string
  /** Plain text, lines ended by `\n`. */
  text: string
  html: string
  kind: MailKind
}

/**
 * For mailers, in front of each mail: exactly one plain address, and nothing in its name that could end a header.
 * @throws Error
 */
export function assertPlainAddress({ name, address }: Mail['to']): void {
  const parts = address.split('@')
  const plain =
    parts.length === 2 && parts.every((part) => part !== '') && !/[\s\p{Cc}"(),:;<>[\]\\]/u.test(address)
  if (!plain) throw new Error('the recipient is not one plain address')
  if (/\p{Cc}/u.test(name)) throw new Error("the recipient's name holds a control character")
}

/** Hands mails over to whatever delivers them. The laws are in `fastify-accounts/testing` as `mailerCases`. */
export interface Mailer {
  /**
   * Resolves when the mail was handed over; throws when it was not. The plugin tries again a few times.
   * Refuses an address that is not plain: CR, LF, NUL, a second `@`, quotes, comments.
   */
  send(mail: Mail): Promise<void>

  /** Waits for mails under way, frees connections; may be called twice. */
  close?(): Promise<void>
}
