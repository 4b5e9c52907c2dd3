import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { parseEmail } from '../../identifiers/email.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'

/**
 * Invalidates the link that undoes a change early, for whoever reads the old address's emails. Only the old
 * mailbox can do this, because the new one may belong to the thief.
 * @param email the old address, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_CONFLICT
 */
export async function keepEmailChange(
  { users, links }: Pick<Deps, 'users' | 'links'>,
  parts: LinkParts,
  email: string,
): Promise<StoredUser> {
  const address = parseEmail(email)
  if (address === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const { user, stillValid } = await links.open('undo-email', parts, address.email)
  const changed = await users.change(user, (current) =>
    stillValid(current) ? { emailChangedAt: null } : null,
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return changed
}
