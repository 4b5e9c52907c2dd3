import { findUserById } from '../identifiers/user-id.js'
import type { PendingMail } from '../seams/outbox.js'
import type { UserStore } from '../seams/user-store.js'
import type { EmailLinks } from '../tokens/email-link.js'
import type { User } from '../user.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { addressKey } from './pending-mail.js'

/** Whom a mail goes to. */
export interface Addressee {
  user: User
  address: string
}

export interface AddresseeDeps {
  users: Pick<UserStore, 'findById' | 'findByEmail' | 'update'>
  mails: MailTable
  links: Pick<EmailLinks, 'stateOf'>
}

/** Whom a mail goes to; `null` where nobody wants it any more. */
export async function findAddressee(
  { users, mails, links }: AddresseeDeps,
  { kind, userId, emailKey, state, to }: PendingMail,
): Promise<Addressee | null> {
  const user = userId === null ? await users.findByEmail(emailKey ?? '') : await findUserById(users, userId)
  const address = to ?? user?.email
  if (!user?.isActive || !address) return null
  const { link, isWanted } = mailFacts(mails, kind)
  // Its link would have died meanwhile, had it been made then.
  if (link && state !== null && state !== links.stateOf(link, user, address)) return null
  const about = { user, address, emailKey: addressKey(address) }
  return isWanted === undefined || (await isWanted(about, users)) ? { user, address } : null
}
