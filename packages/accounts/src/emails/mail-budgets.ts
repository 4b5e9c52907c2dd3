import type { AccountBudget } from '../options/limits.js'
import { day } from '../options/time.js'
import type { PendingMail } from '../seams/outbox.js'
import { providerNetwork } from '../sessions/describe-client.js'
import { accountKey, addressKey, type Throttle } from '../throttle/throttle.js'
import type { Addressee } from './addressee.js'
import { isPrepaid, type MailTable, mailFacts } from './mail-facts.js'
import { emailKeyOf, isProven, isToOwner } from './pending-mail.js'

/** What happens to an email: it is sent, dropped, or held back and replaces those after it. */
type Verdict = 'send' | 'drop' | { holdUntil: Date }

/** Limits how many emails an address or an account gets. */
export interface MailBudgets {
  /** Whether to send it. Spends its budgets unless spent before, so only emails that are sent count. */
  decide(mail: PendingMail, to: Addressee): Promise<Verdict>
  /**
   * For an email that wasn't sent in the end.
   * @param age the maximum number of milliseconds since its budget was spent
   */
  giveBack(mail: PendingMail, to: Addressee, age: number): Promise<void>
  /** How many notices a held-back one replaces, itself included; `null` if unknown, such as to another process. */
  countHeld(mail: PendingMail, to: Addressee): Promise<number | null>
  /** Call it once their number was told. */
  forgetHeld(mail: PendingMail, to: Addressee): Promise<void>
}

/**
 * How much longer than its window a notice is held back, in milliseconds. Until then it replaces others,
 * which are dropped by processes whose clocks may differ.
 */
const holdMargin = 60_000

/**
 * How much longer than its window the number of held-back notices is kept, and what was sent over the limit, in
 * milliseconds: as long as an outage may delay them.
 */
const numberLifetime = day

export function createMailBudgets({
  mails,
  throttle,
}: {
  mails: MailTable
  throttle: Throttle
}): MailBudgets {
  /**
   * Whether it is a link that somebody requests in a network where nobody has requested one for this address. Its owner can't
   * be told from strangers by more.
   */
  async function isFirstOfNetwork(mail: PendingMail, to: Addressee): Promise<boolean> {
    const { counted = 'shared' } = mailFacts(mails, mail.kind)
    if (isByAccount(mail) || counted !== 'shared' || networkOf(mail) === null) return false
    return (await throttle.count('networkMails', networkKey(mail, to)))?.nth === 1
  }

  /** Sends it over the limit, if the address has room for one more. Remembers that, in case it fails. */
  async function reserve(mail: PendingMail, to: Addressee): Promise<boolean> {
    if (!(await throttle.allows('networkMails', addressKey(emailKeyOf(to.address))))) return false
    await throttle.count('networkMails', reservedKey(mail, to), numberLifetime)
    return true
  }

  /** Whether it was sent over the limit, and forgets that. */
  async function wasReserved(mail: PendingMail, to: Addressee): Promise<boolean> {
    if (networkOf(mail) === null) return false
    const key = reservedKey(mail, to)
    const counted = await throttle.count('networkMails', key, numberLifetime)
    await throttle.clear('networkMails', key)
    return counted !== null && counted.nth > 1
  }

  return {
    async decide(mail, to) {
      const budgets = budgetsOf(mails, mail, to)
      const isFirst = await isFirstOfNetwork(mail, to)
      for (const [at, [budget, key]] of budgets.entries()) {
        if (await throttle.allows(budget, key)) continue
        for (const [other, otherKey] of budgets.slice(0, at)) await throttle.giveBack(other, otherKey)
        return isFirst && (await reserve(mail, to)) ? 'send' : 'drop'
      }
      if (!isLimitedNotice(mails, mail, to)) return 'send'
      const spent = await throttle.count('noticeMails', noticeKey(mail, to))
      if (spent === null || spent.nth <= spent.max) return 'send'
      await throttle.count('noticeMails', heldKey(mail, to), numberLifetime)
      // The first one over the limit replaces all later ones in this window.
      return spent.nth === spent.max + 1
        ? { holdUntil: new Date(Date.now() + spent.resetMs + holdMargin) }
        : 'drop'
    },

    async giveBack(mail, to, age) {
      if (await wasReserved(mail, to)) {
        for (const key of [addressKey(emailKeyOf(to.address)), networkKey(mail, to)])
          await throttle.giveBack('networkMails', key, age)
        return
      }
      for (const [budget, key] of budgetsOf(mails, mail, to, { withPrepaid: true })) {
        await throttle.giveBack(budget, key, age)
      }
      if (!isLimitedNotice(mails, mail, to)) return
      await throttle.giveBack('noticeMails', noticeKey(mail, to), age)
    },

    async countHeld(mail, to) {
      const key = heldKey(mail, to)
      const counted = await throttle.count('noticeMails', key, numberLifetime)
      await throttle.giveBack('noticeMails', key)
      return counted === null || counted.nth === 1 ? null : counted.nth - 1
    },
    forgetHeld: (mail, to) => throttle.clear('noticeMails', heldKey(mail, to)),
  }
}

/**
 * The budgets of an email, each with the key it is counted by. What others cause is counted by the address, what the
 * account causes by the account, so nobody uses up what an account needs.
 */
function budgetsOf(
  mails: MailTable,
  mail: PendingMail,
  { user, address }: Addressee,
  { withPrepaid = false } = {},
): [AccountBudget, string][] {
  const facts = mailFacts(mails, mail.kind)
  const { budget, budgetKey, counted } = facts
  const emailKey = emailKeyOf(address)
  const byOthers = counted === 'separate' ? JSON.stringify([mail.kind, emailKey]) : emailKey
  const apart = counted === 'app' ? 'own:' : ''
  const key = isByAccount(mail) ? apart + accountKey(user) : byOthers
  const own: [AccountBudget, string][] =
    budget === undefined || (isPrepaid(facts) && !withPrepaid)
      ? []
      : [[budget, budgetKey?.(mail, user) ?? key]]
  if (counted === 'exclusive' || isProven(mail, user, address)) return own
  if (budget !== 'verifyMails') own.push(['verifyMails', key])
  // Accounts are easily made. One that has the address doesn't depend on those that ask to change to it.
  const ceiling = user.emailKey === emailKey ? addressKey(emailKey) : `change:${emailKey}`
  return isByAccount(mail) ? [...own, ['addressMails', apart + ceiling]] : own
}

/** Whether the account or a browser of it caused it, and not somebody who named the address. */
const isByAccount = (mail: PendingMail): boolean => !isToOwner(mail) || mail.isFromOwnBrowser

const networkOf = ({ device }: PendingMail): string | null => device?.[2] ?? null

/** Counts the links requested for an address in one provider's network. */
function networkKey(mail: PendingMail, { address }: Addressee): string {
  return JSON.stringify([emailKeyOf(address), providerNetwork(networkOf(mail) ?? '')])
}

/** The key under which it is remembered that an email was sent over the limit: of each network, only one is. */
function reservedKey(mail: PendingMail, to: Addressee): string {
  return `reserved:${networkKey(mail, to)}:${mail.kind}:${mail.at}`
}

/** Counts the notices of one kind about one account. */
function noticeKey({ kind }: PendingMail, { user, address }: Addressee): string {
  return JSON.stringify([kind, user.id, emailKeyOf(address)])
}

/** The key under which the held-back ones are counted. */
function heldKey(mail: PendingMail, to: Addressee): string {
  return `held:${noticeKey(mail, to)}`
}

/** Whether too many like it are held back; not if it was held back itself, or if they would be dropped. */
function isLimitedNotice(mails: MailTable, mail: PendingMail, { user, address }: Addressee): boolean {
  return mailFacts(mails, mail.kind).notice === 'digest' && !mail.heldUntil && isProven(mail, user, address)
}
