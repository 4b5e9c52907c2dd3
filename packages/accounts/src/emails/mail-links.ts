import type { EmailFacts } from '../seams/email-templates.js'
import type { PendingMail } from '../seams/outbox.js'
import type { EmailLinks, LinkParts, Purpose } from '../tokens/email-link.js'
import type { StoredUser } from '../user.js'
import type { Addressee } from './addressee.js'
import { type MailTable, mailFacts } from './mail-facts.js'
import { isToOwner } from './pending-mail.js'

/** Where the links of a purpose lead. */
export interface LinkKind {
  /** Milliseconds. */
  lifetime: number
  /** When it becomes valid; `null`: now. */
  begin(user: StoredUser): Date | null
  /** `undefined` if no such route is mounted. */
  url(parts: LinkParts, mail: { address: string; variant: PendingMail['variant'] }): string | undefined
}

export interface MailLinkDeps {
  links: Pick<EmailLinks, 'issue' | 'stateOf'>
  mails: MailTable
  linkKinds: Readonly<Record<Purpose, LinkKind>>
}

/** Signs the link of an email, and the one that releases an address; no links once expired. */
export async function linkFacts(
  { links, mails, linkKinds }: MailLinkDeps,
  mail: PendingMail,
  { user, address }: Addressee,
): Promise<Partial<EmailFacts>> {
  const { link, outlivesLink, release } = mailFacts(mails, mail.kind)
  if (link === undefined || (mail.state === null && !isToOwner(mail))) return {}
  // Its owner may have left this mailbox since.
  if (outlivesLink && mail.state !== links.stateOf(link, user, address)) return {}
  const urlOf = async (purpose: Purpose, expiresAt: number): Promise<string | undefined> => {
    const parts = await links.issue(purpose, user, new Date(expiresAt), address)
    return linkKinds[purpose].url(parts, { address, variant: mail.variant })
  }
  const { lifetime, begin } = linkKinds[link]
  const expiresAt = (begin(user)?.getTime() ?? Date.now()) + lifetime
  const left = expiresAt - Date.now()
  if (left <= 0) return {}
  const url = await urlOf(link, expiresAt)
  const releaseUrl = release && (await urlOf(release, Date.now() + linkKinds[release].lifetime))
  return { url, ...(releaseUrl && { releaseUrl }), minutes: Math.max(1, Math.round(left / 60_000)) }
}
