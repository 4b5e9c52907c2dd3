import type { JsonValue } from '../user.js'
import type { AnyMailKind } from './mailer.js'
import type { SeamMethods } from './methods.js'

/**
 * A message that waits, as plain JSON. An outbox stores all its properties as given, and reads these two. It contains no
 * secret.
 */
export interface PendingMessage {
  /**
   * Whose it is; for emails, the mount of the plugin that sends them: its `decorateAs.instance`, and with `:mails` after it
   * for those of the option `ownEmails`. For events, with `:events` after it, and once split `:to:` and the subscriber.
   */
  realm: string
  /** The user it is about, or was stored with; `null` if neither. */
  userId: string | null
}

/** An email that waits: what is needed to write it at delivery, where its links are signed. */
export interface PendingMail extends PendingMessage {
  kind: AnyMailKind
  /** If not `null`, it goes to the user who has this address at delivery, whatever `userId` is. */
  emailKey: string | null
  /** The recipient's address; `null`: the user's address at delivery. */
  to: string | null
  /** The language of the request that caused it, a BCP 47 tag. */
  language: string
  /** A digest of what its link is bound to: if that has changed by delivery, the email isn't sent. */
  state: string | null
  /** Which routes verify the address. */
  variant: 'user' | 'signup' | null
  /** When what it tells of happened (ISO 8601); absent in an email that an earlier version posted. */
  at?: string | undefined
  /** Who caused it: a request to a route, staff, or the app's own code. Absent like `at`. */
  by?: 'request' | 'staff' | 'host' | undefined
  /** Browser, system and network of the request that caused it, as far as known; `null` without one, or of staff. */
  device: (string | null)[] | null
  /** The passkey or the provider that it names. Earlier versions have it in `device`. */
  label?: string | null | undefined
  /** What its link names, if that isn't the user. */
  subject?: string | undefined
  /** Whether `to` was a verified address when the email was posted. */
  isProven: boolean
  /** For a notice that was held back and replaces later ones: when it is sent (ISO 8601). */
  heldUntil: string | null
  /** Of a deleted account: what its last email needs. */
  former?: { username: string | null; createdAt: string; locale: string | null } | undefined
  /** What its code is derived from, with a key that isn't in the database. */
  codeSeed: string | null
  /** Whether a browser of the account requested it: one that has logged in to it, or signed up with it. */
  isFromOwnBrowser: boolean
  /** The username that somebody entered last in a browser of the account, as it will be once its address is proven there. */
  newestName?: string | undefined
  /** Of an email of the option `ownEmails`: what its template gets besides the facts. */
  data?: JsonValue | undefined
}

/** A message claimed for delivery. */
export interface OutboxEntry<Message extends PendingMessage = PendingMessage> {
  id: string
  /** Identifies this claim: once another claim has replaced it, it changes nothing. */
  claim: string
  message: Message
  /** How often it was claimed since it was posted or retried, including this time. */
  attempts: number
}

/** An abandoned message. */
export interface DeadMessage<Message extends PendingMessage = PendingMessage> {
  id: string
  /** `null` if what is stored is unreadable. */
  message: Message | null
  postedAt: Date
  attempts: number
  /** Why, in one line. */
  error: string
}

/**
 * Messages that wait, in the same database as the users, so a message is stored if and only if its change is. Any number
 * of processes take from it.
 *
 * - A call sees what every acknowledged call wrote, in any process.
 * - Times come from the caller, except the time of posting, which the store sets. The plugin takes them from
 *   `UserStore.now`, if there is one, because the clocks of processes differ; then the store sets it by the same clock.
 *   The store makes the ids.
 * - Nothing takes effect after `callDeadline()`, as with user stores: a call that begins later rejects with
 *   `UnavailableError`.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`. Any other error counts as `UnavailableError`, but stops
 *   the start.
 *
 * Its conformance suite is `outboxCases` of `@fastify-accounts/testing`.
 */
export interface Outbox<Message extends PendingMessage = PendingMessage> {
  /** Stores the messages, all or none. They are due from the moment they are posted. */
  add(messages: readonly Message[]): Promise<void>

  /**
   * Takes messages of these realms that are due at `now`, makes them due again at `until` and counts an attempt. If more
   * than `limit` are due, each realm gets an equal share of it, what one leaves over goes to the others, and of each realm
   * it takes those due longest, whether new or postponed. Their order in the result is free, since the plugin delivers
   * them at the same time. Of simultaneous claims, only one gets each message, until then. An unreadable message becomes
   * a dead letter and doesn't hold up the others.
   * @param at.realms at least one, each once
   * @param at.limit at least as many as `realms`
   */
  claim(at: {
    realms: readonly string[]
    now: Date
    until: Date
    limit: number
  }): Promise<OutboxEntry<Message>[]>

  /**
   * Ends a claim: the message is due again at `dueAt`; `null` makes it a dead letter.
   * @returns `false` if the message was claimed again or is gone; then nothing changes
   */
  postpone(
    entry: Pick<OutboxEntry, 'id' | 'claim'>,
    then: { dueAt: Date | null; attempts: number; error: string },
  ): Promise<boolean>

  /**
   * Extends a claim to `until`, for a message that is still being delivered, without counting an attempt. Returns the
   * same as `postpone`.
   */
  renew(entry: Pick<OutboxEntry, 'id' | 'claim'>, until: Date): Promise<boolean>

  /** Deletes a claimed message. Returns the same as `postpone`. */
  remove(entry: Pick<OutboxEntry, 'id' | 'claim'>): Promise<boolean>

  /** Replaces a claimed message by others, all as by `add`, or none. Returns the same as `postpone`. */
  split(entry: Pick<OutboxEntry, 'id' | 'claim'>, messages: readonly Message[]): Promise<boolean>

  /** How many messages wait, including claimed ones, and how many are dead letters: of a realm, or of all. */
  count(realm?: string): Promise<{ waiting: number; dead: number }>

  /**
   * When the message that has been due longest became due, of a realm or of all; in the future if only later attempts
   * wait. `null` if none waits. Optional: without it, `overdueMs` of `app.accounts.check()` is `null`.
   */
  oldestDue?(realm?: string): Promise<Date | null>

  /**
   * The realms that have messages, dead letters included, each once, in any order. Optional: without it, `check()` can't tell
   * whether events wait for subscribers that the process doesn't have.
   */
  realms?(): Promise<string[]>

  /** Dead letters in the order of their ids, from the first or after one. */
  listDead(page: { limit: number; after?: string | undefined }): Promise<DeadMessage<Message>[]>

  /** Makes a dead letter due at `now`, with no attempts counted. Returns whether there was one. */
  retry(id: string, now: Date): Promise<boolean>

  /** Deletes a dead letter. Returns whether there was one. */
  discard(id: string): Promise<boolean>
}

/** What posts and delivers messages; the rest is for operators. */
export const outboxMethods = {
  required: {
    add: 'writes',
    claim: 'takes',
    renew: 'writes',
    postpone: 'writes',
    remove: 'writes',
    split: 'writes',
    count: 'reads',
  },
  optional: { oldestDue: 'reads', realms: 'reads' },
} as const satisfies SeamMethods<Outbox, 'listDead' | 'retry' | 'discard'>

/** The part of an outbox that posts and delivers messages. */
export type MessageQueue<Message extends PendingMessage = PendingMessage> = Pick<
  Outbox<Message>,
  keyof (typeof outboxMethods)['required'] | keyof (typeof outboxMethods)['optional']
>
