import { hash } from 'node:crypto'
import { withoutValues } from '../adapters/scrub.js'
import { findUserById } from '../identifiers/user-id.js'
import type { Language, Languages } from '../languages/languages.js'
import type { AccountBudget } from '../options/limits.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { Mailer } from '../seams/mailer.js'
import type { OutboxEntry, PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import type { Throttle } from '../throttle/throttle.js'
import type { EmailLinks, LinkParts, Purpose } from '../tokens/email-link.js'
import type { User } from '../user.js'
import type { ComposeEmail } from './compose.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { oneLine } from './one-line.js'
import { addressKey, isProven, noticeKey } from './pending-mail.js'

/** Where the links of a purpose lead. */
export interface LinkKind {
  /** Milliseconds. */
  lifetime: number
  /** From when on it lives; `null`: from now on. */
  begin(user: User): Date | null
  /** `undefined` where no such route is mounted. */
  url(parts: LinkParts, about: { address: string; variant: PendingMail['variant'] }): string | undefined
}

/** Whom a mail goes to. */
export interface Addressee {
  user: User
  address: string
}

/** What becomes of an email: it goes out, nobody gets it, or it is held back and replaces those after it. */
export type Verdict = 'send' | 'drop' | { holdUntil: Date }

/** Turns a mail that waited into one that is sent. */
export interface Delivery {
  /** Whom it goes to; `null` where nobody wants it any more. */
  addressee(mail: PendingMail): Promise<Addressee | null>
  /** Whether it may go out; spends its budgets, unless they were spent before, so that only mails that go out count. */
  decide(mail: PendingMail, to: Addressee): Promise<Verdict>
  /**
   * For a mail that did not go out in the end.
   * @param age milliseconds since its budget was spent, at the most
   */
  giveBack(mail: PendingMail, to: Addressee, age: number): Promise<void>
  /**
   * Signs its link, writes it, and hands it over. What it throws holds no link, and no code.
   * @returns `false` where nobody wants it any more
   */
  send(entry: Pick<OutboxEntry, 'id' | 'mail'>, to: Addressee): Promise<boolean>
}

/**
 * How much longer than its window a notice is held back, in milliseconds. Until then others are dropped in its favor,
 * by processes whose clocks may differ.
 */
const holdMargin = 60_000

export function createDelivery(deps: {
  users: Pick<UserStore, 'findById' | 'findByEmail' | 'update'>
  options: Pick<ResolvedOptions, 'secret' | 'session'>
  links: EmailLinks
  mails: MailTable
  linkKinds: Readonly<Record<Purpose, LinkKind>>
  throttle: Throttle
  mailer: Pick<Mailer, 'send'>
  compose: ComposeEmail
  /** What an account is called. */
  nameOf(user: User): string | null
  site: string
  languages: Languages
}): Delivery {
  const { users, links, mails, linkKinds, throttle, mailer, compose, nameOf, site, languages } = deps

  async function linkOf(mail: PendingMail, { user, address }: Addressee): Promise<Partial<EmailFacts>> {
    const { link } = mailFacts(mails, mail.kind)
    const isOwners = mail.userId === null
    if (link === undefined || (mail.state === null && !isOwners)) return {}
    const { lifetime, begin, url } = linkKinds[link]
    const expiresAt = new Date((begin(user)?.getTime() ?? Date.now()) + lifetime)
    const left = expiresAt.getTime() - Date.now()
    if (left <= 0) return {}
    const parts = await links.issue(link, user, expiresAt, address)
    const releaseUrl = await releaseUrlOf(mail, { user, address })
    return {
      url: url(parts, { address, variant: mail.variant }),
      ...(releaseUrl !== undefined && { releaseUrl }),
      minutes: Math.max(1, Math.round(left / 60_000)),
    }
  }

  async function releaseUrlOf(mail: PendingMail, { user, address }: Addressee): Promise<string | undefined> {
    const { release } = mailFacts(mails, mail.kind)
    if (release === undefined) return undefined
    const { lifetime, url } = linkKinds[release]
    const parts = await links.issue(release, user, new Date(Date.now() + lifetime), address)
    return url(parts, { address, variant: mail.variant })
  }

  /** The language that a user has chosen, in the integrator's own field `locale`. */
  function languageOf({ fields }: User): Language | null {
    return typeof fields.locale === 'string' ? languages.match(fields.locale.replaceAll('_', '-')) : null
  }

  return {
    async addressee(mail) {
      const { kind, userId, emailKey, state } = mail
      const user =
        userId === null ? await users.findByEmail(emailKey ?? '') : await findUserById(users, userId)
      const address = mail.to ?? user?.email
      if (!user?.isActive || !address) return null
      const { link, isWanted } = mailFacts(mails, kind)
      // Its link would have died meanwhile, had it been made then.
      if (link && state !== null && state !== links.stateOf(link, user, address)) return null
      const about = { user, address, emailKey: addressKey(address) }
      return isWanted === undefined || (await isWanted(about, users)) ? { user, address } : null
    },

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

    async send({ id, mail }, to) {
      const made = await mailFacts(mails, mail.kind).facts?.(mail, to, deps)
      if (made === null) return false
      const own = { ...(await linkOf(mail, { ...to, ...(made && { user: made.user }) })), ...made?.facts }
      try {
        const { user, address } = to
        const device = mail.device?.filter((word) => word !== null).join(', ') || undefined
        const username = nameOf(user)
        const { tag } = languageOf(user) ?? languages.match(mail.language) ?? languages.fallback
        const facts: EmailFacts = {
          ...own,
          ...(device && { device }),
          ...(mail.heldUntil && { heldBack: true }),
          username,
          address,
          site,
          language: tag,
        }
        const content = compose(mail.kind, facts)
        // A template of the integrator's may have put the name into the subject.
        const subject = oneLine(content.subject)
        await mailer.send({
          id: mailId(id, mail),
          to: { name: oneLine(username ?? ''), address },
          kind: mail.kind,
          ...content,
          subject,
        })
        return true
      } catch (error) {
        throw withoutValues(error, own)
      }
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

/** Hashed with what the email is about: the ids of an outbox may be the same in another database. */
function mailId(id: string, { realm, kind, userId, emailKey, to }: PendingMail): string {
  return hash('sha256', JSON.stringify([id, realm, kind, userId, emailKey, to]), 'base64url')
}
