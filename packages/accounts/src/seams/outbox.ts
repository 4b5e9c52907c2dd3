import type { MailKind } from './mailer.js'

/**
 * An email that waits: what is needed to write it at delivery, as plain JSON. It contains no secret, because links are
 * signed at delivery.
 */
export interface PendingMail {
  /** The mount of the plugin that sends it: its `decorateAs.instance`. */
  realm: string
  kind: MailKind
  /** The user it is about; `null`: whoever has `emailKey` at delivery. */
  userId: string | null
  emailKey: string | null
  /** The recipient's address; `null`: the user's address at delivery. */
  to: string | null
  /** The language of the request that caused it, a BCP 47 tag. */
  language: string
  /** A digest of what its link is bound to: if that has changed by delivery, the email isn't sent. */
  state: string | null
  /** Which routes verify the address. */
  variant: 'user' | 'signup' | null
  /** Browser, system and network of a login, as far as known. */
  device: (string | null)[] | null
  /** Whether `to` was a verified address when the email was posted. */
  isProven: boolean
  /** For a notice that was held back and replaces later ones: when it is sent (ISO 8601). */
  heldUntil: string | null
  /** What its code is derived from, with a key that isn't in the database. */
  codeSeed: string | null
  /** Whether a browser of the account requested it: one that has logged in to it, or signed up with it. */
  isFromOwnBrowser: boolean
}

/** An email claimed for delivery. */
export interface OutboxEntry {
  id: string
  /** Identifies this claim: once another claim has replaced it, it changes nothing. */
  claim: string
  mail: PendingMail
  /** How often it was claimed since it was posted or retried, including this time. */
  attempts: number
}

/** An abandoned email. */
export interface DeadMail {
  id: string
  /** `null` if the stored email is unreadable. */
  mail: PendingMail | null
  postedAt: Date
  attempts: number
  /** Why, in one line. */
  error: string
}

/**
 * Emails that wait, in the same database as the users, so an email is stored if and only if its change is. Any number of
 * processes take from it.
 *
 * - A call sees what every acknowledged call wrote, in any process.
 * - Times come from the caller, except the time of posting, which the store sets. The store makes the ids. The plugin
 *   takes them from `UserStore.now`, if there is one, because the clocks of processes differ.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`. Any other error counts as `UnavailableError`, but stops
 *   the start.
 *
 * Its conformance suite is `outboxCases` of `fastify-accounts/testing`.
 */
export interface Outbox {
  /** Stores the emails, all or none, due at once. */
  add(mails: readonly PendingMail[]): Promise<void>

  /**
   * Takes emails of this realm that are due at `now`, makes them due again at `until` and counts an attempt. If more
   * than `limit` are due, it takes those due longest; their order in the result is free, since the plugin sends them at
   * the same time. Of simultaneous claims, only one gets each email, until then. An unreadable email becomes a dead
   * letter and doesn't hold up the others.
   */
  claim(at: { realm: string; now: Date; until: Date; limit: number }): Promise<OutboxEntry[]>

  /**
   * Ends a claim: the email is due again at `dueAt`; `null` makes it a dead letter.
   * @returns `false` if the email was claimed again or is gone; then nothing changes
   */
  postpone(
    entry: Pick<OutboxEntry, 'id' | 'claim'>,
    then: { dueAt: Date | null; attempts: number; error: string },
  ): Promise<boolean>

  /**
   * Extends a claim to `until`, for an email that is still being delivered, without counting an attempt. Returns the
   * same as `postpone`.
   */
  renew(entry: Pick<OutboxEntry, 'id' | 'claim'>, until: Date): Promise<boolean>

  /** Deletes a claimed email. Returns the same as `postpone`. */
  remove(entry: Pick<OutboxEntry, 'id' | 'claim'>): Promise<boolean>

  /** How many emails wait, including claimed ones, and how many are dead letters. */
  count(): Promise<{ waiting: number; dead: number }>

  /**
   * When the oldest waiting email, of any realm, became due: when it was posted, or its next attempt if that is later
   * (then it may be in the future). `null` if none waits. Optional: without it, `overdueMs` of `app.accounts.check()` is
   * `null`.
   */
  oldestDue?(): Promise<Date | null>

  /** Dead letters in the order of their ids, from the first or after one. */
  listDead(page: { limit: number; after?: string | undefined }): Promise<DeadMail[]>

  /** Makes a dead letter due at `now`, with no attempts counted. Returns whether there was one. */
  retry(id: string, now: Date): Promise<boolean>

  /** Deletes a dead letter. Returns whether there was one. */
  discard(id: string): Promise<boolean>
}

/** What posts and delivers emails; the rest is for operators. */
export const outboxMethods = [
  'add',
  'claim',
  'renew',
  'postpone',
  'remove',
  'count',
] as const satisfies readonly (keyof Outbox)[]

/** The part of an outbox that posts and delivers emails. */
export type MailQueue = Pick<Outbox, (typeof outboxMethods)[number] | 'oldestDue'>
