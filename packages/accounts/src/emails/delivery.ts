import { hash } from 'node:crypto'
import type { Outage } from '../adapters/outages.js'
import { withoutValues } from '../adapters/scrub.js'
import { isReplacementName } from '../identifiers/address-name.js'
import type { Language, Languages } from '../languages/languages.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { Mailer } from '../seams/mailer.js'
import type { OutboxEntry, PendingMail } from '../seams/outbox.js'
import { InvalidArgumentError, RefusedError } from '../seams/store-errors.js'
import type { Throttle } from '../throttle/throttle.js'
import type { EmailLinks } from '../tokens/email-link.js'
import type { User } from '../user.js'
import { type Addressee, type AddresseeDeps, findAddressee } from './addressee.js'
import type { ComposeEmail } from './compose.js'
import { oneLine, unlinkedName, unlinkedValues } from './harmless-text.js'
import { createMailBudgets, type MailBudgets } from './mail-budgets.js'
import { mailFacts } from './mail-facts.js'
import { linkFacts, type MailLinkDeps } from './mail-links.js'
import { occasionOf } from './occasion.js'
import { isProven } from './pending-mail.js'

/** Turns a waiting email into a sent one. */
export interface Delivery extends MailBudgets {
  /** The recipient; `null` if nobody wants it anymore. */
  addressee(mail: PendingMail): Promise<Addressee | null>
  /**
   * Signs its link, writes it, and hands it over. Its errors contain no link and no code.
   * @returns `false` if nobody wants it anymore
   */
  send(entry: Pick<OutboxEntry<PendingMail>, 'id' | 'message' | 'attempts'>, to: Addressee): Promise<boolean>
}

type DeliveryDeps = AddresseeDeps &
  MailLinkDeps & {
    links: EmailLinks
    throttle: Throttle
    mailer: Pick<Mailer, 'send'>
    mailerOutage: Outage
    compose: ComposeEmail
    /** The display name of an account. */
    nameOf(user: User): string | null
    site: string
    languages: Languages
  }

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { mails, mailer, mailerOutage, compose } = deps
  const budgets = createMailBudgets(deps)

  /** How many notices it replaces, if it was held back. Without a count it says several. */
  async function heldFacts(mail: PendingMail, to: Addressee): Promise<Pick<EmailFacts, 'heldBack'>> {
    if (!mail.heldUntil) return {}
    return { heldBack: (await budgets.countHeld(mail, to).catch(() => null)) ?? true }
  }

  return {
    ...budgets,
    addressee: (mail) => findAddressee(deps, mail),

    async send({ id, message, attempts }, to) {
      const addressed = { ...message, kind: to.kind ?? message.kind }
      const supplement = await mailFacts(mails, addressed.kind).facts?.(addressed, to, deps)
      if (supplement === null) return false
      const mail = { ...addressed, kind: supplement?.kind ?? addressed.kind }
      const links = await linkFacts(deps, mail, { ...to, ...(supplement && { user: supplement.user }) })
      const own = { ...links, ...supplement?.facts }
      const facts = { ...own, ...shownFacts(deps, mail, to), ...(await heldFacts(mail, to)) }
      const content = await compose(mail.kind, facts, mail.data)
      // Your own template may have put the name into the subject.
      const subject = oneLine(content.subject)
      try {
        await mailer.send({
          id: mailId(id, message),
          to: { name: recipientName(facts), address: to.address },
          userId: to.user.id || null,
          kind: mail.kind,
          ...content,
          subject,
        })
        mailerOutage.responded()
        if (mail.heldUntil) await budgets.forgetHeld(mail, to).catch(() => {})
        return true
      } catch (thrown) {
        const error = withoutValues(refusedIn(thrown) ?? thrown, [own, mail.data])
        if (error instanceof InvalidArgumentError || error instanceof RefusedError) mailerOutage.responded()
        // Attempts after the first may fail because of the address, such as a full mailbox, for a day.
        else mailerOutage.failed(error, { begins: attempts === 1 })
        throw error
      }
    },
  }
}

/** What a mailer threw, not the error of a request that a rule of the database refuses. */
function refusedIn(thrown: unknown): RefusedError | null {
  const { cause } = thrown as Error
  return cause instanceof RefusedError ? cause : null
}

/** The facts of every email, whatever its kind. */
function shownFacts(
  { nameOf, site, languages }: Pick<DeliveryDeps, 'nameOf' | 'site' | 'languages'>,
  mail: PendingMail,
  { user, address }: Addressee,
): EmailFacts {
  const language = chosenLanguage(languages, user) ?? languages.match(mail.language) ?? languages.fallback
  const isOwners = isProven(mail, user, address)
  const { newestName } = mail
  const name = nameOf(newestName === undefined ? user : { ...user, username: newestName })
  return {
    // An address that nobody has proven may be a stranger's, who must not learn where the user is.
    ...occasionOf(isOwners ? mail : { ...mail, by: undefined, device: null }, language),
    username: unlinkedName(name, { address, isProven: isOwners }),
    address,
    userId: user.id,
    // Whoever signed up with a stranger's address could have the service send them a text.
    fields: isOwners ? unlinkedValues(user.fields) : {},
    createdAt: user.createdAt,
    site,
    language: language.tag,
  }
}

/** The language that a user has chosen, in your own field `locale`. */
function chosenLanguage(languages: Languages, { fields }: User): Language | null {
  return typeof fields.locale === 'string' ? languages.match(fields.locale.replaceAll('_', '-')) : null
}

/** Hashed with what the email is about, because another database's outbox may use the same ids. */
function mailId(id: string, { realm, kind, userId, emailKey, to }: PendingMail): string {
  return hash('sha256', JSON.stringify([id, realm, kind, userId, emailKey, to]), 'base64url')
}

/** Nobody chose a replacement name. */
function recipientName({ username }: Pick<EmailFacts, 'username'>): string {
  return username === null || isReplacementName(username) ? '' : oneLine(username)
}
