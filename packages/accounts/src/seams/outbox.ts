import type { MailKind } from './mailer.js'

/**
 * A mail that waits: what it takes to write it when it goes out. It is plain JSON, and nothing in it opens anything:
 * links are signed at delivery.
 */
export interface PendingMail {
  /** Which mount of the plugin sends it: its `decorateAs.instance`. */
  realm: string
  kind: MailKind
  /** Whom it is about; `null` where that is whoever has `emailKey` at delivery. */
  userId: string | null
  emailKey: string | null
  /** Where it goes; `null`: to the address that the user has at delivery. */
  to: string | null
  /** The language of who caused it, a BCP 47 tag. */
  language: string
  /** What its link is bound to, a digest: where that has changed by delivery, the mail is not sent. */
  state: string | null
  /** Which routes verify the address. */
  variant: 'user' | 'signup' | null
  /** Browser, system and network of a login, as far as they are known. */
  device: (string | null)[] | null
  /** Whether the owner of `to` had proven it when the email was posted. */
  isProven: boolean
  /** For a notice that was held back, and that replaces those after it: when it goes out (ISO 8601). */
  heldUntil: string | null
  /** What the code in it is derived from, under a key that is not in the database. */
  codeSeed: string | null
  /** The device that asked for it and has a budget of its own; `null`: its kind says what it is counted by. */
  knownDevice: string | null
}

/** A mail that was taken out to be delivered. */
export interface OutboxEntry {
  id: string
  /** Names this claim: who was overtaken by another one changes nothing. */
  claim: string
  mail: PendingMail
  /** How often it was claimed since it was posted, or sent again; this time included. */
  tries: number
}

/** A mail that was given up. */
export interface DeadMail {
  id: string
  /** `null` where what was kept can no longer be read. */
  mail: PendingMail | null
  postedAt: Date
  tries: number
  /** Why, in one line. */
  error: string
}

/**
 * Where mails wait, on the same database as the users, so that a mail is kept if and only if the change is that it
 * tells of. Any number of processes take from it.
 *
 * - What an acknowledged call wrote, the next call sees, also that of another process.
 * - Times are the caller's, but for when a mail was posted, which is the store's own clock. Ids are the store's.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`; anything else counts as the last, but stops the start.
 *
 * The laws are in `fastify-accounts/testing` as `outboxCases`.
 */
export interface Outbox {
  /** Keeps the mails, all or none, due at once. */
  add(mails: readonly PendingMail[]): Promise<void>

  /**
   * Takes emails of this realm that are due at `now`, makes them due again at `until` and counts an attempt. If more
   * than `limit` are due, it takes those due longest; their order in the result is free, since the plugin sends them at
   * the same time. Of simultaneous claims, only one gets each email, until then. An unreadable email becomes a dead
   * letter and doesn't hold up the others.
   */
  claim(at: { realm: string; now: Date; until: Date; limit: number }): Promise<OutboxEntry[]>

  /**
   * Ends a claim: the mail is due again at `dueAt`; `null` makes it a dead letter.
   * @returns `false`, where the mail has been claimed again, or is gone; nothing changes then
   */
  postpone(
    entry: Pick<OutboxEntry, 'id' | 'claim'>,
    then: { dueAt: Date | null; tries: number; error: string },
  ): Promise<boolean>

  /**
   * Extends a claim, for an email that is still being delivered: nobody else gets it before `until`. The number of
   * tries stays. Returns as `postpone`.
   */
  renew(entry: Pick<OutboxEntry, 'id' | 'claim'>, until: Date): Promise<boolean>

  /** Ends a claim for good. Returns as `postpone`. */
  remove(entry: Pick<OutboxEntry, 'id' | 'claim'>): Promise<boolean>

  /** How many wait, under way included, and how many are dead. */
  count(): Promise<{ waiting: number; dead: number }>

  /** Dead letters in the order of their ids, from the first, or behind one. */
  listDead(page: { limit: number; after?: string | undefined }): Promise<DeadMail[]>

  /** Has a dead letter due at `now`; its tries begin anew. Whether there was one. */
  retry(id: string, now: Date): Promise<boolean>

  /** Deletes a dead letter. Whether there was one. */
  discard(id: string): Promise<boolean>
}

/** What of an outbox mails are posted and delivered by; the rest is for whoever looks after it. */
export type MailQueue = Pick<Outbox, 'add' | 'claim' | 'renew' | 'postpone' | 'remove' | 'count'>
