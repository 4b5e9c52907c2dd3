import type { AccountBudget } from '../options/limits.js'
import type { PendingMail } from '../seams/outbox.js'
import type { Throttle } from '../throttle/throttle.js'
import type { Addressee } from './addressee.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { addressKey, isProven, noticeKey } from './pending-mail.js'

/** What becomes of an email: it goes out, nobody gets it, or it is held back and replaces those after it. */
export type Verdict = 'send' | 'drop' | { holdUntil: Date }

/** How many mails an address or an account gets. */
export interface MailBudgets {
  /** Whether it may go out; spends its budgets, unless they were spent before, so that only mails that go out count. */
  decide(mail: PendingMail, to: Addressee): Promise<Verdict>
  /**
   * For a mail that did not go out in the end.
   * @param age milliseconds since its budget was spent, at the most
   */
  giveBack(mail: PendingMail, to: Addressee, age: number): Promise<void>
}

/**
 * How much longer than its window a notice is held back, in milliseconds. Until then others are dropped in its favor,
 * by processes whose clocks may differ.
 */
const holdMargin = 60_000

export function createMailBudgets({
  mails,
  throttle,
}: {
  mails: MailTable
  throttle: Throttle
}): MailBudgets {
  return {
    async decide(mail, to) {
      const budgets = budgetsOf(mails, mail, to)
      for (const [at, [budget, key]] of budgets.entries()) {
        if (await throttle.allows(budget, key)) continue
        for (const [other, otherKey] of budgets.slice(0, at)) await throttle.giveBack(other, otherKey)
        return 'drop'
      }
      if (!isLimitedNotice(mails, mail, to)) return 'send'
      const spent = await throttle.count('noticeMails', noticeKey(mail, to.user, to.address))
      if (spent === null || spent.nth <= spent.max) return 'send'
      // The first one too many replaces whatever comes after it in this window.
      return spent.nth === spent.max + 1
        ? { holdUntil: new Date(Date.now() + spent.resetMs + holdMargin) }
        : 'drop'
    },

    async giveBack(mail, to, age) {
      for (const [budget, key] of budgetsOf(mails, mail, to, { isSpentBefore: true })) {
        await throttle.giveBack(budget, key, age)
      }
      if (!isLimitedNotice(mails, mail, to)) return
      await throttle.giveBack('noticeMails', noticeKey(mail, to.user, to.address), age)
    },
  }
}

/** The budgets of an email, each with what it is counted by. */
function budgetsOf(
  mails: MailTable,
  mail: PendingMail,
  { user, address }: Addressee,
  { isSpentBefore = false } = {},
): [AccountBudget, string][] {
  const { budget, ...facts } = mailFacts(mails, mail.kind)
  const own: [AccountBudget, string][] =
    budget === undefined || (facts.isSpentBefore && !isSpentBefore)
      ? []
      : [[budget, facts.budgetKey?.(mail, user) ?? addressKey(address)]]
  if (budget === 'verifyMails' || isProven(mail, user, address)) return own
  return [...own, ['verifyMails', addressKey(address)]]
}

/** Whether too many like it would be held back. Not where it was held back itself, nor where they would be dropped. */
function isLimitedNotice(mails: MailTable, mail: PendingMail, { user, address }: Addressee): boolean {
  return mailFacts(mails, mail.kind).isHeldBack === true && !mail.heldUntil && isProven(mail, user, address)
}
