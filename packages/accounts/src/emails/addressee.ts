import { findUserById } from '../identifiers/user-id.js'
import type { MailKind } from '../seams/mailer.js'
import type { PendingMail } from '../seams/outbox.js'
import type { EmailLinks } from '../tokens/email-link.js'
import { nobody, type StoredUser } from '../user.js'
import { type MailDeps, type MailFacts, type MailTable, mailFacts } from './mail-facts.js'
import { emailKeyOf, isToOwner } from './pending-mail.js'

/** The recipient of an email. */
export interface Addressee {
  user: StoredUser
  address: string
  /** The kind of email that they get instead. Default: that of the email. */
  kind?: MailKind
}

export interface AddresseeDeps extends MailDeps {
  mails: MailTable
  links: Pick<EmailLinks, 'stateOf' | 'find'>
}

/** The recipient of an email; `null` if nobody wants it anymore. */
export async function findAddressee(deps: AddresseeDeps, mail: PendingMail): Promise<Addressee | null> {
  const { kind, userId, emailKey, state, to, former, subject } = mail
  const { users, mails, links } = deps
  const facts = mailFacts(mails, kind)
  const user = former
    ? formerUser(mail, former)
    : isToOwner(mail)
      ? await users.findByEmail(emailKey ?? '')
      : subject !== undefined && facts.link !== undefined
        ? await links.find(facts.link, subject)
        : await findUserById(users, userId ?? '')
  if (user === null && isToOwner(mail)) return findInstead(deps, mail)
  const address = to ?? user?.email
  const { link, outlivesLink, reachesDisabled, isWanted } = facts
  // Nobody reads what a service account would get.
  if (user?.kind !== 'person' || !address || !(user.isActive || reachesDisabled)) return null
  // A link made at posting would be invalid by now.
  if (link && !outlivesLink && state !== null && state !== links.stateOf(link, user, address)) return null
  const found = { user, address, emailKey: emailKeyOf(address) }
  return isWanted === undefined || (await isWanted(found, users)) ? { user, address } : null
}

/** Who gets another email, where nobody has the address. */
async function findInstead(deps: AddresseeDeps, { kind, emailKey }: PendingMail): Promise<Addressee | null> {
  for (const [other, { insteadOf }] of Object.entries<MailFacts>(deps.mails)) {
    if (!insteadOf?.kinds.includes(kind)) continue
    const user = await insteadOf.find(emailKey ?? '', deps)
    if (user?.email) return { user, address: user.email, kind: other as MailKind }
  }
  return null
}

/** The owner of a deleted account, as far as its last email has kept it. */
function formerUser(
  { userId, to, isProven }: PendingMail,
  { username, createdAt, locale }: NonNullable<PendingMail['former']>,
): StoredUser {
  return {
    ...nobody,
    id: userId ?? '',
    username,
    email: to,
    emailKey: emailKeyOf(to ?? ''),
    isVerified: isProven,
    createdAt: new Date(createdAt),
    fields: locale === null ? {} : { locale },
    credentials: [],
    identityKeys: [],
    notes: {},
  }
}
