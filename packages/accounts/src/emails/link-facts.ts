import type { ResolvedOptions } from '../options.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { EmailLinks, LinkParts } from '../tokens/email-link.js'
import type { User } from '../user.js'

/** Where the links lead by which people look after their account. */
export type AccountLinkPath = 'email' | 'email/undo' | 'not-me'

type LinkFacts = Pick<EmailFacts, 'url' | 'minutes'>

const minutes = (milliseconds: number): number => Math.max(1, Math.round(milliseconds / 60_000))

/** A new reset link for a mail; without a URL where no reset route is mounted. */
export async function resetLinkFacts(
  deps: {
    links: EmailLinks
    options: Pick<ResolvedOptions, 'links'>
    resetUrl(parts: LinkParts): string | undefined
  },
  user: User,
): Promise<LinkFacts> {
  const url = deps.resetUrl(await deps.links.issue('reset-password', user))
  return { url, minutes: minutes(deps.options.links.resetLifetime) }
}

/** A new verification link for a mail. */
export async function verifyLinkFacts(
  deps: {
    links: EmailLinks
    options: Pick<ResolvedOptions, 'links'>
    verifyUrl(parts: LinkParts, variant: 'user' | 'signup'): string
  },
  user: User,
  variant: 'user' | 'signup',
): Promise<LinkFacts> {
  const url = deps.verifyUrl(await deps.links.issue('verify-email', user), variant)
  return { url, minutes: minutes(deps.options.links.verifyLifetime) }
}

interface AccountLinkDeps {
  links: EmailLinks
  options: Pick<ResolvedOptions, 'links'>
  accountUrl(path: AccountLinkPath, parts: LinkParts, email?: string): string
}

/** A link to a new address that somebody wants to have. */
export async function changeEmailFacts(deps: AccountLinkDeps, user: User, email: string): Promise<LinkFacts> {
  const url = deps.accountUrl('email', await deps.links.issue('change-email', user, email), email)
  return { url, minutes: minutes(deps.options.links.changeEmailLifetime) }
}

/** A link that puts an old address back. */
export async function undoEmailFacts(deps: AccountLinkDeps, user: User, email: string): Promise<LinkFacts> {
  const url = deps.accountUrl('email/undo', await deps.links.issue('undo-email', user, email), email)
  return { url, minutes: minutes(deps.options.links.undoLifetime) }
}

/** A link by which somebody says that a login was not theirs. */
export async function notMeFacts(deps: AccountLinkDeps, user: User): Promise<LinkFacts> {
  const url = deps.accountUrl('not-me', await deps.links.issue('not-me', user))
  return { url, minutes: minutes(deps.options.links.undoLifetime) }
}
