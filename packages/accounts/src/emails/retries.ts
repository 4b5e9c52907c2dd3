import { describeError } from '../adapters/describe-error.js'
import type { MailKind } from '../seams/mailer.js'
import type { MailQueue, OutboxEntry } from '../seams/outbox.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { Addressee } from './addressee.js'
import type { MailBudgets } from './mail-budgets.js'
import type { Refusals } from './refusals.js'
import { ageAt, pauseAfter, retryPolicyOf } from './retry-policy.js'

/** An email that was given up. */
export interface MailFailure {
  kind: MailKind
  /** `null` where it was not looked up yet. */
  userId: string | null
  error: unknown
}

/** A mail that could not be handled. */
export interface FailedTry {
  entry: OutboxEntry
  /** `null` where it was not looked up yet. */
  to: Addressee | null
  /** Whether its budget was spent: else it could not even be found out whether it may go out. */
  isCounted: boolean
}

/** What becomes of mails that could not be handled: another try, or none. */
export interface Retries {
  /** Puts a mail back to be tried again, or gives it up. */
  putBack(failed: FailedTry, error: unknown): Promise<void>
  /** To be told that it could be found out whether a mail may go out. */
  noteDecided(id: string): void
}

/** With more of these all are forgotten: the mails may have become those of another process. */
const maxObstacles = 1000

/** A refused address is tried once more, after so many milliseconds at the least: by then it shows who refuses. */
const refusalPause = 60_000

/**
 * @param deps.isLasting whether the outbox outlives the process
 * @param deps.pollAgain asked for a look at the outbox, in so many milliseconds
 * @param deps.onDelay told of the first try that fails, where the last one may be a day away
 */
export function createRetries(deps: {
  outbox: Pick<MailQueue, 'postpone'>
  isLasting: boolean
  budgets: Pick<MailBudgets, 'giveBack'>
  refusals: Pick<Refusals, 'noteRefused' | 'isEverybody'>
  pollAgain(delay: number): void
  onFailure(failure: MailFailure): void
  onDelay(failure: MailFailure): void
}): Retries {
  const { outbox, isLasting, budgets, refusals, pollAgain, onFailure, onDelay } = deps
  const { maxAttempts } = retryPolicyOf(isLasting)
  /** How often it could not even be found out whether a mail may go out. A process that comes after begins anew. */
  const obstacles = new Map<string, number>()

  async function putBack({ entry, to, isCounted }: FailedTry, error: unknown): Promise<void> {
    const { id, mail, tries } = entry
    const failures = isCounted ? tries : (obstacles.get(id) ?? 0) + 1
    const isRefused = error instanceof InvalidArgumentError
    // In memory there is no time to wait and see.
    if (isRefused && isLasting && to !== null) refusals.noteRefused(to.address, error)
    const isBelieved = isRefused && (!isLasting || to === null || (tries > 1 && !refusals.isEverybody()))
    const isOver = isBelieved || failures >= maxAttempts
    const pause = Math.max(pauseAfter(failures), isRefused ? refusalPause : 0)
    if (obstacles.size >= maxObstacles) obstacles.clear()
    if (isOver) obstacles.delete(id)
    else if (!isCounted) obstacles.set(id, failures)
    const isOurs = await outbox.postpone(entry, {
      dueAt: isOver ? null : new Date(Date.now() + pause),
      tries: isCounted ? tries : 0,
      error: describeError(error),
    })
    // A timer may be a little early.
    if (!isOver) pollAgain(pause + 10)
    const failure = { kind: mail.kind, userId: to?.user.id ?? mail.userId, error }
    if (!isOver && isLasting && failures === 1) onDelay(failure)
    if (!isOver || !isOurs) return
    // It has reached nobody.
    if (to !== null && isCounted) await budgets.giveBack(mail, to, ageAt(tries)).catch(() => {})
    onFailure(failure)
  }

  return {
    putBack,
    noteDecided: (id) => obstacles.delete(id),
  }
}
