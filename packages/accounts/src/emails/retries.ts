import { describeError } from '../adapters/describe-error.js'
import { needsSmtpUtf8 } from '../identifiers/email.js'
import type { OutboxClock } from '../outbox/outbox-clock.js'
import { ageAt, pauseAfter, type RetryPolicy } from '../outbox/retry-policy.js'
import type { AnyMailKind } from '../seams/mailer.js'
import type { MessageQueue, OutboxEntry, PendingMail } from '../seams/outbox.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { Addressee } from './addressee.js'
import type { MailBudgets } from './mail-budgets.js'

/** An abandoned email. */
export interface MailFailure {
  kind: AnyMailKind
  /** `null` if not looked up yet. */
  userId: string | null
  /** What its link names, if that isn't the user: the id of an invitation. */
  subject?: string | undefined
  error: unknown
}

/** An email that couldn't be handled. */
interface FailedTry {
  entry: OutboxEntry<PendingMail>
  /** `null` if not looked up yet. */
  to: Addressee | null
  /** Whether its budget was spent; if not, it wasn't even decided whether it may be sent. */
  isCounted: boolean
}

/** What happens to emails that couldn't be handled: another attempt, or none. */
export interface Retries {
  /** Whether the mail server refuses everybody, which says nothing about an address. */
  refusesEverybody(): boolean
  /** Call it when the mail server has accepted an email. */
  noteAccepted(): void
  /** Puts an email back for another attempt, or gives it up. */
  putBack(failed: FailedTry, error: unknown): Promise<void>
  /** Call it when it was decided whether an email may be sent. */
  noteDecided(id: string): void
}

/**
 * If this many recipients are refused with none accepted in between, the mail server is at fault, not the
 * addresses. Two in a row may well be typos.
 */
const refusalsInARow = 3

/** Beyond this number all are forgotten: other processes may have taken the emails. */
const maxObstacles = 1000

/** Minimum milliseconds before a refused address is retried: by then it is clear who refuses. */
const refusalPause = 60_000

/** @param deps.pollAgain requests a poll of the outbox in so many milliseconds; for the rest see `createPostman` */
export function createRetries(deps: {
  outbox: Pick<MessageQueue<PendingMail>, 'postpone'>
  clock: Pick<OutboxClock, 'now'>
  policy: Pick<RetryPolicy, 'maxAttempts'>
  budgets: Pick<MailBudgets, 'giveBack'>
  pollAgain(delay: number): void
  onFailure(failure: MailFailure): void
  onDelay(failure: MailFailure): void
  onRefusals(error: unknown): void
}): Retries {
  const { outbox, clock, budgets, pollAgain, onFailure, onDelay, onRefusals } = deps
  const { maxAttempts } = deps.policy
  /** Whether there is time to see who refuses, and whether a delay is worth telling. */
  const isPatient = ageAt(maxAttempts) > refusalPause
  /** How often deciding whether an email may be sent has failed. Another process starts from zero. */
  const obstacles = new Map<string, number>()

  /** The recipients refused since the last accepted one. */
  const refused = new Set<string>()
  const refusesEverybody = (): boolean => refused.size >= refusalsInARow

  function noteRefused(address: string, error: unknown): void {
    if (refusesEverybody()) return
    refused.add(address)
    if (refusesEverybody()) onRefusals(error)
  }

  async function putBack({ entry, to, isCounted }: FailedTry, error: unknown): Promise<void> {
    const { id, message: mail, attempts } = entry
    const failures = isCounted ? attempts : (obstacles.get(id) ?? 0) + 1
    const isRefused = error instanceof InvalidArgumentError
    // Many servers refuse such an address, so a refusal says nothing about other recipients.
    const isExplained = to !== null && needsSmtpUtf8(to.address)
    if (isRefused && isPatient && to !== null && !isExplained) noteRefused(to.address, error)
    const isBelieved =
      isRefused && (!isPatient || to === null || ((attempts > 1 || isExplained) && !refusesEverybody()))
    const isOver = isBelieved || failures >= maxAttempts
    const pause = Math.max(pauseAfter(failures), isRefused ? refusalPause : 0)
    if (obstacles.size >= maxObstacles) obstacles.clear()
    if (isOver) obstacles.delete(id)
    else if (!isCounted) obstacles.set(id, failures)
    const isOurs = await outbox.postpone(entry, {
      dueAt: isOver ? null : new Date(clock.now() + pause),
      attempts: isCounted ? attempts : 0,
      error: describeError(error),
    })
    // A timer may fire slightly early.
    if (!isOver) pollAgain(pause + 10)
    const { kind, subject } = mail
    const failure = { kind, userId: to?.user.id || mail.userId, subject, error }
    if (!isOver && isPatient && failures === 1) onDelay(failure)
    if (!isOver || !isOurs) return
    // It has reached nobody.
    if (to !== null && isCounted) await budgets.giveBack(mail, to, ageAt(attempts)).catch(() => {})
    onFailure(failure)
  }

  return {
    refusesEverybody,
    noteAccepted() {
      const wasRefusing = refusesEverybody()
      refused.clear()
      if (wasRefusing) onRefusals(null)
    },
    putBack,
    noteDecided: (id) => obstacles.delete(id),
  }
}
