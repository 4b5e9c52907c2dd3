import type { Deps } from '../../deps.js'
import type { EmailAddress } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'

/**
 * Invalidates the link that undoes a change early, for the person who reads the old address's emails. Only the old
 * mailbox can do this, because the new one may belong to the thief.
 * @param address the old one, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function keepEmailChange(
  deps: Pick<Deps, 'users' | 'links'>,
  parts: LinkParts,
  { email }: EmailAddress,
): Promise<StoredUser> {
  const link = await deps.links.open('undo-email', parts, email)
  return changeByLink(deps, link, () => ({ emailChangedAt: null }))
}
