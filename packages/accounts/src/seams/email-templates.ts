import type { Removed } from '../languages/removed.js'
import type { UserFields } from '../user.js'
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
  /** The id of the account that the email is about. */
  userId: string
  /**
   * Your own fields of the account, for a greeting; none in emails to an unproven address, which may be a stranger's, and
   * only `locale` in `account-deleted`. Their texts are on one line, and no mail client makes a link of them.
   */
  fields: UserFields
  /** When the account was created. */
  createdAt?: Date | undefined
  /** The name of the service: `brand.name`. */
  site: string
  /** The language to write in, one of those offered: a BCP 47 tag. */
  language: string
  /**
   * The link of the email, an absolute URL. Absent in `account-changed`, `account-deleted` and `email-taken`; in
   * `account-exists` and `choose-password` if no reset route is mounted; in `email-changed` if an earlier notice has the
   * link; in `password-changed` if the link has become invalid.
   */
  url?: string | undefined
  /**
   * In `change-email`: the link that removes the new address from the account, an absolute URL. It works for
   * `links.undoLifetime`, even after the address was confirmed.
   */
  releaseUrl?: string | undefined
  /**
   * In `login-code` and `confirmation-code`: the code, such as `ABCD-EFGH`. In `reset-password` too, with `login.emailCode`,
   * unless it can no longer be used.
   */
  code?: string | undefined
  /** In `reset-password`: the code's lifetime in minutes, if it has one. */
  codeMinutes?: number | undefined
  /** When what the email is about happened. Absent in an email that an earlier version posted. */
  time?: Date | undefined
  /** Who caused it: `request` for a request to a route, by the user or anyone else; `staff`; `host` for the app's own code. */
  by?: 'request' | 'staff' | 'host' | undefined
  /** Browser and system of that request, as far as known, such as `Firefox, Windows`; none of staff. */
  device?: string | undefined
  /** The network of that request, in the email's language: `network 192.0.2.x`. Never a whole address. */
  place?: string | undefined
  /** In the emails about passkeys, other providers and API keys: the name of the passkey, the provider or the key. */
  label?: string | undefined
  /** In the emails about invitations: the name of who invites, if they have one. Somebody has chosen it. */
  inviter?: string | undefined
  /** The link's lifetime in minutes. */
  minutes?: number | undefined
  /**
   * In `choose-password` and `password-changed`: how many passkeys, authenticator apps (`apps`), recovery codes,
   * identities, API keys and remembered devices were removed, if any.
   */
  removed?: Removed | undefined
  /**
   * In notices: how many of them this email replaces, itself included, because they were held back; `true` if nobody
   * counted them.
   */
  heldBack?: number | true | undefined
}

/** The content of an email. `html` is a complete document; escape everything that users or options provide. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** The parts of an email, as plain text. */
export interface EmailParts {
  /** One line, which is also the heading. */
  subject: string
  /** What mail clients show next to the subject. Default: the beginning of the email. */
  preheader?: string | undefined
  /** Line breaks within a paragraph stay. */
  paragraphs: readonly string[]
  /** Below the paragraphs, with its http(s) URL written out. Default: none. */
  button?: { label: string; url: string } | undefined
  /** Small print at the end, such as why the recipient gets the email. Default: none. */
  reason?: string | undefined
}

/**
 * Makes an email in the layout of the shipped ones, with `brand`, as plain text and HTML, which it escapes.
 * @throws Error if a button leads to no http(s) URL
 */
export type EmailLayout = (parts: EmailParts) => EmailContent

/**
 * Your own version of an email. If it throws, or takes longer than `adapterTimeout`, the email is postponed.
 * @param shipped makes the email as it would have been, for changing a part of it
 */
export type EmailTemplate = (
  facts: EmailFacts,
  shipped: (facts: EmailFacts) => EmailContent,
  layout: EmailLayout,
) => EmailContent | Promise<EmailContent>

/**
 * An email of your own, in the option `ownEmails`. If it throws, or takes longer than `adapterTimeout`, the email is postponed.
 * @param data what `app.accounts.mail` got, after a round trip through JSON
 */
export type OwnEmail<Data = unknown> = (
  facts: EmailFacts,
  data: Data,
  layout: EmailLayout,
) => EmailContent | Promise<EmailContent>

/** The emails of your own, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each template declares its own data, and one written inline need not.
export type OwnEmails = Readonly<Record<string, OwnEmail<any>>>

/** One function for each kind of email. */
export type EmailTemplates = Record<MailKind, EmailTemplate>
