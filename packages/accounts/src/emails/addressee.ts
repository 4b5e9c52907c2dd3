import { findUserById } from '../identifiers/user-id.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import type { EmailLinks } from '../tokens/email-link.js'
import { nobody, type StoredUser } from '../user.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { emailKeyOf, isToOwner } from './pending-mail.js'

/** The recipient of an email. */
export interface Addressee {
  user: StoredUser
  address: string
}

export interface AddresseeDeps {
  users: Pick<UserStore, 'findById' | 'findByEmail' | 'update'>
  mails: MailTable
  links: Pick<EmailLinks, 'stateOf'>
}

/** The recipient of an email; `null` if nobody wants it anymore. */
export async function findAddressee(
  { users, mails, links }: AddresseeDeps,
  mail: PendingMail,
): Promise<Addressee | null> {
  const { kind, userId, emailKey, state, to, former } = mail
  const user = former
    ? formerUser(mail, former)
    : isToOwner(mail)
      ? await users.findByEmail(emailKey ?? '')
      : await findUserById(users, userId ?? '')
  const address = to ?? user?.email
  const { link, outlivesLink, reachesDisabled, isWanted } = mailFacts(mails, kind)
  // Nobody reads what a service account would get.
  if (user?.kind !== 'person' || !address || !(user.isActive || reachesDisabled)) return null
  // A link made at posting would be invalid by now.
  if (link && !outlivesLink && state !== null && state !== links.stateOf(link, user, address)) return null
  const found = { user, address, emailKey: emailKeyOf(address) }
  return isWanted === undefined || (await isWanted(found, users)) ? { user, address } : null
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
