import type { Deps } from '../../../deps.js'
import { AccountsError } from '../../../errors.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import type { LinkParts } from '../../../tokens/email-link.js'
import type { StoredUser } from '../../../user.js'
import { invitationOf } from './invitee.js'

/**
 * The invitation of a link, and who has its address; `null` if nobody.
 * @throws AccountsError ACCOUNTS_INVALID_LINK
 */
export async function openInvitation(
  { links, users }: Pick<Deps, 'links' | 'users'>,
  parts: LinkParts,
): Promise<{ invitation: Invitation; owner: StoredUser | null }> {
  const { user: invitee } = await links.open('invitation', parts)
  const invitation = invitationOf(invitee)
  const owner = await users.findByEmail(invitation.emailKey)
  // Staff have disabled it.
  if (owner?.isActive === false) throw new AccountsError('ACCOUNTS_INVALID_LINK', { userId: owner.id })
  return { invitation, owner }
}
