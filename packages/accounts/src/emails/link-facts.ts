import type { ResolvedOptions } from '../options.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { EmailLinks, LinkParts } from '../tokens/email-link.js'
import type { User } from '../user.js'

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
